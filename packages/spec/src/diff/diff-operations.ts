import type { MediaType, Operation, Parameter, RequestBody, Response } from '../document.ts'
import type { Comparison } from './change.ts'
import { diffSchemas, follow } from './diff-schemas.ts'

type Content = Readonly<Record<string, MediaType>>

/** What changed in an operation. */
export function diffOperations(comparison: Comparison, before: Operation, after: Operation): void {
  const { found } = comparison
  diffParameters(comparison, before.parameters ?? [], after.parameters ?? [])
  diffBodies(comparison, before.requestBody, after.requestBody)
  diffResponses(comparison, before.responses, after.responses)
  diffSecurity(comparison, before, after)
  if (after.deprecated && !before.deprecated) found.add(false, 'the operation is deprecated')
  if (before.operationId !== after.operationId) {
    found.add(
      false,
      `its id was \`${before.operationId}\` and is \`${after.operationId}\`: generated clients rename it`,
    )
  }
}

function diffParameters(comparison: Comparison, before: readonly Parameter[], after: readonly Parameter[]): void {
  const { found } = comparison
  const old = keyed(before.map((it) => follow(comparison.before, it)))
  const current = keyed(after.map((it) => follow(comparison.after, it)))
  for (const [key, parameter] of old) {
    const next = current.get(key)
    const told = `${parameter.in} parameter \`${parameter.name}\``
    if (!next) {
      found.add(true, `the ${told} is no longer taken`)
      continue
    }
    if (next.required && !parameter.required) found.add(true, `the ${told} is required now`)
    if (!next.required && parameter.required) found.add(false, `the ${told} is optional now`)
    diffSchemas(comparison, parameter.schema, next.schema, { direction: 'request', place: `the ${told}` })
  }
  for (const [key, { in: place, name, required }] of current) {
    if (!old.has(key))
      found.add(required === true, `the ${place} parameter \`${name}\` is new${required ? ' and required' : ''}`)
  }
}

/** Parameters by place and name; those of the path by position, since their names are free. */
function keyed(parameters: readonly Parameter[]): Map<string, Parameter> {
  let position = 0
  return new Map(
    parameters.map((it) => [it.in === 'path' ? `path ${position++}` : `${it.in} ${it.name.toLowerCase()}`, it]),
  )
}

function diffBodies(comparison: Comparison, before: RequestBody | undefined, after: RequestBody | undefined): void {
  const { found } = comparison
  if (!before && !after) return
  if (!before) {
    found.add(after!.required, `a body is taken now${after!.required ? ' and required' : ''}`)
  } else if (!after) {
    found.add(true, 'the body is no longer taken')
  } else {
    if (after.required && !before.required) found.add(true, 'the body is required now')
    if (!after.required && before.required) found.add(false, 'the body is optional now')
    diffContent(comparison, before.content, after.content, 'request', 'the body')
  }
}

function diffResponses(comparison: Comparison, before: Operation['responses'], after: Operation['responses']): void {
  const { found } = comparison
  for (const [status, response] of Object.entries(before)) {
    const next = after[status]
    if (next === undefined) {
      found.add(status.startsWith('2'), `the answer ${status} is gone`)
      continue
    }
    const [old, current] = [follow(comparison.before, response), follow(comparison.after, next)] as [Response, Response]
    diffContent(comparison, old.content ?? {}, current.content ?? {}, 'response', `the answer ${status}`)
  }
  for (const status of Object.keys(after).filter((it) => !(it in before))) {
    found.add(false, `the answer ${status} is new`)
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
  for (const type of Object.keys(after).filter((it) => !(it in before))) {
    comparison.found.add(false, `${place} may be ${type} now`)
  }
}

function diffSecurity({ before, after, found }: Comparison, old: Operation, current: Operation): void {
  const alternatives = old.security ?? before.security ?? []
  const next = current.security ?? after.security ?? []
  const isOpen = next.length === 0 || next.some((it) => Object.keys(it).length === 0)
  const wasOpen = alternatives.length === 0
  if (isOpen && !wasOpen) found.add(false, 'everybody may call it now')
  if (isOpen) return
  // What was enough before has to be enough now: every scheme and scope that is asked for was shown before.
  const stillEnough = alternatives.every((had) =>
    next.some((asked) =>
      Object.entries(asked).every(([name, scopes]) => scopes.every((it) => had[name]?.includes(it)) && name in had),
    ),
  )
  const wanted = next.map((it) => Object.keys(it).join(' and ')).join(' or ')
  if (wasOpen || !stillEnough) found.add(true, `it asks for ${wanted} now`)
}
