import type { Column, TableModel } from '@portico/schema/model'
import type { AnyTable } from '@portico/schema/runtime'
import type { Adapter } from '../contract/adapter.ts'
import type { TableUses } from '../contract/storage.ts'
import type { PlanColumn, PlanField, TablePlan } from '../contract/table-plan.ts'
import { ceilingsOf } from '../values/limits.ts'
import { toTableName } from '../values/table-name.ts'

/** Combines a declared table with the storage that an engine chooses for its columns. */
export function createTablePlan(model: TableModel, adapter: Adapter): TablePlan {
  // Sync uses only the stored side, which the compiler's model has too. Validators and relations are for operations.
  const declaration = model as AnyTable
  const columns = declaration.columns.map((model, index) => createColumn(model, index, declaration, adapter))
  const byPath = new Map(columns.map((column) => [column.path, column]))
  const autoIncrement = columns.find((it) => it.model.default?.kind === 'increment')
  const version = columns.find((it) => it.model.generated === 'version')
  return Object.freeze({
    declaration,
    name: declaration.name,
    tableName: toTableName(declaration, adapter.supports.schemas),
    columns: Object.freeze(columns),
    key: Object.freeze(declaration.key.map((path) => byPath.get(path)!)),
    fields: collectFields(columns),
    byPath,
    relations: new Map(declaration.relations.map((relation) => [relation.name, relation])),
    autoIncrement,
    version,
    ceilings: ceilingsOf({ autoIncrement, version }),
    updated: columns.filter((it) => it.model.generated === 'updated'),
  })
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
