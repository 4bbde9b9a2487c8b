import type { TablePlan } from '../contract/plan.ts'
import { DbError } from '../errors.ts'

/** No caller gives a version to a write, so that the only one which a column refuses is one that rose past the end. */
export function explainVersion(error: unknown, plan: TablePlan): unknown {
  const { version } = plan
  if (!version || !(error instanceof DbError) || error.code !== 'CONSTRAINT_VIOLATION') return error
  return error.fields.join() === version.path ? versionExhausted(plan, error) : error
}

/** The version of a record is at its end: nothing was written. */
export function versionExhausted({ name, version }: TablePlan, cause?: unknown): DbError {
  const { path } = version!
  return new DbError('NUMBER_UNSAFE', `table \`${name}\`: \`${path}\` cannot rise beyond 2^53 − 1`, {
    cause,
    fields: [path],
  })
}
