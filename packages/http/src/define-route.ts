import { isPreset } from './bind/convert.ts'
import { checkOptions } from './check-options.ts'
import type { HttpReply } from './reply.ts'
import type { HttpRequest } from './request.ts'
import {
  type AnswerProblem,
  type Guard,
  type HttpMethod,
  type InputDefinition,
  joinPath,
  type Metadata,
  type ResponseDefinition,
  type RouteDefinition,
} from './route.ts'
import { anyFunction, anything, expecting, listOf } from './shared/option-checks.ts'
import { defined, type OptionRules, required } from './shared/options.ts'
import { isOptional, type OptionalType, resolveType, type TypeOf, type TypeToken } from './types.ts'

type InputToken = TypeToken | OptionalType<TypeToken>
type InputTokens = Readonly<Record<string, InputToken>>

/** The values that tokens stand for, optional ones with a `?`. */
export type InputsOf<T> = {
  readonly [K in keyof T as T[K] extends OptionalType<TypeToken> ? never : K]: TypeOf<T[K]>
} & {
  readonly [K in keyof T as T[K] extends OptionalType<TypeToken> ? K : never]?: Exclude<TypeOf<T[K]>, undefined>
}

/** What the handler of {@link defineRoute} gets. */
export interface RouteInput<P, Q, H, B> {
  readonly params: InputsOf<P>
  readonly query: InputsOf<Q>
  readonly headers: InputsOf<H>
  readonly body: TypeOf<B>
  readonly request: HttpRequest
}

type Answer<R> = R extends TypeToken ? TypeOf<R> | HttpReply : unknown

export interface RouteOptions<P, Q, H, B, R> {
  readonly method: HttpMethod
  /** With parameters as `:name`. */
  readonly path: string
  readonly params?: P
  readonly query?: Q
  /** By their names in lower case. */
  readonly headers?: H
  readonly body?: B
  /** Content types of the body. Default `application/json`. */
  readonly consumes?: readonly string[]
  /** What the handler answers. */
  readonly returns?: R
  /** Default 200, or 204 when the handler returns nothing. */
  readonly status?: number
  readonly guards?: readonly Guard[]
  readonly label?: string
  readonly description?: string
  readonly id?: string
  /** Further keys for the API description. */
  readonly metadata?: Metadata
  /** Answers problems in words of its own, such as a page. Default: `application/problem+json`. */
  readonly answerProblem?: AnswerProblem
  readonly handler: (input: RouteInput<P, Q, H, B>) => Answer<R> | Promise<Answer<R>>
}

const optionRules: OptionRules<RouteOptions<unknown, unknown, unknown, unknown, unknown>> = {
  method: anything,
  path: required(expecting('a path', (value) => typeof value === 'string')),
  params: anything,
  query: anything,
  headers: anything,
  body: anything,
  consumes: anything,
  returns: anything,
  status: anything,
  guards: defined(listOf(anyFunction, 'a list of functions')),
  label: anything,
  description: anything,
  id: anything,
  metadata: anything,
  answerProblem: anything,
  handler: required(anyFunction),
}

type Empty = Record<never, never>

/**
 * Makes a route without decorators. The handler's input is typed by what the route says of it.
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
  const P extends InputTokens = Empty,
  const Q extends InputTokens = Empty,
  const H extends InputTokens = Empty,
  const B extends InputToken | undefined = undefined,
  const R extends TypeToken | undefined = undefined,
>(options: RouteOptions<P, Q, H, B, R>): RouteDefinition {
  checkOptions(options, optionRules, describePlace(options))
  const { method, label, description, id, handler } = options
  const path = joinPath('/', options.path)
  const groups = { params: options.params ?? {}, query: options.query ?? {}, headers: options.headers ?? {} }
  const inputs = readInputs(groups, options.body, `${method} ${path}`)
  const assemble = createAssemble(groups, options.body !== undefined)
  return Object.freeze({
    kind: 'route',
    method,
    path,
    inputs,
    consumes: options.consumes ?? ['application/json'],
    ...(options.status !== undefined && { status: options.status }),
    responses: readResponses(`${method} ${path}`, options.returns, options.status),
    guards: options.guards ?? [],
    controllerMetadata: {},
    metadata: {
      ...options.metadata,
      ...(label !== undefined && { label }),
      ...(description !== undefined && { description }),
      ...(id !== undefined && { id }),
    },
    source: { controller: 'defineRoute', handler: handler.name === 'handler' ? `${method} ${path}` : handler.name },
    ...(options.answerProblem && { answerProblem: options.answerProblem }),
    handler: (values, request) => handler(assemble(values, request) as RouteInput<P, Q, H, B>),
  } satisfies RouteDefinition)
}

function describePlace({ method, path }: Partial<Record<'method' | 'path', unknown>> = {}): string {
  return `defineRoute(${String(method)} ${String(path)})`
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
  return { type, required: !isOptional(token) && !isPreset(from, type) }
}

/** Puts bound values back under their names, in the order of {@link readInputs}. */
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
  return returns === undefined ? [] : [{ status, type: resolveType(returns, `what ${place} returns`) }]
}
