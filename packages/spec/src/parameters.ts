import { describeType, type InputDefinition, resolveType } from '@portico/http'
import type { Context } from './context.ts'
import type { Parameter, SchemaObject } from './document.ts'
import { SpecError } from './errors.ts'
import { describeExamples } from './examples.ts'
import type { DescribedRoute } from './routes.ts'
import { isObject } from './shared/objects.ts'
import type { SpecParamEntry, TSpecMate } from './spec-mate.ts'

/** Headers that OpenAPI describes by other means; as parameters they are ignored (OpenAPI 3.1 §4.8.12). */
const ignoredHeaders: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization'])

/** The parameters of an operation, without duplicates. The document's `path` may have other names for the path parameters. */
export function describeParameters(described: DescribedRoute, path: string, context: Context): Parameter[] {
  const { route, controller, handler, parameters } = described
  const found = new Map<string, Parameter>()
  const add = (parameter: Parameter): void => {
    const key = `${parameter.in} ${parameter.name}`
    if (parameter.in === 'header' && ignoredHeaders.has(parameter.name.toLowerCase())) return
    const before = found.get(key)
    found.set(key, before ? { ...before, ...parameter } : parameter)
  }
  // OpenAPI requires every path parameter, even if the handler does not use it.
  for (const name of parameters) add(plainParameter(name))
  for (const input of route.inputs) for (const it of describeInput(input, described.place, context)) add(it)
  const exists = (entry: SpecParamEntry): boolean => entry.in !== 'path' || parameters.includes(entry.name)
  const unknown = handler.specParams?.find((it) => !exists(it))
  if (unknown) {
    const message = `@SpecParam of ${described.place}: path parameter \`${unknown.name}\` is not in the path`
    throw new SpecError('OPTIONS_INVALID', message)
  }
  // A controller's entry applies to those of its paths that have the parameter.
  for (const entry of [...(controller.specParams ?? []).filter(exists), ...(handler.specParams ?? [])]) {
    add(describeEntry(entry, found.get(`${entry.in} ${entry.name}`), described.place, context))
  }
  const all = [...found.values()]
  const hasSameNames = path === described.path && !parameters.includes('*')
  return hasSameNames ? all : renamePathParameters(all, parameters, namesIn(path))
}

function plainParameter(name: string): Parameter {
  return { name, in: 'path', required: true, schema: { type: 'string' } }
}

function describeInput(input: InputDefinition, route: string, context: Context): Parameter[] {
  if (input.in === 'body' || input.in === 'request') return []
  if (input.name === undefined) return describeWholeQuery(input, route, context)
  const { label, description, specExamples } = input.metadata as TSpecMate
  const declared = describeType(input.type) ?? {}
  const shown = description ?? textUnder(declared, 'description')
  const more = { ...(label !== undefined && { title: label }), ...(description !== undefined && { description }) }
  return [
    {
      name: input.name,
      in: input.in,
      ...(shown !== undefined && { description: shown }),
      ...(input.required && { required: true }),
      ...(declared['deprecated'] === true && { deprecated: true }),
      schema: context.components.schemaOf(input.type, `${input.in} parameter \`${input.name}\` of ${route}`, more),
      ...describeExamples(specExamples),
    },
  ]
}

/** A whole query becomes one parameter per field. If its fields are unknown, one object with any fields. */
function describeWholeQuery(input: InputDefinition, route: string, { components }: Context): Parameter[] {
  const whole = describeType(input.type) ?? {}
  const object = resolveDefinition(whole, whole)
  const properties = object['properties']
  if (!isObject(properties)) {
    return [{ name: 'query', in: 'query', schema: { type: 'object', additionalProperties: true } }]
  }
  const required = (object['required'] ?? []) as readonly string[]
  return Object.entries(properties as Record<string, SchemaObject>).map(([name, property]) => {
    const description = textUnder(property, 'description')
    return {
      name,
      in: 'query',
      ...(description !== undefined && { description }),
      ...(input.required && required.includes(name) && { required: true }),
      ...(property['deprecated'] === true && { deprecated: true }),
      schema: components.schemaOfPart(property, whole, `the query of ${route}`),
    }
  })
}

function describeEntry(
  entry: SpecParamEntry,
  before: Parameter | undefined,
  route: string,
  { components }: Context,
): Parameter {
  const { name, description, deprecated, type, required = before?.required ?? false } = entry
  const place = `@SpecParam \`${name}\` of ${route}`
  const schema = type === undefined ? before?.schema : components.schemaOf(resolveType(type, place), place)
  return {
    ...before,
    name,
    in: entry.in,
    ...(description !== undefined && { description }),
    ...((entry.in === 'path' || required) && { required: true }),
    ...(deprecated && { deprecated }),
    schema: schema ?? { type: 'string' },
  }
}

function renamePathParameters(parameters: Parameter[], own: readonly string[], shown: readonly string[]): Parameter[] {
  const renamed = new Map(own.map((name, index) => [name, shown[index]!]))
  return parameters.map((it) => (it.in === 'path' ? { ...it, name: renamed.get(it.name) ?? it.name } : it))
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name!)
}

function resolveDefinition(schema: SchemaObject, root: SchemaObject): SchemaObject {
  const { $ref } = schema
  if (typeof $ref !== 'string') return schema
  const found = ((root['$defs'] ?? {}) as Readonly<Record<string, SchemaObject>>)[$ref.slice('#/$defs/'.length)]
  return found ? resolveDefinition(found, root) : schema
}

function textUnder(schema: SchemaObject, keyword: string): string | undefined {
  const text = schema[keyword]
  return typeof text === 'string' ? text : undefined
}
