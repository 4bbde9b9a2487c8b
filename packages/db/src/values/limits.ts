import type { Ceiling, PlanColumn, TablePlan } from '../contract/plan.ts'

/** The highest whole number that JavaScript and every engine agree on. */
export const MAX_INTEGER: number = Number.MAX_SAFE_INTEGER

/** How many numbers stay free above the ceiling of a wide column, and of a narrow one such as an INT. */
const WIDE_RESERVE = 2 ** 40
const NARROW_RESERVE = 2 ** 28

/**
 * The highest number that a caller may give for a column that counts by itself. Counting goes on behind a given number,
 * so that one at the end of the range would be the last: nobody could insert any more.
 */
export function ceilingOf({ storage }: PlanColumn): number {
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
