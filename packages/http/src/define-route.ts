import { hasDefault } from './bind/convert.ts'
import { checkOptions } from './check-options.ts'
import { RouteError } from './errors.ts'
import { isGuardOrList, readGuardOption, readPath, toGuardList } from './option-aliases.ts'
import type { HttpReply } from './reply.ts'
import type { HttpRequest } from './request.ts'
import {
  type AnswerProblem,
  type DescribingMetadata,
  type Guards,
  type HttpMethod,
  type InputDefinition,
  joinPath,
  type Metadata,
  type ResponseDefinition,
  type RouteDefinition,
} from './route.ts'
import { anyFunction, anything, expecting } from './shared/option-checks.ts'
import { defined, type OptionRules, required } from './shared/options.ts'
import { isOptional, type OptionalType, resolveType, type TypeOf, type TypeToken } from './types.ts'

type InputToken = TypeToken | OptionalType<TypeToken>
type InputTokens = Readonly<Record<string, InputToken>>

/** The values of type tokens by name. Optional tokens become optional properties. */
export type InputsOf<Tokens> = {
  readonly [Name in keyof Tokens as Tokens[Name] extends OptionalType<TypeToken> ? never : Name]: TypeOf<Tokens[Name]>
} & {
  readonly [Name in keyof Tokens as Tokens[Name] extends OptionalType<TypeToken> ? Name : never]?: Exclude<
    TypeOf<Tokens[Name]>,
    undefined
  >
}

/** The input of a {@link defineRoute} handler. */
export interface RouteInput<Params, Query, Headers, Body> {
  readonly params: InputsOf<Params>
  readonly query: InputsOf<Query>
  readonly headers: InputsOf<Headers>
  readonly body: TypeOf<Body>
  readonly request: HttpRequest
}

type Answer<Returns> = Returns extends TypeToken ? TypeOf<Returns> | HttpReply : unknown

/** The path of a route, with parameters as `:name`. `path` and `route` are two names for the same option. */
export type RoutePath =
  | { readonly path: string; readonly route?: string | undefined }
  | { readonly route: string; readonly path?: string | undefined }

export interface RouteSettings<Params, Query, Headers, Body, Returns> {
  readonly method: HttpMethod
  readonly params?: Params | undefined
  readonly query?: Query | undefined
  /** By their names in lower case. */
  readonly headers?: Headers | undefined
  readonly body?: Body | undefined
  /** Content types of the body. Default `application/json`. */
  readonly consumes?: readonly string[] | undefined
  /** The type of the response. */
  readonly returns?: Returns | undefined
  /** Default 200, or 204 when the handler returns nothing. */
  readonly status?: number | undefined
  /** One guard or a list, run in order before the input is read. `undefined` is refused: it would leave the route open. */
  readonly guards?: Guards
  /** Another name for `guards`. */
  readonly guard?: Guards
  readonly label?: string | undefined
  readonly description?: string | undefined
  readonly id?: string | undefined
  /** Further keys for the API description. */
  readonly metadata?: Metadata | undefined
  /** Turns a problem into a response of your own, such as a page. Default: `application/problem+json`. */
  readonly answerProblem?: AnswerProblem | undefined
  readonly handler: (input: RouteInput<Params, Query, Headers, Body>) => Answer<Returns> | Promise<Answer<Returns>>
}

export type RouteOptions<Params, Query, Headers, Body, Returns> = RouteSettings<Params, Query, Headers, Body, Returns> &
  RoutePath

const path = expecting('a path', (value) => typeof value === 'string')
const guards = defined(expecting('a function or a list of functions', isGuardOrList))

const optionRules: OptionRules<RouteOptions<unknown, unknown, unknown, unknown, unknown>> = {
  method: anything,
  path,
  route: path,
  params: anything,
  query: anything,
  headers: anything,
  body: anything,
  consumes: anything,
  returns: anything,
  status: anything,
  guards,
  guard: guards,
  label: anything,
  description: anything,
  id: anything,
  metadata: anything,
  answerProblem: anything,
  handler: required(anyFunction),
}

type Empty = Record<never, never>

