import type { Column } from '@portico/schema/model'
import type { AnyTable, TableRelation } from '@portico/schema/runtime'
import type { ColumnStorage } from './storage.ts'

/** A declared column with the storage that the engine chose for it. */
export interface PlanColumn {
  readonly model: Column
  /** The path of the value in a record: `address.city`. */
  readonly path: string
  /** The physical name. */
  readonly name: string
  /** The position among all columns of the table. */
  readonly index: number
  readonly nullable: boolean
  readonly storage: ColumnStorage
}

/** A top-level field of a record: one column, or the columns of a flattened object. */
export interface PlanField {
  readonly name: string
  readonly columns: readonly PlanColumn[]
  /** The columns that an update may write: not part of the key, and not set by the table layer. */
  readonly writable: readonly PlanColumn[]
}

/** A declared table on one engine: physical names, and lookups for operations. Created once and frozen. */
export interface TablePlan {
  readonly declaration: AnyTable
  /** The name of the declaration, used in error messages. */
  readonly name: string
  readonly tableName: TableName
  readonly columns: readonly PlanColumn[]
  readonly key: readonly PlanColumn[]
  readonly fields: ReadonlyMap<string, PlanField>
  readonly byPath: ReadonlyMap<string, PlanColumn>
  readonly relations: ReadonlyMap<string, TableRelation>
  /** The column with `@db.default.increment`. */
  readonly autoIncrement: PlanColumn | undefined
  readonly version: PlanColumn | undefined
  /** Upper bounds for values that callers give for `autoIncrement` and `version`. */
  readonly ceilings: readonly Ceiling[]
  /** The columns that hold the time of the last write. */
  readonly updated: readonly PlanColumn[]
}

/** A physical table name. On engines without schemas, `schema` is undefined and `table` starts with the schema's name. */
export interface TableName {
  readonly schema: string | undefined
  readonly table: string
}

/** A column whose given values must stay below the largest value that it can store. */
export interface Ceiling {
  readonly column: PlanColumn
  readonly max: number
  /** True if only inserts store a given value. Other writes only compare it, as with a key or a version. */
  readonly insertOnly: boolean
}
