import type { MediaType, OpenApiDocument, Operation, Parameter, RequestBody, Response } from '../document.ts'
import { follow, textOf } from './alternatives.ts'
import type { Comparison } from './change.ts'
import { diffSchemas } from './diff-schemas.ts'

type Content = Readonly<Record<string, MediaType>>

/** An operation with its path. */
export interface DiffedOperation extends Omit<Operation, 'responses'> {
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly responses?: Operation['responses']
}

/** A parameter in any OpenAPI document, not only in ours. */
type AnyParameter = Parameter & {
  readonly style?: string
  readonly explode?: boolean
  readonly content?: Content
}

/** Collects the changes of an operation. */
export function diffOperations(comparison: Comparison, before: DiffedOperation, after: DiffedOperation): void {
  const { found } = comparison
  diffParameters(comparison, before, after)
  diffBodies(comparison, before.requestBody, after.requestBody)
  diffResponses(comparison, before.responses ?? {}, after.responses ?? {})
  diffSecurity(comparison, before, after)
  if (after.deprecated && !before.deprecated) found.add(false, 'the operation is deprecated')
  if (before.operationId !== after.operationId) {
    found.add(
      false,
      `its id was \`${before.operationId}\` and is now \`${after.operationId}\`: generated clients rename it`,
    )
  }
}

function diffParameters(comparison: Comparison, before: DiffedOperation, after: DiffedOperation): void {
  const { found } = comparison
  const old = keyed(comparison.before, before)
  const current = keyed(comparison.after, after)
  for (const [key, parameter] of old) {
    const next = current.get(key)
    const label = `the ${parameter.in} parameter \`${parameter.name}\``
    if (!next) {
      found.add(true, `${label} is no longer accepted`)
      continue
    }
    if (next.required && !parameter.required) found.add(true, `${label} is now required`)
    if (!next.required && parameter.required) found.add(false, `${label} is now optional`)
    if (serializationOf(next) !== serializationOf(parameter)) found.add(true, `${label} is now serialized differently`)
    diffSchemas(comparison, schemaOf(parameter), schemaOf(next), { direction: 'request', place: label })
  }
  for (const [key, { in: place, name, required }] of current) {
    if (!old.has(key))
      found.add(required === true, `the ${place} parameter \`${name}\` is new${required ? ' and required' : ''}`)
  }
}

/** Parameters by place and name. Path parameters go by position, since their names do not matter. */
function keyed(document: OpenApiDocument, { path, parameters }: DiffedOperation): Map<string, AnyParameter> {
  const inPath = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name!)
  return new Map(
    parameters.map((reference) => {
      const it = follow(document, reference)
      if (it.in === 'path' && inPath.includes(it.name)) return [`path ${inPath.indexOf(it.name)}`, it]
      return [`${it.in} ${it.in === 'header' ? it.name.toLowerCase() : it.name}`, it]
    }),
  )
}

/** The serialization of a parameter, with the defaults of OpenAPI 3.1 §4.8.12.2. */
function serializationOf({ in: place, style, explode, content }: AnyParameter): string {
  const own = style ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple')
  return content ? Object.keys(content).join() : `${own} ${explode ?? own === 'form'}`
}

function schemaOf({ schema, content }: AnyParameter): unknown {
  return schema ?? Object.values(content ?? {})[0]?.schema ?? {}
}

function diffBodies(comparison: Comparison, old: RequestBody | undefined, current: RequestBody | undefined): void {
  const { found } = comparison
  const before = old && follow(comparison.before, old)
  const after = current && follow(comparison.after, current)
  if (!before && !after) return
  if (!before) {
    found.add(after!.required === true, `a body is now accepted${after!.required ? ' and required' : ''}`)
  } else if (!after) {
    found.add(true, 'the body is no longer accepted')
  } else {
    if (after.required && !before.required) found.add(true, 'the body is now required')
    if (!after.required && before.required) found.add(false, 'the body is now optional')
    diffContent(comparison, before.content, after.content, 'request', 'the body')
  }
}

