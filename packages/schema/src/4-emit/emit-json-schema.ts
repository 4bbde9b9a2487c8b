import type { Declaration, Expectation, Field, Literal, Meta, Type } from '../model.ts'
import { decimalPattern } from '../runtime/decimal.ts'
import { Code, toSource } from './writer.ts'

type Json = Record<string, unknown>

/** Without a format, client generators use 32 bits, which is too small for milliseconds. */
const wholeNumber = { type: 'integer', format: 'int64' } as const

const formats = { email: 'email', uuid: 'uuid', url: 'uri', date: 'date', datetime: 'date-time' } as const

/** The JSON Schema (2020-12) of a declaration. The declarations it names are under `$defs`. */
export function describeDeclaration(declaration: Declaration): Json {
  const definitions = new Definitions()
  const schema = definitions.describe(declaration.type)
  const $defs = definitions.all()
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...describeMeta(declaration.meta),
    ...schema,
    ...(Object.keys($defs).length > 0 && { $defs }),
  }
}

class Definitions {
  readonly #names = new Map<string, string>()
  readonly #schemas: Json = {}

  all(): Json {
    return this.#schemas
  }

  describe(type: Type): Json {
    switch (type.kind) {
      case 'string':
        return describeString(type.subtype)
      case 'number':
        if (!type.integer) return { type: 'number' }
        return { ...wholeNumber, minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }
      case 'boolean':
        return { type: 'boolean' }
      case 'decimal':
        return { type: 'string', pattern: decimalPattern(type.precision) }
      case 'literal':
        return describeLiterals([type.value])
      case 'union':
        return this.#describeUnion(type.members)
      case 'array':
        return { type: 'array', items: this.describe(type.element) }
      case 'object':
        return this.#describeObject(type.fields)
      case 'named':
        return { $ref: `#/$defs/${this.#define(type.declaration)}` }
      case 'records':
        return type.many ? { type: 'array', items: { type: 'object' } } : { type: 'object' }
      case 'unknown':
        return {}
    }
  }

  /** Literals of the same type share an `enum` with one `type`, which client generators understand. */
  #describeUnion(members: readonly Type[]): Json {
    const options: Json[] = []
    const known = new Set<string>()
    for (const member of members) {
      if (member.kind !== 'literal') {
        options.push(this.describe(member))
        continue
      }
      const type = typeOfLiteral(member.value)
      if (known.has(type)) continue
      known.add(type)
      const values = members.flatMap((it) => (it.kind === 'literal' ? [it.value] : []))
      options.push(describeLiterals(values.filter((it) => typeOfLiteral(it) === type)))
    }
    return options.length === 1 ? options[0]! : { anyOf: options }
  }

  #describeObject(fields: readonly Field[]): Json {
    const required: string[] = []
    const properties: Json = {}
    for (const field of fields) {
      properties[field.name] = this.#describeField(field)
      if (!field.optional) required.push(field.name)
    }
    const schema: Json = { type: 'object', properties }
    if (required.length > 0) schema['required'] = required
    schema['additionalProperties'] = false
    return schema
  }

  #describeField(field: Field): Json | Code {
    if (isUnadorned(field)) return brief(field.type) ?? this.describe(field.type)
    const schema = Object.assign(describeMeta(field.meta), this.describe(field.type))
    for (const expectation of field.expectations) tighten(schema, expectation, field.type)
    if (field.default?.kind === 'value') schema['default'] = field.default.value
    if (field.writeOnly) schema['writeOnly'] = true
    return schema
  }

  /** Declarations with the same name from different files get a number. */
  #define(declaration: Declaration): string {
    const identity = `${declaration.path}\n${declaration.name}`
    const known = this.#names.get(identity)
    if (known !== undefined) return known
    let name = declaration.name
    for (let count = 2; name in this.#schemas; count++) name = `${declaration.name}${count}`
    this.#names.set(identity, name)
    this.#schemas[name] = {}
    this.#schemas[name] = { ...describeMeta(declaration.meta), ...this.describe(declaration.type) }
    return name
  }
}

/** Cached source text for built-in types: nearly every field has one of them. */
const briefs = new Map<Type, Code>()

function brief(type: Type): Code | undefined {
  if (type.kind !== 'string' && type.kind !== 'number' && type.kind !== 'boolean') return undefined
  const known = briefs.get(type)
  if (known) return known
  const written = new Code(toSource(new Definitions().describe(type)))
  // A limit, because types created for a single field, such as keys, are never reused.
  if (briefs.size < 100) briefs.set(type, written)
  return written
}

function isUnadorned({ meta, expectations, default: value, writeOnly }: Field): boolean {
  if (writeOnly || value?.kind === 'value' || expectations.length > 0) return false
  return meta.label === undefined && meta.description === undefined && meta.example === undefined && !meta.deprecated
}

function describeLiterals(values: readonly Literal[]): Json {
  const type = typeOfLiteral(values[0]!)
  if (type === 'null') return { type }
  const schema = type === 'integer' ? wholeNumber : { type }
  return values.length === 1 ? { ...schema, const: values[0] } : { ...schema, enum: values }
}

function typeOfLiteral(value: Literal): string {
  if (value === null) return 'null'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

function describeString(subtype: string | undefined): Json {
  if (subtype === undefined) return { type: 'string' }
  if (subtype === 'required') return { type: 'string', minLength: 1 }
  const format = formats[subtype as keyof typeof formats]
  return { type: 'string', format, ...(subtype === 'url' && { pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#:@]' }) }
}

/** Adds an expectation as a keyword. If the type already has the keyword, the stricter value wins. */
function tighten(schema: Json, { rule, value }: Expectation, type: Type): void {
  const isList = isArray(type)
  if (rule === 'min') raise(schema, 'minimum', Number(value))
  else if (rule === 'max') lower(schema, 'maximum', Number(value))
  else if (rule === 'minLength') raise(schema, isList ? 'minItems' : 'minLength', Number(value))
  else if (rule === 'maxLength') lower(schema, isList ? 'maxItems' : 'maxLength', Number(value))
  else if (rule === 'int') {
    if (schema['type'] === 'number') Object.assign(schema, wholeNumber)
    else schema['multipleOf'] = 1
    raise(schema, 'minimum', Number.MIN_SAFE_INTEGER)
    lower(schema, 'maximum', Number.MAX_SAFE_INTEGER)
  } else if (schema['pattern'] === undefined) schema['pattern'] = value
  else schema['allOf'] = [{ pattern: value }]
}

function raise(schema: Json, keyword: string, value: number): void {
  schema[keyword] = Math.max(Number(schema[keyword] ?? value), value)
}

function lower(schema: Json, keyword: string, value: number): void {
  schema[keyword] = Math.min(Number(schema[keyword] ?? value), value)
}

function isArray(type: Type): boolean {
  if (type.kind === 'union') return type.members.some(isArray)
  return type.kind === 'named' ? isArray(type.declaration.type) : type.kind === 'array'
}

function describeMeta({ label, description, example, deprecated }: Meta): Json {
  const schema: Json = {}
  if (label !== undefined) schema['title'] = label
  if (description !== undefined) schema['description'] = description
  if (example !== undefined) schema['examples'] = [example]
  if (deprecated !== undefined) schema['deprecated'] = true
  return schema
}
