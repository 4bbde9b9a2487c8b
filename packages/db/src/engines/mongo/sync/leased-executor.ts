import type { TablePlan } from '../../../contract/table-plan.ts'
import { DbError } from '../../../errors.ts'
import type { Executor, Work } from '../client/executor.ts'
import type { Lease } from './lease.ts'

/** Returns an answer only while the lease is still ours: a late one may describe the work of another sync. */
export class LeasedExecutor implements Executor {
  readonly #inner: Executor
  readonly #lease: Lease

  constructor(inner: Executor, lease: Lease) {
    this.#inner = inner
    this.#lease = lease
  }

  async run<T>(work: Work<T>, plan?: TablePlan): Promise<T> {
    try {
      const answer = await this.#inner.run(work, plan)
      await this.#inner.run(() => this.#lease.check())
      return answer
    } catch (error) {
      // Without a connection the lease cannot be checked. Then the first error is the one to report.
      const lost = await this.#lease.check().then(
        () => undefined,
        (reason: unknown) => reason,
      )
      throw lost instanceof DbError ? lost : error
    }
  }
}
