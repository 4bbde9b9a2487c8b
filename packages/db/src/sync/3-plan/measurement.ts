/** The effect of a difference on existing rows. */
import type { Session } from '../../contract/adapter.ts'
import type { RowQuery } from '../../contract/row-query.ts'
import type { Capabilities } from '../../contract/storage.ts'
import type { PlanColumn } from '../../contract/table-plan.ts'
import type { TableDifference } from '../2-diff/difference.ts'
import type { Precheck, Touches } from './steps.ts'

export type CountRows = (query: RowQuery) => Promise<number>

export interface MeasureContext {
  readonly countRows: CountRows
  readonly session: Session
  readonly supports: Capabilities
  readonly allow: ReadonlySet<string>
  /** All tables of the sync. */
  readonly all: readonly TableDifference[]
}

export interface Measurement {
  readonly touches: Touches
  readonly precheck: readonly Precheck[]
  /** Set if the rows make the step impossible. */
  readonly problem?: string
}

/** A check that must find no rows; otherwise `problem` is reported. */
export function requireNone(kind: RowQuery['kind'], found: number, touches: Touches, problem: string): Measurement {
  const precheck = [{ kind, found, holds: found === 0 }]
  return { touches, precheck, ...(found > 0 && { problem }) }
}

/** The name of a declared column before the sync. */
export function currentNameOf({ columns }: Pick<TableDifference, 'columns'>, column: PlanColumn): string {
  return columns.get(column) ?? column.name
}
