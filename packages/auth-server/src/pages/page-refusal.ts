import type { Concerned } from '../errors.ts'
import type { PageProblem } from './problems.ts'

export interface PageRefusalOptions extends Concerned {
  /** Where to try again: a path of this site. */
  readonly again?: string
  /** What the audit says beyond the problem's name. */
  readonly reason?: string
}

/** A refusal that the person is told on a page of ours. */
export class PageRefusal extends Error {
  override readonly name = 'PageRefusal'
  readonly problem: PageProblem
  readonly again: string | undefined
  readonly reason: string
  readonly concerned: Concerned

  constructor(problem: PageProblem, { again, reason, ...concerned }: PageRefusalOptions = {}) {
    super(problem)
    this.problem = problem
    this.again = again
    this.reason = reason === undefined ? problem : `${problem}: ${reason}`
    this.concerned = concerned
  }
}
