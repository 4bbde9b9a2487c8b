import { STATUS_CODES } from 'node:http'
import {
  contentTypeOf,
  problemSchema,
  type ResolvedType,
  type ResponseDefinition,
  type RouteDefinition,
  resolveType,
} from '@portico/http'
import type { Context } from './context.ts'
import type { MediaType, Reference, Response, SchemaObject } from './document.ts'
import { SpecError } from './errors.ts'
import { describeExamples } from './examples.ts'
import type { DescribedRoute } from './routes.ts'
import type { SpecResponseEntry } from './spec-mate.ts'

type Answer = Omit<ResponseDefinition, 'status'> & { readonly status: number | '2XX' | 'default' }

const problemType: ResolvedType = { kind: 'json-schema', name: 'Problem', schema: problemSchema }
const problemContent = 'application/problem+json'

const problemTexts = {
  400: 'The request is not valid.',
  401: 'Nobody is signed in, or the token is not valid.',
  403: 'The one who is signed in may not do this.',
  413: 'The body is too long.',
  415: 'The body is of a content type that is not taken here.',
  default: 'Anything else that went wrong.',
} as const

/** The names of shared problems, by status. */
const problemNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(STATUS_CODES).map(([status, phrase]) => [status, phrase!.replaceAll(/\W/g, '')]),
  ),
  default: 'Problem',
}

/** The answers of an operation by status: what it says itself, and what can fail anywhere. */
export function describeResponses(described: DescribedRoute, context: Context): Record<string, Response | Reference> {
  const told = collectAnswers(described)
  const success = told.find((it) => Number(it.status) < 300)?.status
  const responses = createByStatus<Response | Reference>()
  for (const [status, answers] of groupByStatus(told)) {
    const response = describeStatus(status, answers, { described, context, isSuccess: status === success })
    responses[status] = (isBareProblem(response, context) && share(status, response, context)) || response
  }
  for (const status of statusesOfFailure(described, context.security.isGuarded(described))) {
    // In words of the route's own, of which nothing is known here but what it tells itself.
    responses[status] ??= described.route.answerProblem
      ? { description: problemTexts[status] }
      : describeFailure(status, context)
  }
  return responses
}

/**
 * An empty object for statuses as keys. An engine may keep an array for keys that are numbers, with a place for every
 * number below: kilobytes for each operation. Once it has had a key that is far from the others it keeps a table instead.
 */
function createByStatus<T>(): Record<string, T> {
  const values: Record<string, T | undefined> = { 99999: undefined }
  delete values[99999]
  return values as Record<string, T>
}

function groupByStatus(answers: readonly Answer[]): Map<Answer['status'], Answer[]> {
  const groups = new Map<Answer['status'], Answer[]>()
  for (const it of answers) addTo(groups, it.status, it)
  return groups
}

function collectAnswers({ route, controller, handler, place }: DescribedRoute): Answer[] {
  const entries = [...(controller.specResponses ?? []), ...(handler.specResponses ?? [])]
  const told: Answer[] = [...route.responses, ...entries.map((it) => readEntry(it, route, place))]
  const wrong = told.find(({ status }) => !(Number.isInteger(status) && Number(status) >= 100 && Number(status) < 600))
  if (wrong) throw new SpecError('OPTIONS_INVALID', `${place}: ${wrong.status} is no status of an answer`)
  // An operation has to answer something: without a word on it, 200 or, when its handler returns nothing, 204.
  return told.some(({ status }) => Number(status) < 400) ? told : [{ status: route.status ?? '2XX' }, ...told]
}

function statusesOfFailure({ route }: DescribedRoute, isGuarded: boolean): (keyof typeof problemTexts)[] {
  const statuses: (keyof typeof problemTexts)[] = []
  if (route.inputs.some((it) => it.in !== 'request')) statuses.push(400)
  if (isGuarded) statuses.push(401, 403)
  if (route.inputs.some((it) => it.in === 'body')) statuses.push(413, 415)
  statuses.push('default')
  return statuses
}

/** Nearly every operation fails in the same ways: those are told once. */
function describeFailure(status: keyof typeof problemTexts, { components }: Context): Response | Reference {
  const description = problemTexts[status]
  const create = (): Response => ({
    description,
    content: { [problemContent]: { schema: components.schemaOf(problemType, 'every problem') } },
  })
  return components.shareResponse(problemNames[status]!, description, create) ?? create()
}

/** The first text of a status is the shared one. */
function share(status: Answer['status'], response: Response, { components }: Context): Reference | undefined {
  const name = problemNames[status] ?? `Status${status}`
  return components.shareResponse(name, response.description, () => response)
}

function readEntry({ type, ...entry }: SpecResponseEntry, { answerProblem }: RouteDefinition, place: string): Answer {
  if (type !== undefined) return { ...entry, type: resolveType(type, `@SpecResponse of ${place}`) }
  // What a handler refuses is a problem, whoever tells of it, unless the route has words of its own.
  if (entry.status < 400 || answerProblem) return entry
  return { ...entry, contentType: entry.contentType ?? problemContent, type: problemType }
}

interface StatusContext {
  readonly described: DescribedRoute
  readonly context: Context
  readonly isSuccess: boolean
}

function describeStatus(
  status: Answer['status'],
  answers: readonly Answer[],
  { described: { handler, place }, context, isSuccess }: StatusContext,
): Response {
  const description = answers.findLast((it) => it.description !== undefined)?.description
  const headers: Record<string, string> = {}
  const schemas = new Map<string, SchemaObject[]>()
  for (const answer of answers) {
    Object.assign(headers, answer.headers)
    const { type } = answer
    if (!type) continue
    addTo(schemas, contentTypeOf(answer)!, context.components.schemaOf(type, `the answer ${status} of ${place}`))
  }
  const examples = handler.specExamples?.filter((it) => (it.status === undefined ? isSuccess : it.status === status))
  const content: Record<string, MediaType> = {}
  for (const [media, options] of schemas) {
    content[media] = { schema: options.length === 1 ? options[0]! : { anyOf: options }, ...describeExamples(examples) }
  }
  return {
    description: description ?? STATUS_CODES[status] ?? 'Done.',
    ...(Object.keys(headers).length > 0 && { headers: describeHeaders(headers) }),
    ...(schemas.size > 0 && { content }),
  }
}

function addTo<K, V>(groups: Map<K, V[]>, key: K, value: V): void {
  const group = groups.get(key)
  if (group) group.push(value)
  else groups.set(key, [value])
}

function describeHeaders(headers: Readonly<Record<string, string>>): NonNullable<Response['headers']> {
  const entries = Object.entries(headers).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ])
  return Object.fromEntries(entries) as NonNullable<Response['headers']>
}

function isBareProblem({ headers, content }: Response, { components }: Context): boolean {
  const problem = content?.[problemContent]
  if (!problem || headers || problem.examples || Object.keys(content).length > 1) return false
  return problem.schema?.['$ref'] === components.refTo(problemSchema)
}
