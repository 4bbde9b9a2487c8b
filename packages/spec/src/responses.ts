import { STATUS_CODES } from 'node:http'
import { problemSchema, type ResolvedType, type ResponseDefinition, resolveType } from '@portico/http'
import type { Context } from './context.ts'
import type { MediaType, Reference, Response, SchemaObject } from './document.ts'
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

/** The answers of an operation by status: what it says itself, and what can fail anywhere. */
export function describeResponses(described: DescribedRoute, context: Context): Record<string, Response | Reference> {
  const answers = collectAnswers(described, context)
  const statuses = [...new Set(answers.map((it) => it.status))]
  const success = statuses.find((it) => Number(it) < 300)
  return Object.fromEntries(
    statuses.map((status) => {
      const response = describeStatus(
        answers.filter((it) => it.status === status),
        described,
        context,
        status === success,
      )
      return [String(status), isBareProblem(response) ? shareProblem(status, response, context) : response]
    }),
  )
}

function collectAnswers(described: DescribedRoute, { security }: Context): Answer[] {
  const { route, controller, handler, place } = described
  const entries = [...(controller.specResponses ?? []), ...(handler.specResponses ?? [])]
  const told: Answer[] = [...route.responses, ...entries.map((it) => readEntry(it, place))]
  const isToldAlready = (status: Answer['status']): boolean => told.some((it) => it.status === status)
  // An operation has to answer something: without a word on it, 200 or, when its handler returns nothing, 204.
  const fallback = told.some(({ status }) => Number(status) < 400) ? [] : [{ status: route.status ?? ('2XX' as const) }]
  const failures = statusesOfFailure(described, security.isGuarded(described)).filter((it) => !isToldAlready(it))
  return [...fallback, ...told, ...failures.map(problem)]
}

function statusesOfFailure({ route }: DescribedRoute, isGuarded: boolean): (keyof typeof problemTexts)[] {
  const inputs = route.inputs.filter((it) => it.in !== 'request')
  return [
    ...(inputs.length > 0 ? [400 as const] : []),
    ...(isGuarded ? [401 as const, 403 as const] : []),
    ...(inputs.some((it) => it.in === 'body') ? [413 as const, 415 as const] : []),
    'default',
  ]
}

function problem(status: keyof typeof problemTexts): Answer {
  return { status, type: problemType, contentType: problemContent, description: problemTexts[status] }
}

function readEntry({ type, ...entry }: SpecResponseEntry, place: string): Answer {
  if (type !== undefined) return { ...entry, type: resolveType(type, `@SpecResponse of ${place}`) }
  // What a handler refuses is a problem, whoever tells of it.
  return entry.status >= 400 ? { contentType: problemContent, ...entry, type: problemType } : entry
}

function describeStatus(
  answers: readonly Answer[],
  { handler, place }: DescribedRoute,
  { components }: Context,
  isSuccess: boolean,
): Response {
  const status = answers[0]!.status
  const description = answers.findLast((it) => it.description !== undefined)?.description
  const headers = Object.assign({}, ...answers.map((it) => it.headers)) as Record<string, string>
  const schemas = new Map<string, SchemaObject[]>()
  for (const { type, contentType } of answers) {
    if (!type) continue
    const media = contentType ?? (isText(type) ? 'text/plain' : 'application/json')
    const schema = components.schemaOf(type, `the answer ${status} of ${place}`)
    schemas.set(media, [...(schemas.get(media) ?? []), schema])
  }
  const examples = handler.specExamples?.filter((it) => (it.status === undefined ? isSuccess : it.status === status))
  const content = Object.fromEntries(
    [...schemas].map(([media, options]): [string, MediaType] => [
      media,
      { schema: options.length === 1 ? options[0]! : { anyOf: options }, ...describeExamples(examples) },
    ]),
  )
  return {
    description: description ?? STATUS_CODES[status] ?? 'Done.',
    ...(Object.keys(headers).length > 0 && { headers: describeHeaders(headers) }),
    ...(schemas.size > 0 && { content }),
  }
}

function describeHeaders(headers: Readonly<Record<string, string>>): NonNullable<Response['headers']> {
  const entries = Object.entries(headers).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ])
  return Object.fromEntries(entries) as NonNullable<Response['headers']>
}

/** Bare text is sent as it is, not as JSON. */
function isText(type: ResolvedType): boolean {
  return type.kind === 'json-schema' && type.schema['type'] === 'string'
}

function isBareProblem({ headers, content = {} }: Response): boolean {
  const [[media, { schema, examples } = {}] = []] = Object.entries(content) as [[string, MediaType]?]
  const isProblem = media === problemContent && schema?.['$ref'] === '#/components/schemas/Problem'
  return isProblem && !headers && !examples && Object.keys(content).length === 1
}

/** Nearly every operation fails in the same ways: those are told once. The first text of a status is the shared one. */
function shareProblem(status: Answer['status'], response: Response, { components }: Context): Response | Reference {
  const name = status === 'default' ? 'Problem' : (STATUS_CODES[status] ?? `Status${status}`).replaceAll(/\W/g, '')
  return components.shareResponse(name, response) ? { $ref: `#/components/responses/${name}` } : response
}
