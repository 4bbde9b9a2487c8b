import type { Column, TableModel } from '@portico/schema/model'
import type { AnyTable, TableRelation } from '@portico/schema/runtime'
import type { Adapter, ColumnStorage, TableUses } from './adapter.ts'
import { type Ceiling, ceilingsOf } from './limits.ts'

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

/** Works out what an engine makes of a declared table. */
export function createTablePlan(model: TableModel, adapter: Adapter): TablePlan {
  // Sync looks at the stored side alone, which the compiler's model has as well; validators and relations are for operations.
  const declaration = model as AnyTable
  const columns = declaration.columns.map((model, index) => createColumn(model, index, declaration, adapter))
  const byPath = new Map(columns.map((column) => [column.path, column]))
  const counted = columns.find((it) => it.model.default?.kind === 'increment')
  const version = columns.find((it) => it.model.generated === 'version')
  return Object.freeze({
    declaration,
    name: declaration.name,
    place: placeTable(declaration, adapter.can.schemas),
    columns: Object.freeze(columns),
    key: Object.freeze(declaration.key.map((path) => byPath.get(path)!)),
    fields: collectFields(columns),
    byPath,
    relations: new Map(declaration.relations.map((relation) => [relation.name, relation])),
    counted,
    version,
    ceilings: ceilingsOf({ counted, version }),
    updated: columns.filter((it) => it.model.generated === 'updated'),
  })
}

/** Where a table is: an engine without schemas has them as a prefix. */
export function placeTable({ schema, table }: Pick<TableModel, 'schema' | 'table'>, hasSchemas: boolean): TablePlace {
  if (schema === undefined || hasSchemas) return { schema, table }
  return { schema: undefined, table: `${schema}__${table}` }
}

/** The physical name of an index. Where a schema is part of the table's name, it is part of the index's as well. */
export function placeIndex(name: string, { declaration: { schema }, place }: TablePlan): string {
  return schema === undefined || place.schema !== undefined ? name : `${schema}__${name}`
}

function createColumn(model: Column, index: number, table: TableUses, adapter: Adapter): PlanColumn {
  const storage = adapter.storeColumn(model, table)
  return Object.freeze({ model, path: model.path, name: model.name, index, nullable: model.nullable, storage })
}

function collectFields(columns: readonly PlanColumn[]): ReadonlyMap<string, PlanField> {
  const fields = new Map<string, PlanColumn[]>()
  for (const column of columns) {
    const [name = ''] = column.path.split('.')
    const known = fields.get(name)
    if (known) known.push(column)
    else fields.set(name, [column])
  }
  return new Map(
    [...fields].map(([name, own]) => {
      const writable = own.filter(({ model }) => !model.key && !model.generated)
      return [name, Object.freeze({ name, columns: own, writable })]
    }),
  )
}
