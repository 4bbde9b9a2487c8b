import type { Column } from '@portico/schema/model'
import type { AnyTable, JsonSchema, TableRelation } from '@portico/schema/runtime'
import { RouteError } from '../errors.ts'
import type { ResolvedType } from '../types.ts'
import { describeColumnText } from './read-value.ts'

export type Fields = Record<string, unknown>

const describingKeywords: ReadonlySet<string> = new Set(['title', 'description', 'deprecated'])

/** A table as callers see it over HTTP: without its write-only fields. */
export class TableView {
  readonly declaration: AnyTable
  readonly key: readonly Column[]
  /** The columns to filter and sort by, by path. */
  readonly columns: ReadonlyMap<string, Column>
  /** The fields for `$select`. */
  readonly fields: ReadonlySet<string>
  readonly version: Column | undefined
  readonly relations: ReadonlyMap<string, TableRelation>
  /** The paths of the write-only fields. */
  readonly #hidden: readonly (readonly string[])[]

  constructor(declaration: AnyTable) {
    const { columns, key, relations, name } = declaration
    if (key.length === 0) throw new RouteError('OPTIONS_INVALID', `table \`${name}\` has no primary key`)
    const visible = columns.filter((it) => !it.writeOnly)
    this.declaration = declaration
    this.columns = new Map(visible.map((it) => [it.path, it]))
    this.key = key.map((path) => columns.find((it) => it.path === path)!)
    this.fields = new Set(visible.map((it) => it.path.split('.')[0]!))
    this.version = visible.find((it) => it.generated === 'version')
    this.relations = new Map(relations.map((it) => [it.name, it]))
    this.#hidden = columns.filter((it) => it.writeOnly).map((it) => it.path.split('.'))
  }

  /** The key of a record, as a condition. */
  keyOf(record: Fields): Fields {
    return Object.fromEntries(this.key.map(({ path }) => [path, record[path]]))
  }

  /** The record without its write-only fields. */
  show(record: Fields): Fields {
    return this.#hidden.length === 0 ? record : this.#hidden.reduce(withoutPath, record)
  }

  /** The type of a whole record in a response. */
  get recordType(): ResolvedType {
    const { declaration } = this
    if (this.#hidden.length === 0) return { kind: 'schema', schema: declaration }
    return { kind: 'json-schema', name: `${declaration.name}Record`, schema: this.#visibleSchema }
  }

  /**
   * The type of a record after `$select`: only the key is required. It has no defaults, since clients would fill them in
   * for fields that were not selected.
   */
  get selectedType(): ResolvedType {
    const visible = this.#visibleSchema
    const properties = Object.entries(propertiesOf(visible)).map(([name, it]) => [name, withoutDefault(it)])
    const required = this.key.map((it) => it.path)
    const schema = { ...visible, properties: Object.fromEntries(properties), required }
    return { kind: 'json-schema', name: `${this.declaration.name}Selected`, schema }
  }

  get #visibleSchema(): JsonSchema {
    return this.#hidden.reduce((it, path) => withoutProperty(it, path, it), this.declaration.jsonSchema)
  }

  /** The JSON Schema of a column as a parameter: its type, with title and description from the declaration. */
  parameterSchemaOf(column: Column): JsonSchema {
    const words = Object.entries(this.#schemaOf(column)).filter(([keyword]) => describingKeywords.has(keyword))
    return { ...Object.fromEntries(words), ...describeColumnText(column) }
  }

  /** The JSON Schema of a key field in a write. It is validated with the rest of the record. */
  writtenKeySchemaOf(column: Column): JsonSchema {
    const { default: _, examples: __, ...schema } = this.#schemaOf(column)
    return schema
  }

  #schemaOf({ path }: Column): JsonSchema {
    const root = this.declaration.jsonSchema
    return path.split('.').reduce((it, name) => resolve(propertiesOf(it)[name] ?? {}, root), root)
  }
}

function withoutDefault(schema: JsonSchema): JsonSchema {
  const { default: _, ...rest } = schema
  return rest
}

function withoutPath(record: Fields, [name, ...rest]: readonly string[]): Fields {
  const { [name!]: value, ...others } = record
  if (rest.length === 0 || typeof value !== 'object' || value === null) return others
  return { ...record, [name!]: withoutPath(value as Fields, rest) }
}

/** The schema of an object without one of its properties. */
export function withoutProperty(schema: JsonSchema, [name, ...rest]: readonly string[], root: JsonSchema): JsonSchema {
  const { [name!]: property = {}, ...others } = propertiesOf(schema)
  if (rest.length > 0) {
    const inner = withoutProperty(resolve(property, root), rest, root)
    return { ...schema, properties: { ...propertiesOf(schema), [name!]: inner } }
  }
  const required = ((schema['required'] ?? []) as readonly string[]).filter((it) => it !== name)
  return { ...schema, properties: others, required }
}

function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
}

function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const { $ref, ...rest } = schema
  if (typeof $ref !== 'string') return schema
  const found = ((root['$defs'] ?? {}) as Readonly<Record<string, JsonSchema>>)[$ref.slice('#/$defs/'.length)]
  return found ? { ...resolve(found, root), ...rest } : schema
}
