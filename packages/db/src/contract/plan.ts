import type { Column } from '@portico/schema/model'
import type { AnyTable, TableRelation } from '@portico/schema/runtime'
import type { ColumnStorage } from './storage.ts'

/** A column with what its engine makes of it. */
export interface PlanColumn {
  readonly model: Column
  /** Its place in a record, `address.city`. */
  readonly path: string
  /** Its physical name. */
  readonly name: string
  /** Its place in a row of all columns. */
  readonly index: number
  readonly nullable: boolean
  readonly storage: ColumnStorage
}

/** A field at the top of a record: one column, or those of a flattened object. */
export interface PlanField {
  readonly name: string
  readonly columns: readonly PlanColumn[]
  /** Those that an update writes: neither key nor filled in by the table layer. */
  readonly writable: readonly PlanColumn[]
}

/** A declared table on one engine: physical names and everything that operations look up. Made once, frozen. */
export interface TablePlan {
  readonly declaration: AnyTable
  /** The declaration's name, as errors tell it. */
  readonly name: string
  /** Where the table is. Without schemas, a declared one is part of the name. */
  readonly place: TablePlace
  readonly columns: readonly PlanColumn[]
  readonly key: readonly PlanColumn[]
  readonly fields: ReadonlyMap<string, PlanField>
  readonly byPath: ReadonlyMap<string, PlanColumn>
  readonly relations: ReadonlyMap<string, TableRelation>
  /** The column with `@db.default.increment`. */
  readonly counted: PlanColumn | undefined
  readonly version: PlanColumn | undefined
  /** How high the values are that callers may give for those two. */
  readonly ceilings: readonly Ceiling[]
  /** The columns that hold when a record was last written. */
  readonly updated: readonly PlanColumn[]
}

export interface TablePlace {
  readonly schema: string | undefined
  readonly table: string
}

/** A column whose given values have a ceiling below what it holds. */
export interface Ceiling {
  readonly column: PlanColumn
  readonly max: number
  /** A key and a version are stored by an insert alone; other writes only look for them. */
  readonly insertOnly: boolean
}
