import type { Column, TableModel } from '../model.ts'
import type { Mode } from './checks.ts'
import { deepFreeze, type JsonSchema } from './schema.ts'

type Properties = Readonly<Record<string, JsonSchema>>

/** The JSON Schema of a table's input: the fields of its record with different rules for required ones. */
export function describeInput(table: TableModel, record: JsonSchema, mode: Exclude<Mode, 'record'>): JsonSchema {
  const navigations = new Set(table.relations.map((it) => it.name))
  const properties = Object.entries(record['properties'] as Properties).filter(([name]) => !navigations.has(name))
  const described = { ...record, ...new InputDescriber(table, record, mode).describe(properties, record, '') }
  // A validator that applies defaults would reset every field that an update or replacement omits.
  const schema = withUsedDefinitions(mode === 'insert' ? described : withoutDefaults(described))
  deepFreeze(schema)
  return schema
}

/** The JSON Schema of a table's key. */
export function describeKey({ key }: TableModel, record: JsonSchema): JsonSchema {
  const properties = record['properties'] as Properties
  const schema = withUsedDefinitions({
    $schema: record['$schema'],
    type: 'object',
    properties: Object.fromEntries(key.map((name) => [name, properties[name]])),
    required: [...key],
    additionalProperties: false,
    ...(record['$defs'] !== undefined && { $defs: record['$defs'] }),
  })
  deepFreeze(schema)
  return schema
}

class InputDescriber {
  readonly #mode: Exclude<Mode, 'record'>
  readonly #definitions: Properties
  readonly #columns: ReadonlyMap<string, Column>
  readonly #groups: ReadonlySet<string>

  constructor({ columns, groups }: TableModel, record: JsonSchema, mode: Exclude<Mode, 'record'>) {
    this.#mode = mode
    this.#definitions = (record['$defs'] ?? {}) as Properties
    this.#columns = new Map(columns.map((it) => [it.path, it]))
    this.#groups = new Set(groups.map((it) => it.path))
  }

  describe(properties: readonly (readonly [string, JsonSchema])[], object: JsonSchema, prefix: string): JsonSchema {
    const required = (object['required'] ?? []) as readonly string[]
    const isTop = prefix === ''
    return {
      properties: Object.fromEntries(
        properties.map(([name, schema]) => {
          const inner = this.#groups.has(prefix + name) ? this.#describeGroup(schema, `${prefix}${name}.`) : schema
          return [name, required.includes(name) ? inner : nullable(inner)]
        }),
      ),
      required: properties
        .map(([name]) => name)
        .filter((name) => required.includes(name) && this.#isRequired(this.#columns.get(prefix + name), isTop)),
    }
  }

  #describeGroup({ $ref, ...schema }: JsonSchema, prefix: string): JsonSchema {
    const object = typeof $ref === 'string' ? this.#resolve($ref) : schema
    const properties = Object.entries(object['properties'] as Properties)
    return { ...object, ...schema, ...this.describe(properties, object, prefix) }
  }

  #resolve(reference: string): JsonSchema {
    const found = this.#definitions[reference.slice('#/$defs/'.length)]!
    return typeof found['$ref'] === 'string' ? this.#resolve(found['$ref']) : found
  }

  /** Fields without their own column (objects and ignored fields) are treated like columns without a default. */
  #isRequired(column: Column | undefined, isTop: boolean): boolean {
    if (isTop && this.#mode === 'update') return column?.key === true
    if (isTop && column?.generated) return false
    return this.#mode !== 'insert' || column?.default === undefined
  }
}

function nullable(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'null' }] }
}

/** Removes the keyword `default` at all levels. Fields named `default` stay: `properties` contains names, not keywords. */
function withoutDefaults(schema: JsonSchema): JsonSchema {
  const { default: _, ...kept } = mapSchemas(schema, withoutDefaults)
  return kept
}

/** Keeps only the definitions that the schema references directly or indirectly. */
function withUsedDefinitions({ $defs, ...schema }: JsonSchema): JsonSchema {
  if ($defs === undefined) return schema
  const definitions = $defs as Properties
  const used = new Set<string>()
  const collect = (inner: JsonSchema): JsonSchema => {
    const name = typeof inner['$ref'] === 'string' ? inner['$ref'].slice('#/$defs/'.length) : undefined
    if (name !== undefined && !used.has(name)) {
      used.add(name)
      collect(definitions[name]!)
    }
    return mapSchemas(inner, collect)
  }
  collect(schema)
  const kept = Object.entries(definitions).filter(([name]) => used.has(name))
  return kept.length === 0 ? schema : { ...schema, $defs: Object.fromEntries(kept) }
}

/** Replaces each direct subschema. */
function mapSchemas(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const changed: Record<string, unknown> = { ...schema }
  for (const keyword of ['properties', '$defs']) {
    const inner = schema[keyword] as Properties | undefined
    if (inner) changed[keyword] = Object.fromEntries(Object.entries(inner).map(([name, it]) => [name, change(it)]))
  }
  for (const keyword of ['anyOf', 'allOf']) {
    const inner = schema[keyword] as readonly JsonSchema[] | undefined
    if (inner) changed[keyword] = inner.map(change)
  }
  if (schema['items']) changed['items'] = change(schema['items'] as JsonSchema)
  return changed
}
