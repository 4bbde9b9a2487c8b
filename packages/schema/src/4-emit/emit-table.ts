import type { Column, Declaration, Relation, TableModel } from '../model.ts'
import { describeDeclaration } from './emit-json-schema.ts'
import type { ModuleNames } from './module-names.ts'
import { Code, type Writer } from './writer.ts'

/** Writes the run-time value of a declaration: a table, or a type with its validator alone. */
export function emitValue(declaration: Declaration, names: ModuleNames, out: Writer): void {
  const { name, table } = declaration
  out.line()
  if (table) {
    const types = [name, `${name}Insert`, `${name}Update`, `${name}Key`, `${name}Replace`].join(', ')
    out.block(`export const ${name}: portico.Table<${types}> = portico.defineTable({`, '})', () => {
      emitTable(declaration, table, names, out)
      emitSchema(declaration, out)
    })
  } else {
    out.block(`export const ${name}: portico.Schema<${name}> = portico.defineType({`, '})', () => {
      out.property('name', name)
      emitSchema(declaration, out)
    })
  }
}

function emitSchema(declaration: Declaration, out: Writer): void {
  out.property('jsonSchema', describeDeclaration(declaration))
  out.line(`check: check${declaration.name},`)
}

function emitTable(declaration: Declaration, table: TableModel, names: ModuleNames, out: Writer): void {
  out.property('name', table.name)
  out.property('table', table.table)
  if (table.schema !== undefined) out.property('schema', table.schema)
  emitList('renamedFrom', table.renamedFrom, out)
  out.property('key', table.key)
  out.property('columns', table.columns.map(shortenColumn))
  emitList('groups', table.groups, out)
  emitList('indexes', table.indexes, out)
  emitList('foreignKeys', table.foreignKeys, out)
  emitList(
    'relations',
    table.relations.map((it) => withTables(it, declaration, names)),
    out,
  )
  emitList('ignored', table.ignored, out)
}

function emitList(name: string, list: readonly unknown[], out: Writer): void {
  if (list.length > 0) out.property(name, list)
}

const columnOrder: readonly (keyof Column)[] = [
  'path',
  'name',
  'type',
  'storage',
  'subtype',
  'integer',
  'shape',
  'values',
  'nullable',
  'optional',
  'key',
  'default',
  'generated',
  'precision',
  'writeOnly',
  'renamedFrom',
]

/** Leaves out what the runtime fills in. */
function shortenColumn(column: Column): object {
  const short: Partial<Record<keyof Column, unknown>> = {}
  for (const name of columnOrder) {
    const value = column[name]
    const isUsual =
      value === undefined || value === false || (name === 'renamedFrom' && column.renamedFrom.length === 0)
    if (!isUsual) short[name] = value
  }
  return short
}

/** A relation leads to other tables by functions: modules may refer to each other, and so may tables. */
function withTables(relation: Relation, { type }: Declaration, names: ModuleNames): object {
  const field = type.kind === 'object' ? type.fields.find((it) => it.name === relation.name) : undefined
  if (field?.type.kind !== 'records') return relation
  const target = names.nameOf({ name: field.type.table, path: field.type.path })
  const junction = field.navigation?.junction
  return {
    ...relation,
    table: new Code(`() => ${target}`),
    ...(junction && { junction: new Code(`() => ${names.nameOf({ name: junction.table, path: junction.path })}`) }),
  }
}