function diffResponses(
  comparison: Comparison,
  before: NonNullable<Operation['responses']>,
  after: NonNullable<Operation['responses']>,
): void {
  const { found } = comparison
  const compared = new Set<string>()
  for (const [status, reference] of Object.entries(before)) {
    const next = counterpartsOf(status, Object.keys(after))
    if (next.length === 0) found.add(status.startsWith('2'), `the response ${status} was removed`)
    for (const key of next) {
      compared.add(key)
      if (key !== status) found.add(false, `the response ${status} is now documented as ${key}`)
      const old = follow(comparison.before, reference) as Response
      const current = follow(comparison.after, after[key]!) as Response
      diffContent(comparison, old.content ?? {}, current.content ?? {}, 'response', `the response ${key}`)
      diffHeaders(comparison, old.headers ?? {}, current.headers ?? {}, `the response ${key}`)
    }
  }
  for (const status of Object.keys(after).filter((it) => !compared.has(it))) {
    found.add(false, `the response ${status} is new`)
  }
}

/** The statuses that document a response now: its own, its range or, for a range, those inside it. */
function counterpartsOf(status: string, statuses: readonly string[]): string[] {
  if (statuses.includes(status)) return [status]
  const range = `${status[0]}XX`
  return statuses.filter((it) => (status === range ? /^\d/.test(it) && it[0] === status[0] : it === range))
}

function diffHeaders({ found }: Comparison, before: object, after: object, place: string): void {
  const lower = (headers: object): Set<string> => new Set(Object.keys(headers).map((it) => it.toLowerCase()))
  const [old, current] = [lower(before), lower(after)]
  for (const name of Object.keys(before).filter((it) => !current.has(it.toLowerCase()))) {
    found.add(true, `the header \`${name}\` of ${place} was removed`)
  }
  for (const name of Object.keys(after).filter((it) => !old.has(it.toLowerCase()))) {
    found.add(false, `the header \`${name}\` of ${place} is new`)
  }
}

function diffContent(
  comparison: Comparison,
  before: Content,
  after: Content,
  direction: 'request' | 'response',
  place: string,
): void {
  for (const [type, { schema }] of Object.entries(before)) {
    const next = after[type]
    if (!next) comparison.found.add(true, `${place} is no longer ${type}`)
    else diffSchemas(comparison, schema ?? {}, next.schema ?? {}, { direction, place })
  }
  for (const type of Object.keys(after).filter((it) => !Object.hasOwn(before, it))) {
    comparison.found.add(false, `${place} may now be ${type}`)
  }
}

function diffSecurity({ before, after, found }: Comparison, old: DiffedOperation, current: DiffedOperation): void {
  const alternatives = (old.security ?? before.security ?? []).map((it) => credentialsOf(before, it))
  const wanted = current.security ?? after.security ?? []
  const next = wanted.map((it) => credentialsOf(after, it))
  const isOpen = next.length === 0 || next.some((it) => it.size === 0)
  const wasOpen = alternatives.length === 0
  if (isOpen && !wasOpen) found.add(false, 'it is now public')
  if (isOpen) return
  // Credentials that were enough before must still be enough: the new requirement asks for no other scheme or scope.
  const stillEnough = alternatives.every((had) =>
    next.some((asked) =>
      [...asked].every(([key, scopes]) => scopes.every((it) => had.get(key)?.includes(it)) && had.has(key)),
    ),
  )
  const names = wanted.map((it) => Object.keys(it).join(' and ')).join(' or ')
  if (wasOpen || !stillEnough) found.add(true, `it now requires ${names}`)
}

/** The credentials of a requirement, by the content of the scheme rather than by its name. */
function credentialsOf(
  { components }: OpenApiDocument,
  requirement: Readonly<Record<string, readonly string[]>>,
): Map<string, readonly string[]> {
  const schemes = components?.securitySchemes ?? {}
  return new Map(
    Object.entries(requirement).map(([name, scopes]) => {
      const scheme = Object.hasOwn(schemes, name) ? (schemes[name] as Readonly<Record<string, unknown>>) : undefined
      if (!scheme) return [name, scopes]
      const { type, scheme: kind, in: place, name: key, openIdConnectUrl } = scheme
      return [textOf([type, textOf(kind ?? '').toLowerCase(), place, key, openIdConnectUrl]), scopes]
    }),
  )
}
