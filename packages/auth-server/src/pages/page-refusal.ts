import type { Concerned } from '../errors.ts'
import type { PageProblem } from './problems.ts'

export interface PageRefusalOptions extends Concerned {
  /** The path of this site at which to try again. */
  readonly again?: string | undefined
  /** The text of that link. Default: “Try again”. */
  readonly againLabel?: string | undefined
  /** Replaces the text of the problem if more is known. */
  readonly text?: string | undefined
  /** Added to the code in the audit. */
  readonly reason?: string | undefined
}

/** A refusal that is shown to the person as a page. */
export class PageRefusal extends Error {
  override readonly name = 'PageRefusal'
  readonly code: PageProblem
  readonly again: string | undefined
  readonly againLabel: string | undefined
  readonly text: string | undefined
  readonly reason: string
  readonly concerned: Concerned

  constructor(code: PageProblem, { again, againLabel, text, reason, ...concerned }: PageRefusalOptions = {}) {
    super(code)
    this.code = code
    this.again = again
    this.againLabel = againLabel
    this.text = text
    this.reason = reason === undefined ? code : `${code}: ${reason}`
    this.concerned = concerned
  }
}
