import type { JsonSchema } from '@portico/schema/runtime'
import type { ResolvedType } from '../types.ts'

/**
 * Turns each nested object into a definition named after its place: `TaskInsertPlace`. Clients get a named type for it,
 * and some client generators fail on inline objects that are optional and have optional fields.
 */
export function shareGroups(type: ResolvedType): ResolvedType {
  if (type.kind !== 'schema' && type.kind !== 'json-schema') return type
  const { name, jsonSchema } = type.kind === 'schema' ? type.schema : { name: type.name, jsonSchema: type.schema }
  if (name === undefined) return type
  const groups: Record<string, JsonSchema> = {}
  const schema = shareIn(jsonSchema, name, groups)
  if (Object.keys(groups).length === 0) return type
  const $defs = { ...(schema['$defs'] as object | undefined), ...groups }
  return { kind: 'json-schema', name, schema: { ...schema, $defs } }
}

function shareIn(object: JsonSchema, name: string, groups: Record<string, JsonSchema>): JsonSchema {
  const properties = Object.entries((object['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>)
  const share = (schema: JsonSchema, inner: string): JsonSchema => {
    if (isGroup(schema)) {
      groups[inner] = shareIn(schema, inner, groups)
      return { $ref: `#/$defs/${inner}` }
    }
    const options = schema['anyOf'] as readonly JsonSchema[] | undefined
    return options?.some(isGroup) ? { ...schema, anyOf: options.map((it) => share(it, inner)) } : schema
  }
  const shared = properties.map(([field, schema]) => [field, share(schema, name + capitalize(field))])
  return { ...object, properties: Object.fromEntries(shared) }
}

function isGroup(schema: JsonSchema): boolean {
  return schema['type'] === 'object' && schema['properties'] !== undefined
}

function capitalize(field: string): string {
  return field.charAt(0).toUpperCase() + field.slice(1)
}
