import type { Column, TableModel } from '../model.ts'
import type { Mode } from './checks.ts'
import { deepFreeze, type JsonSchema } from './schema.ts'

type Properties = Readonly<Record<string, JsonSchema>>

/** The JSON Schema of a table's input, made from that of its record: the same fields, other rules about their absence. */
export function describeInput(table: TableModel, record: JsonSchema, mode: Exclude<Mode, 'record'>): JsonSchema {
  const navigations = new Set(table.relations.map((it) => it.name))
  const properties = Object.entries(record['properties'] as Properties).filter(([name]) => !navigations.has(name))
  const schema = { ...record, ...new InputDescriber(table, record, mode).describe(properties, record, '') }
  deepFreeze(schema)
  return schema
}

/** The JSON Schema of a table's key. */
export function describeKey({ key }: TableModel, record: JsonSchema): JsonSchema {
  const properties = record['properties'] as Properties
  const schema = {
    $schema: record['$schema'],
    type: 'object',
    properties: Object.fromEntries(key.map((name) => [name, properties[name]])),
    required: [...key],
    additionalProperties: false,
    ...(record['$defs'] !== undefined && { $defs: record['$defs'] }),
  }
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

  /** A field without a column of its own, an object or an ignored one, is required like a column without a default. */
  #isRequired(column: Column | undefined, isTop: boolean): boolean {
    if (isTop && this.#mode === 'update') return column?.key === true
    if (isTop && column?.generated) return false
    return this.#mode !== 'insert' || column?.default === undefined
  }
}

function nullable(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'null' }] }
}
