import { quote } from '../1-lex/strings.ts'
import type { Declaration, Field, Meta, Type } from '../model.ts'
import type { ModuleNames } from './module-names.ts'
import type { Writer } from './writer.ts'

/** What an input type is for. */
export type InputMode = 'insert' | 'replace' | 'update'

/** Writes the TypeScript type of a declaration and, for a table, those of its inputs and its key. */
export function emitTypes(declaration: Declaration, names: ModuleNames, out: Writer): void {
  emitRecord(declaration, names, out)
  if (declaration.kind !== 'table') return
  const { name } = declaration
  const one = withArticle(name)
  const fields = fieldsOf(declaration).filter((it) => it.role !== 'navigation')
  const { insert, replace, update } = inputProperties(fields, names)
  out.line()
  out.doc(`What an insert of ${one} takes: what has a default may be left out, \`null\` stands for absent.`)
  out.raw(`export interface ${name}Insert {\n${insert}}`)
  out.line()
  out.doc(`What replaces ${one}: every field but those that are filled in at a write.`)
  out.raw(`export interface ${name}Replace {\n${replace}}`)
  out.line()
  out.doc(`What changes ${one}: its key and any other fields; \`null\` clears an optional one.`)
  out.raw(`export interface ${name}Update {\n${update}}`)
  out.line()
  out.doc(`The key of ${one}.`)
  out.raw(keyText(declaration, names))
}

/** A name with the article that it is read with: an `Office`, a `User`, a `Unit`. */
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
  const own = type.fields.slice(inherited)
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

export function fieldsOf({ type }: Declaration): readonly Field[] {
  return type.kind === 'object' ? type.fields : []
}

/** The lines of all three inputs at once: most fields have the same type in each. */
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

/** Whether an input may leave a field out. */
export function isOptionalInput(field: Field, mode: InputMode): boolean {
  if (field.optional) return true
  if (mode === 'update') return !field.key
  return field.generated !== undefined || (mode === 'insert' && field.default !== undefined)
}

/** The type of a field's input: a flattened object follows the rules of input inside as well. */
function inputText(field: Field, mode: 'insert' | 'replace', names: ModuleNames): string {
  const fields = flattenedFields(field)
  if (!fields?.some((it) => differsOnInput(it, mode))) return typeText(field.type, names)
  return `{ ${fields.map((it) => inputProperty(it, mode, inputText(it, mode, names))).join('; ')} }`
}

function differsOnInput(field: Field, mode: 'insert' | 'replace'): boolean {
  if (isOptionalInput(field, mode)) return true
  return flattenedFields(field)?.some((it) => differsOnInput(it, mode)) ?? false
}

/** The fields of an object that is kept in columns of its own. */
export function flattenedFields({ type, json, role }: Field): readonly Field[] | undefined {
  if (json || role !== 'stored') return undefined
  if (type.kind === 'object') return type.fields
  if (type.kind !== 'named') return undefined
  let inner: Type = type
  while (inner.kind === 'named') inner = inner.declaration.type
  return inner.kind === 'object' ? inner.fields : undefined
}

export function typeText(type: Type, names: ModuleNames): string {
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
