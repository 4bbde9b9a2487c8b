import { quote } from '../1-lex/strings.ts'
import type { Column, Declaration, Relation, TableModel } from '../model.ts'
import { describeDeclaration } from './emit-json-schema.ts'
import { tableTypes } from './emit-types.ts'
import type { ModuleNames } from './module-names.ts'
import { Code, toSource, type Writer } from './writer.ts'

/** Emits the run-time value of a declaration: a table declaration, or the schema of a type. */
export function emitValue(declaration: Declaration, names: ModuleNames, out: Writer): void {
  const { name, table } = declaration
  out.line()
  if (table) {
    out.block(
      `export const ${name}: portico.TableDeclaration<${tableTypes(declaration)}> = portico.defineTable({`,
      '})',
      () => {
        emitTable(declaration, table, names, out)
        emitSchema(declaration, out)
      },
    )
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
  out.list('columns', table.columns.map(columnSource))
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

/** A column on one line, without the defaults that the runtime adds. */
function columnSource(column: Column): string {
  const { path, name, type, storage, subtype, shape, values, precision, generated, renamedFrom } = column
  let text = `{ path: '${path}', name: ${name === path ? `'${path}'` : quote(name)}, type: '${type}', storage: '${storage}'`
  if (subtype) text += `, subtype: '${subtype}'`
  if (column.integer) text += ', integer: true'
  if (shape) text += `, shape: '${shape}'`
  if (column.element) text += `, element: '${column.element}'`
  if (values) text += `, values: ${toSource(values)}`
  if (column.nullable) text += ', nullable: true'
  if (column.optional) text += ', optional: true'
  if (column.allowsNull) text += ', allowsNull: true'
  if (column.key) text += ', key: true'
  if (column.default) text += `, default: ${toSource(column.default)}`
  if (generated) text += `, generated: '${generated}'`
  if (precision) text += `, precision: ${toSource(precision)}`
  if (column.expect) text += `, expect: ${toSource(column.expect)}`
  if (column.writeOnly) text += ', writeOnly: true'
  if (renamedFrom.length > 0) text += `, renamedFrom: ${toSource(renamedFrom)}`
  return `${text} }`
}

/**
 * Relations reference other tables through functions, because modules and tables may be circular. The explicit return
 * type keeps TypeScript from comparing all related tables structurally.
 */
function withTables(relation: Relation, { type }: Declaration, names: ModuleNames): object {
  const field = type.kind === 'object' ? type.fields.find((it) => it.name === relation.name) : undefined
  if (field?.type.kind !== 'records') return relation
  const target = names.nameOf({ name: field.type.table, path: field.type.path })
  const junction = field.navigation?.junction
  return {
    ...relation,
    table: new Code(`(): portico.AnyTable => ${target}`),
    ...(junction && {
      junction: new Code(`(): portico.AnyTable => ${names.nameOf({ name: junction.table, path: junction.path })}`),
    }),
  }
}
