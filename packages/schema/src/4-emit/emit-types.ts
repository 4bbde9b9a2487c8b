import { quote } from '../1-lex/strings.ts'
import type { Declaration, Field, Meta, TableModel, Type } from '../model.ts'
import type { ModuleNames } from './module-names.ts'
import type { Writer } from './writer.ts'

type InputMode = 'insert' | 'replace' | 'update'

/** Emits the TypeScript type of a declaration. For a table also the types of its inputs, key and relations. */
export function emitTypes(declaration: Declaration, names: ModuleNames, out: Writer): void {
  emitRecord(declaration, names, out)
  if (declaration.kind !== 'table') return
  const { name } = declaration
  const one = withArticle(name)
  const fields = fieldsOf(declaration).filter((it) => it.role !== 'navigation')
  const { insert, replace, update } = inputProperties(fields, names)
  out.line()
  out.doc(`Input to insert ${one}. Fields with a default may be omitted; \`null\` means no value.`)
  out.raw(`export interface ${name}Insert {\n${insert}}`)
  out.line()
  out.doc(`Input to replace ${one}: every field except those filled in on write.`)
  out.raw(`export interface ${name}Replace {\n${replace}}`)
  out.line()
  out.doc(`Input to update ${one}: its key and any other fields. \`null\` clears an optional field.`)
  out.raw(`export interface ${name}Update {\n${update}}`)
  out.line()
  out.doc(`The primary key of ${one}.`)
  out.raw(keyText(declaration, names))
  emitRelations(declaration, names, out)
}

/**
 * Related records are not part of a record; only queries that ask for them return them. Targets are written as
 * `typeof Table`, because that type includes their own relations.
 */
function emitRelations(declaration: Declaration, names: ModuleNames, out: Writer): void {
  const relations = fieldsOf(declaration).filter((it) => it.role === 'navigation')
  if (relations.length === 0) return
  out.line()
  out.doc(`The relations of ${withArticle(declaration.name)}, by the names used in \`with\`.`)
  out.block(`export interface ${declaration.name}Relations {`, '}', () => {
    for (const field of relations) {
      if (field.type.kind !== 'records') continue
      emitDoc(field.meta, out)
      const target = `typeof ${names.nameOf({ name: field.type.table, path: field.type.path })}`
      const optional = isRequiredRelation(declaration.table, field) ? '' : '?'
      out.line(field.type.many ? `${field.name}: (${target})[]` : `${field.name}${optional}: ${target}`)
    }
  })
}

/** True if the relation follows a required foreign key, so the record always exists. */
function isRequiredRelation(table: TableModel | undefined, field: Field): boolean {
  const relation = table?.relations.find((it) => it.name === field.name)
  if (relation?.kind !== 'to') return false
  return relation.on.every(({ here }) => table?.columns.find((it) => it.path === here)?.nullable === false)
}

/** The type arguments of a table's value. */
export function tableTypes(declaration: Declaration): string {
  const { name, table } = declaration
  const inputs = [name, `${name}Insert`, `${name}Update`, `${name}Key`, `${name}Replace`]
  const hasRelations = fieldsOf(declaration).some((it) => it.role === 'navigation')
  const decimals = (table?.columns ?? []).filter((it) => it.type === 'decimal').map((it) => quote(it.path))
  const relations = hasRelations ? [`${name}Relations`] : decimals.length > 0 ? ['portico.NoRelations'] : []
  return [...inputs, ...relations, ...(decimals.length > 0 ? [decimals.join(' | ')] : [])].join(', ')
}

/** A name with its article: an `Office`, a `User`, a `Unit`. */
function withArticle(name: string): string {
  const startsWithVowel = /^[aeio]/i.test(name) || /^u(?!ni|se|ti|r[aeiou])/i.test(name)
  return `${startsWithVowel && !/^(eu|one)/i.test(name) ? 'an' : 'a'} \`${name}\``
}

function emitRecord(declaration: Declaration, names: ModuleNames, out: Writer): void {
  const { kind, name, type, bases, inherited, meta } = declaration
  out.line()
  emitDoc(meta, out)
  if (kind === 'type' || type.kind !== 'object') {
    out.line(`export type ${name} = ${typeText(type, names)}`)
    return
  }
  const extended = bases.map((it) => names.nameOf(it)).join(', ')
  const head = `export interface ${name} ${extended && `extends ${extended} `}{`
  const own = type.fields.slice(inherited).filter((it) => it.role !== 'navigation')
  if (own.length === 0) {
    out.line(`${head}}`)
    return
  }
  out.block(head, '}', () => {
    for (const field of own) {
      emitDoc(field.meta, out)
      out.line(`${field.name}${field.optional ? '?' : ''}: ${typeText(field.type, names)}`)
    }
  })
}

