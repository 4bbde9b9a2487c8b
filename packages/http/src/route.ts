import type { AnyTable } from '@portico/schema/runtime'
import type { InputPlace } from './errors.ts'
import type { Problem } from './problem.ts'
import type { HttpReply } from './reply.ts'
import type { HttpRequest, RequestLog } from './request.ts'
import type { ResolvedType } from './types.ts'

export type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/**
 * Decides about a request before its input is looked at. Throwing, best an `HttpError`, or returning `false` (403)
 * refuses it; returning a function is a mistake (500); anything else lets it pass.
 */
export interface Guard {
  (request: HttpRequest): unknown
  /** The security scheme that it asks for, by its name in the API description. */
  readonly security?: string
}

/** One guard, or several that run in this order. */
export type Guards = Guard | readonly Guard[]

/**
 * True when a guard's result refuses the request. A function as the result is a mistake: `@Guard(role)` instead of
 * `@Guard(role('admin'))` would leave the route open.
 */
export function refuses(result: unknown): boolean {
  if (typeof result !== 'function') return result === false
  throw new TypeError('a guard returned a function: call it first, as in @Guard(guard())')
}

/** What the describing decorators say about a controller, handler, parameter or body. Other packages add keys. */
export interface DescribingMetadata {
  readonly label?: string | undefined
  readonly description?: string | undefined
  readonly id?: string | undefined
  readonly optional?: boolean | undefined
  readonly required?: boolean | undefined
}

/** Anything that decorators wrote, by key. */
export type Metadata = DescribingMetadata & Readonly<Record<string, unknown>>

/** Something that a handler gets of the request. */
export interface InputDefinition {
  /** Where it comes from; `request` is the request itself. */
  readonly in: InputPlace | 'request'
  /** The parameter's name; without one, the whole body, or the whole query as an object. */
  readonly name?: string | undefined
  readonly type: ResolvedType
  readonly required: boolean
  /** Whether the handler reads it by itself, so that it is only described here. */
  readonly unbound?: boolean | undefined
  readonly metadata: Metadata
}

export interface ResponseDefinition {
  readonly status: number
  readonly type?: ResolvedType | undefined
  /** Default: `text/plain` for text, `application/json` for anything else. */
  readonly contentType?: string | undefined
  readonly description?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Where a route was written, for people. */
export interface RouteSource {
  readonly controller: string
  readonly handler: string
}

/** How the sources of the routes of tables begin. */
export const TABLE_ROUTES = 'tableController'

/** A route as plain data: the server and the API description both read it. */
export interface RouteDefinition {
  readonly kind: 'route'
  readonly method: HttpMethod
  /** Begins with `/`, does not end with one; parameters are `:name`, a rest is `*`. */
  readonly path: string
  readonly inputs: readonly InputDefinition[]
  /** Content types of the body, where there is one. */
  readonly consumes: readonly string[]
  /** The status of an answer that says none: 200, or 204 for nothing at all, where it is left out. */
  readonly status?: number | undefined
  readonly responses: readonly ResponseDefinition[]
  readonly guards: readonly Guard[]
  /** What decorators say about the controller and about the handler. */
  readonly controllerMetadata: Metadata
  readonly metadata: Metadata
  readonly source: RouteSource
  /** Called with the value of each input that is bound, in order. */
  readonly handler: (values: readonly unknown[], request: HttpRequest) => unknown
  /** Values that a parameter of the path never has, since they are addresses of their own. */
  readonly reserved?: ReservedValues | undefined
  /** Answers a problem in words of its own, such as a page; without it, `application/problem+json`. */
  readonly answerProblem?: AnswerProblem | undefined
}

/** Values that a parameter of a path never has. */
export interface ReservedValues {
  readonly parameter: string
  readonly values: readonly string[]
}

/** A table that routes serve, and by which rules: those who read it along from another table obey them too. */
export interface ServedTable {
  readonly table: AnyTable
  /** The database that it is read from. */
  readonly db: object
  /** Whether one record can be read by its key. */
  readonly readsOne: boolean
  /** Whether records can be found. */
  readonly readsMany: boolean
  /** The guards of reading. */
  readonly guards: readonly Guard[]
  readonly scope: ((request: HttpRequest) => unknown) | undefined
}

/** Makes the answer to a problem: of a guard, of the input, of the handler, or of the server before any of them. */
export type AnswerProblem = (problem: Problem, request: HttpRequest) => HttpReply | Promise<HttpReply>

/** Several routes under one name, such as those of a table. */
export interface RouteGroup {
  readonly kind: 'routes'
  readonly name: string
  /** The routes as they are alone. */
  readonly routes: readonly RouteDefinition[]
  /** The table that they serve. */
  readonly serves?: ServedTable | undefined
  /** The routes in an app that serves these tables. The list may grow until the app is listening. */
  readonly bind?: ((tables: readonly ServedTable[]) => readonly RouteDefinition[]) | undefined
  /** Called once with the app that they were added to. */
  readonly onRegister?: ((host: RouteHost) => void) | undefined
}

/** What routes may know of the app that they belong to. */
export interface RouteHost {
  /** The routes of the app so far; all of them once it is ready. */
  readonly routes: readonly RouteDefinition[]
  /** Calls this when every route is there, before the first request. What it throws keeps the app from starting. */
  onReady(work: () => void): void
  /** Calls this when the app closes, after the last answer, and waits for it. */
  onClose(work: () => void | Promise<void>): void
  /** The log of the app, for what no request is about. */
  readonly log: RequestLog
}

/** The path of a route inside a prefix: one slash between parts, none at the end. */
export function joinPath(prefix: string, path: string): string {
  const parts = [prefix, path].flatMap((it) => it.split('/')).filter((it) => it !== '')
  return `/${parts.join('/')}`
}

/** The names of the parameters in a path. */
export function pathParameters(path: string): string[] {
  return path
    .split('/')
    .filter((it) => it.startsWith(':') || it === '*')
    .map((it) => (it === '*' ? '*' : it.slice(1)))
}

/** The route as people name it. */
export function describeRoute({ method, path, source }: RouteDefinition): string {
  return `${method} ${path} (${source.controller}.${source.handler})`
}
