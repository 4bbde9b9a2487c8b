import type { TablePlan } from '../contract/table-plan.ts'
import { DbError } from '../errors.ts'

/** Callers never set a version, so its column refuses a value only after the last possible increment. */
export function toVersionExhausted(error: unknown, plan: TablePlan): unknown {
  const { version } = plan
  if (!version || !(error instanceof DbError) || error.code !== 'CONSTRAINT_VIOLATION') return error
  return error.fields.join() === version.path ? versionExhausted(plan, error) : error
}

/** The version of a record has reached its end. Nothing was written. */
export function versionExhausted({ name, version }: TablePlan, cause?: unknown): DbError {
  const { path } = version!
  return new DbError('NUMBER_UNSAFE', `table \`${name}\`: \`${path}\` cannot be incremented beyond 2^53 − 1`, {
    cause,
    fields: [path],
  })
}