function fieldsOf({ type }: Declaration): readonly Field[] {
  return type.kind === 'object' ? type.fields : []
}

/** The fields of all three input types. Computed together, because most fields have the same type in each. */
function inputProperties(fields: readonly Field[], names: ModuleNames): Record<InputMode, string> {
  const lines = { insert: '', replace: '', update: '' }
  for (const field of fields) {
    const flattened = flattenedFields(field) !== undefined
    const insert = flattened ? inputText(field, 'insert', names) : typeText(field.type, names)
    const replace = flattened ? inputText(field, 'replace', names) : insert
    lines.insert += `  ${inputProperty(field, 'insert', insert)}\n`
    lines.replace += `  ${inputProperty(field, 'replace', replace)}\n`
    lines.update += `  ${inputProperty(field, 'update', replace)}\n`
  }
  return lines
}

function keyText(declaration: Declaration, names: ModuleNames): string {
  let lines = ''
  for (const { key, name, type } of fieldsOf(declaration)) if (key) lines += `  ${name}: ${typeText(type, names)}\n`
  if (lines === '') return `export type ${declaration.name}Key = { [name: string]: never }`
  return `export interface ${declaration.name}Key {\n${lines}}`
}

function inputProperty(field: Field, mode: InputMode, text: string): string {
  return `${field.name}${isOptionalInput(field, mode) ? '?: ' : ': '}${text}${field.optional ? ' | null' : ''}`
}

/** True if an input may omit the field. */
function isOptionalInput(field: Field, mode: InputMode): boolean {
  if (field.optional) return true
  if (mode === 'update') return !field.key
  return field.generated !== undefined || (mode === 'insert' && field.default !== undefined)
}

/** The input type of a field. The input rules also apply inside flattened objects. */
function inputText(field: Field, mode: 'insert' | 'replace', names: ModuleNames): string {
  const fields = flattenedFields(field)
  if (!fields?.some((it) => differsOnInput(it, mode))) return typeText(field.type, names)
  return `{ ${fields.map((it) => inputProperty(it, mode, inputText(it, mode, names))).join('; ')} }`
}

function differsOnInput(field: Field, mode: 'insert' | 'replace'): boolean {
  if (isOptionalInput(field, mode)) return true
  return flattenedFields(field)?.some((it) => differsOnInput(it, mode)) ?? false
}

/** The fields of an object that is flattened into columns. */
function flattenedFields({ type, json, role }: Field): readonly Field[] | undefined {
  if (json || role !== 'stored') return undefined
  if (type.kind === 'object') return type.fields
  if (type.kind !== 'named') return undefined
  let inner: Type = type
  while (inner.kind === 'named') inner = inner.declaration.type
  return inner.kind === 'object' ? inner.fields : undefined
}

function typeText(type: Type, names: ModuleNames): string {
  switch (type.kind) {
    case 'string':
    case 'number':
    case 'boolean':
      return type.kind
    case 'decimal':
      return 'string'
    case 'literal':
      return typeof type.value === 'string' ? quote(type.value) : String(type.value)
    case 'union':
      return type.members.map((it) => typeText(it, names)).join(' | ')
    case 'array': {
      const element = typeText(type.element, names)
      return type.element.kind === 'union' ? `(${element})[]` : `${element}[]`
    }
    case 'object': {
      const fields = type.fields.map((it) => `${it.name}${it.optional ? '?' : ''}: ${typeText(it.type, names)}`)
      return fields.length === 0 ? '{ [name: string]: never }' : `{ ${fields.join('; ')} }`
    }
    case 'named':
      return names.nameOf(type.declaration)
    case 'records':
      return names.nameOf({ name: type.table, path: type.path }) + (type.many ? '[]' : '')
    case 'unknown':
      return 'unknown'
  }
}

function emitDoc({ label, description, deprecated }: Meta, out: Writer): void {
  if (description === undefined && label === undefined && deprecated === undefined) return
  const text = description ?? label
  const note = deprecated === undefined ? undefined : deprecated === true ? '@deprecated' : `@deprecated ${deprecated}`
  const lines = [text, note].filter((it) => it !== undefined)
  if (lines.length > 0) out.doc(lines.join('\n'))
}
