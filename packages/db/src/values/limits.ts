import type { Ceiling, PlanColumn, TablePlan } from '../contract/table-plan.ts'

/** The largest integer that is exact in JavaScript and in every engine. */
export const MAX_INTEGER: number = Number.MAX_SAFE_INTEGER

/** The numbers that stay free above the ceiling of a 64-bit column, and of a narrower one such as an INT. */
const WIDE_RESERVE = 2 ** 40
const NARROW_RESERVE = 2 ** 28

/**
 * The highest value that a caller may give for an auto-increment column. The engine continues after it, so a value near
 * the end of the range would leave no numbers for further inserts.
 */
function ceilingOf({ storage }: PlanColumn): number {
  const max = storage.max ?? MAX_INTEGER
  return max + 1 - (max < MAX_INTEGER ? NARROW_RESERVE : WIDE_RESERVE)
}

export function ceilingsOf({
  autoIncrement,
  version,
}: Pick<TablePlan, 'autoIncrement' | 'version'>): readonly Ceiling[] {
  return [
    ...(autoIncrement
      ? [{ column: autoIncrement, max: ceilingOf(autoIncrement), insertOnly: autoIncrement.model.key }]
      : []),
    ...(version ? [{ column: version, max: ceilingOf(version), insertOnly: true }] : []),
  ]
}
