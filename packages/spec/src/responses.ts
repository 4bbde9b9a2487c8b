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
  403: 'The caller is not allowed to do this.',
  413: 'The body is too large.',
  415: 'The operation does not accept this content type.',
  default: 'Any other problem.',
} as const

/** The names of shared problems, by status. */
const problemNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(STATUS_CODES).map(([status, phrase]) => [status, phrase!.replaceAll(/\W/g, '')]),
  ),
  default: 'Problem',
}

/** The responses of an operation by status: its own, and the failures that every operation can have. */
export function describeResponses(described: DescribedRoute, context: Context): Record<string, Response | Reference> {
  const documented = collectAnswers(described)
  const success = documented.find((it) => Number(it.status) < 300)?.status
  const responses = createByStatus<Response | Reference>()
  for (const [status, answers] of groupByStatus(documented)) {
    const response = describeStatus(status, answers, { described, context, isSuccess: status === success })
    responses[status] = (isBareProblem(response, context) && share(status, response, context)) || response
  }
  for (const status of statusesOfFailure(described, context.security.isGuarded(described))) {
    // Nothing is known about the responses of `answerProblem`, except for what the route documents.
    responses[status] ??= described.route.answerProblem
      ? { description: problemTexts[status] }
      : describeFailure(status, context)
  }
  return responses
}

/**
 * An empty object for statuses as keys. V8 stores integer keys in an array with a slot for each smaller number, which
 * takes kilobytes for each operation. After one distant key it switches to a hash table.
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
  const answers: Answer[] = [...route.responses, ...entries.map((it) => readEntry(it, route, place))]
  const wrong = answers.find(
    ({ status }) => !(Number.isInteger(status) && Number(status) >= 100 && Number(status) < 600),
  )
  if (wrong) throw new SpecError('OPTIONS_INVALID', `${place}: ${wrong.status} is not a valid status of a response`)
  // OpenAPI requires a response. Undocumented, it is 200, or 204 when the handler returns nothing.
  return answers.some(({ status }) => Number(status) < 400) ? answers : [{ status: route.status ?? '2XX' }, ...answers]
}

function statusesOfFailure({ route }: DescribedRoute, isGuarded: boolean): (keyof typeof problemTexts)[] {
  const statuses: (keyof typeof problemTexts)[] = []
  if (route.inputs.some((it) => it.in !== 'request')) statuses.push(400)
  if (isGuarded) statuses.push(401, 403)
  if (route.inputs.some((it) => it.in === 'body')) statuses.push(413, 415)
  statuses.push('default')
  return statuses
}

/** Nearly all operations share these failures, so they are described once. */
function describeFailure(status: keyof typeof problemTexts, { components }: Context): Response | Reference {
  const description = problemTexts[status]
  const create = (): Response => ({
    description,
    content: { [problemContent]: { schema: components.schemaOf(problemType, 'every problem') } },
  })
  return components.shareResponse(problemNames[status]!, description, create) ?? create()
}

/** The first description of a status becomes the shared response. */
function share(status: Answer['status'], response: Response, { components }: Context): Reference | undefined {
  const name = problemNames[status] ?? `Status${status}`
  return components.shareResponse(name, response.description, () => response)
}

function readEntry({ type, ...entry }: SpecResponseEntry, { answerProblem }: RouteDefinition, place: string): Answer {
  if (type !== undefined) return { ...entry, type: resolveType(type, `@SpecResponse of ${place}`) }
  // An error response is a problem, unless the route has an `answerProblem`.
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
    addTo(schemas, contentTypeOf(answer)!, context.components.schemaOf(type, `the response ${status} of ${place}`))
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

function addTo<Key, Value>(groups: Map<Key, Value[]>, key: Key, value: Value): void {
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
