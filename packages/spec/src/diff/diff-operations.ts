import type { MediaType, OpenApiDocument, Operation, Parameter, RequestBody, Response } from '../document.ts'
import { follow, textOf } from './alternatives.ts'
import type { Comparison } from './change.ts'
import { diffSchemas } from './diff-schemas.ts'

type Content = Readonly<Record<string, MediaType>>

/** An operation with the path that it stands under. */
export interface DiffedOperation extends Omit<Operation, 'responses'> {
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly responses?: Operation['responses']
}

/** A parameter as any description may tell it, not only ours. */
type ToldParameter = Parameter & {
  readonly style?: string
  readonly explode?: boolean
  readonly content?: Content
}

/** What changed in an operation. */
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
      `its id was \`${before.operationId}\` and is \`${after.operationId}\`: generated clients rename it`,
    )
  }
}

function diffParameters(comparison: Comparison, before: DiffedOperation, after: DiffedOperation): void {
  const { found } = comparison
  const old = keyed(comparison.before, before)
  const current = keyed(comparison.after, after)
  for (const [key, parameter] of old) {
    const next = current.get(key)
    const told = `${parameter.in} parameter \`${parameter.name}\``
    if (!next) {
      found.add(true, `the ${told} is no longer taken`)
      continue
    }
    if (next.required && !parameter.required) found.add(true, `the ${told} is required now`)
    if (!next.required && parameter.required) found.add(false, `the ${told} is optional now`)
    if (writtenAs(next) !== writtenAs(parameter)) found.add(true, `the ${told} is written in another way now`)
    diffSchemas(comparison, schemaOf(parameter), schemaOf(next), { direction: 'request', place: `the ${told}` })
  }
  for (const [key, { in: place, name, required }] of current) {
    if (!old.has(key))
      found.add(required === true, `the ${place} parameter \`${name}\` is new${required ? ' and required' : ''}`)
  }
}

/** Parameters by place and name; those of the path by their position in it, since their names are free. */
function keyed(document: OpenApiDocument, { path, parameters }: DiffedOperation): Map<string, ToldParameter> {
  const inPath = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name!)
  return new Map(
    parameters.map((reference) => {
      const it = follow(document, reference)
      if (it.in === 'path' && inPath.includes(it.name)) return [`path ${inPath.indexOf(it.name)}`, it]
      return [`${it.in} ${it.in === 'header' ? it.name.toLowerCase() : it.name}`, it]
    }),
  )
}

/** How a value becomes text, with what counts where nothing is said (OpenAPI 3.1 §4.8.12.2). */
function writtenAs({ in: place, style, explode, content }: ToldParameter): string {
  const own = style ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple')
  return content ? Object.keys(content).join() : `${own} ${explode ?? own === 'form'}`
}

function schemaOf({ schema, content }: ToldParameter): unknown {
  return schema ?? Object.values(content ?? {})[0]?.schema ?? {}
}

function diffBodies(comparison: Comparison, old: RequestBody | undefined, current: RequestBody | undefined): void {
  const { found } = comparison
  const before = old && follow(comparison.before, old)
  const after = current && follow(comparison.after, current)
  if (!before && !after) return
  if (!before) {
    found.add(after!.required === true, `a body is taken now${after!.required ? ' and required' : ''}`)
  } else if (!after) {
    found.add(true, 'the body is no longer taken')
  } else {
    if (after.required && !before.required) found.add(true, 'the body is required now')
    if (!after.required && before.required) found.add(false, 'the body is optional now')
    diffContent(comparison, before.content, after.content, 'request', 'the body')
  }
}

function diffResponses(
  comparison: Comparison,
  before: NonNullable<Operation['responses']>,
  after: NonNullable<Operation['responses']>,
): void {
  const { found } = comparison
  const told = new Set<string>()
  for (const [status, reference] of Object.entries(before)) {
    const next = standIns(status, Object.keys(after))
    if (next.length === 0) found.add(status.startsWith('2'), `the answer ${status} is gone`)
    for (const key of next) {
      told.add(key)
      if (key !== status) found.add(false, `the answer ${status} is told as ${key} now`)
      const old = follow(comparison.before, reference) as Response
      const current = follow(comparison.after, after[key]!) as Response
      diffContent(comparison, old.content ?? {}, current.content ?? {}, 'response', `the answer ${key}`)
      diffHeaders(comparison, old.headers ?? {}, current.headers ?? {}, `the answer ${key}`)
    }
  }
  for (const status of Object.keys(after).filter((it) => !told.has(it))) {
    found.add(false, `the answer ${status} is new`)
  }
}

/** Where an answer is told now: under its status, under a range of them, or, for a range, under those inside it. */
function standIns(status: string, statuses: readonly string[]): string[] {
  if (statuses.includes(status)) return [status]
  const range = `${status[0]}XX`
  return statuses.filter((it) => (status === range ? /^\d/.test(it) && it[0] === status[0] : it === range))
}

function diffHeaders({ found }: Comparison, before: object, after: object, place: string): void {
  const lower = (headers: object): Set<string> => new Set(Object.keys(headers).map((it) => it.toLowerCase()))
  const [old, current] = [lower(before), lower(after)]
  for (const name of Object.keys(before).filter((it) => !current.has(it.toLowerCase()))) {
    found.add(true, `the header \`${name}\` of ${place} is gone`)
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
    comparison.found.add(false, `${place} may be ${type} now`)
  }
}

function diffSecurity({ before, after, found }: Comparison, old: DiffedOperation, current: DiffedOperation): void {
  const alternatives = (old.security ?? before.security ?? []).map((it) => shown(before, it))
  const wanted = current.security ?? after.security ?? []
  const next = wanted.map((it) => shown(after, it))
  const isOpen = next.length === 0 || next.some((it) => it.size === 0)
  const wasOpen = alternatives.length === 0
  if (isOpen && !wasOpen) found.add(false, 'everybody may call it now')
  if (isOpen) return
  // What was enough before has to be enough now: every scheme and scope that is asked for was shown before.
  const stillEnough = alternatives.every((had) =>
    next.some((asked) =>
      [...asked].every(([key, scopes]) => scopes.every((it) => had.get(key)?.includes(it)) && had.has(key)),
    ),
  )
  const names = wanted.map((it) => Object.keys(it).join(' and ')).join(' or ')
  if (wasOpen || !stillEnough) found.add(true, `it asks for ${names} now`)
}

/** What a caller has to show, by what it is rather than by the name it goes by. */
function shown(
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
