import type { Concerned } from '../errors.ts'
import type { PageProblem } from './problems.ts'

export interface PageRefusalOptions extends Concerned {
  /** Where to try again: a path of this site. */
  readonly again?: string | undefined
  /** What the link to it says. Default: “Try again”. */
  readonly againLabel?: string | undefined
  /** In place of the problem's own text, where more is known. */
  readonly text?: string | undefined
  /** What the audit says beyond the problem's name. */
  readonly reason?: string | undefined
}

/** A refusal that the person is told on a page of ours. */
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