/**
 * Creates a route without decorators. The types of the handler's input follow from the options.
 *
 * ```ts
 * const greet = defineRoute({
 *   method: 'GET',
 *   path: '/greet/:name',
 *   params: { name: String },
 *   query: { times: optional(Number) },
 *   returns: String,
 *   handler: ({ params, query }) => `Hello ${params.name}! `.repeat(query.times ?? 1),
 * })
 * ```
 */
export function defineRoute<
  const Params extends InputTokens = Empty,
  const Query extends InputTokens = Empty,
  const Headers extends InputTokens = Empty,
  const Body extends InputToken | undefined = undefined,
  const Returns extends TypeToken | undefined = undefined,
>(options: RouteOptions<Params, Query, Headers, Body, Returns>): RouteDefinition {
  const call = describePlace(options)
  checkOptions(options, optionRules, call)
  const { method, handler } = options
  const given = readPath(options, call)
  if (given === undefined) throw new RouteError('OPTIONS_INVALID', `${call}: \`path\` is required: it must be a path`)
  const path = joinPath('/', given)
  const groups = { params: options.params ?? {}, query: options.query ?? {}, headers: options.headers ?? {} }
  const inputs = readInputs(groups, options.body, `${method} ${path}`)
  const assemble = createAssemble(groups, options.body !== undefined)
  return Object.freeze({
    kind: 'route',
    method,
    path,
    inputs,
    consumes: options.consumes ?? ['application/json'],
    status: options.status,
    responses: readResponses(`${method} ${path}`, options.returns, options.status),
    guards: toGuardList(readGuardOption<Guards>(options, call)),
    controllerMetadata: {},
    metadata: describeMetadata(options),
    source: { controller: 'defineRoute', handler: handler.name === 'handler' ? `${method} ${path}` : handler.name },
    answerProblem: options.answerProblem,
    handler: (values, request) => handler(assemble(values, request) as RouteInput<Params, Query, Headers, Body>),
  } satisfies RouteDefinition)
}

/** Keys without a value are left out, so that they do not replace those of `metadata`. */
function describeMetadata({
  metadata,
  label,
  description,
  id,
}: Partial<DescribingMetadata> & { metadata?: Metadata | undefined }): Metadata {
  const described = Object.entries({ label, description, id }).filter(([, text]) => text !== undefined)
  return { ...metadata, ...Object.fromEntries(described) }
}

function describePlace({ method, path, route }: Partial<Record<'method' | 'path' | 'route', unknown>> = {}): string {
  return `defineRoute(${String(method)} ${String(path ?? route)})`
}

interface Groups {
  readonly params: InputTokens
  readonly query: InputTokens
  readonly headers: InputTokens
}

const places = { params: 'path', query: 'query', headers: 'header' } as const
const groupNames = ['params', 'query', 'headers'] as const

function readInputs(groups: Groups, body: InputToken | undefined, place: string): InputDefinition[] {
  const inputs = groupNames.flatMap((group) =>
    Object.entries(groups[group]).map(([name, token]): InputDefinition => {
      return {
        in: places[group],
        name,
        ...readToken(token, `${group} \`${name}\` of ${place}`, places[group]),
        metadata: {},
      }
    }),
  )
  if (body === undefined) return inputs
  return [...inputs, { in: 'body', ...readToken(body, `the body of ${place}`, 'body'), metadata: {} }]
}

function readToken(
  token: InputToken,
  place: string,
  from: InputDefinition['in'],
): Pick<InputDefinition, 'type' | 'required'> {
  const type = resolveType(isOptional(token) ? token.optional : token, place)
  return { type, required: !isOptional(token) && !hasDefault(from, type) }
}

/** Puts the bound values under their names, in the order of {@link readInputs}. */
function createAssemble(groups: Groups, hasBody: boolean) {
  const names = groupNames.map((group) => Object.keys(groups[group]))
  return (values: readonly unknown[], request: HttpRequest) => {
    let next = 0
    const [params, query, headers] = names.map((group) => {
      const input: Record<string, unknown> = {}
      for (const name of group) {
        const value = values[next++]
        if (value !== undefined) input[name] = value
      }
      return input
    })
    return { params, query, headers, body: hasBody ? values[next] : undefined, request }
  }
}

function readResponses(place: string, returns: TypeToken | undefined, status = 200): ResponseDefinition[] {
  return returns === undefined ? [] : [{ status, type: resolveType(returns, `\`returns\` of ${place}`) }]
}
