import type { AnyTable } from '@portico/schema/runtime'
import type { InputPlace } from './errors.ts'
import type { Problem } from './problem.ts'
import type { HttpReply } from './reply.ts'
import type { HttpRequest, RequestLog } from './request.ts'
import type { ResolvedType } from './types.ts'

export type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/**
 * Runs before the input of a request is read. It refuses the request by throwing, best an `HttpError`, or by returning
 * `false` (403). Returning a function is a mistake (500). Any other result lets the request pass.
 */
export interface Guard {
  (request: HttpRequest): unknown
  /** The name of its security scheme in the API description. */
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

/** Written by `@Label`, `@Description` and so on. Other packages add keys of their own. */
export interface DescribingMetadata {
  readonly label?: string | undefined
  readonly description?: string | undefined
  readonly id?: string | undefined
  readonly optional?: boolean | undefined
  readonly required?: boolean | undefined
}

/** All metadata that decorators wrote, by key. */
export type Metadata = DescribingMetadata & Readonly<Record<string, unknown>>

/** One input of a handler: a parameter, the body, or the request itself. */
export interface InputDefinition {
  /** The part of the request that it comes from; `request` is the request itself. */
  readonly in: InputPlace | 'request'
  /** The parameter's name. Without one, the whole body, or the whole query as an object. */
  readonly name?: string | undefined
  readonly type: ResolvedType
  readonly required: boolean
  /** True if the handler reads it itself. Then the definition is for the API description only. */
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

/** The place of a route in the source, for messages. */
export interface RouteSource {
  readonly controller: string
  readonly handler: string
}

/** `source.controller` of table routes begins with this. */
export const TABLE_ROUTES = 'tableController'

/** A route as plain data, for the server and the API description. */
export interface RouteDefinition {
  readonly kind: 'route'
  readonly method: HttpMethod
  /** Begins with `/` and does not end with one. Parameters are `:name`, a wildcard at the end is `*`. */
  readonly path: string
  readonly inputs: readonly InputDefinition[]
  /** Content types of the body, if there is one. */
  readonly consumes: readonly string[]
  /** The default status. Without it: 200, or 204 when the handler returns nothing. */
  readonly status?: number | undefined
  readonly responses: readonly ResponseDefinition[]
  readonly guards: readonly Guard[]
  /** The metadata of the controller and of the handler. */
  readonly controllerMetadata: Metadata
  readonly metadata: Metadata
  readonly source: RouteSource
  /** Called with the values of the bound inputs, in order. */
  readonly handler: (values: readonly unknown[], request: HttpRequest) => unknown
  /** Values that a path parameter never has, since they are routes themselves. */
  readonly reserved?: ReservedValues | undefined
  /** Turns a problem into a response, such as a page. Without it, `application/problem+json`. */
  readonly answerProblem?: AnswerProblem | undefined
}

/** Values that a path parameter never has. */
export interface ReservedValues {
  readonly parameter: string
  readonly values: readonly string[]
}

/** A table with routes, and its access rules. They also apply when another table loads it through a relation. */
export interface ServedTable {
  readonly table: AnyTable
  /** The database that holds it. */
  readonly db: object
  /** True if one record can be read by its key. */
  readonly readsOne: boolean
  /** True if records can be queried. */
  readonly readsMany: boolean
  /** The guards of `getOne` and `findMany`. */
  readonly guards: readonly Guard[]
  readonly scope: ((request: HttpRequest) => unknown) | undefined
}

/** Creates the response to a problem, whether a guard, the input, the handler or the server caused it. */
export type AnswerProblem = (problem: Problem, request: HttpRequest) => HttpReply | Promise<HttpReply>

/** Several routes under one name, such as those of a table. */
export interface RouteGroup {
  readonly kind: 'routes'
  readonly name: string
  /** The routes without regard to other tables. */
  readonly routes: readonly RouteDefinition[]
  /** The table behind the routes. */
  readonly serves?: ServedTable | undefined
  /** The routes in an app that serves these tables. The list may grow until the app is listening. */
  readonly bind?: ((tables: readonly ServedTable[]) => readonly RouteDefinition[]) | undefined
  /** Called once, with the app that the group was registered with. */
  readonly onRegister?: ((host: RouteHost) => void) | undefined
}

/** The app, as a group of routes sees it. */
export interface RouteHost {
  /** The routes registered so far; complete once the app is ready. */
  readonly routes: readonly RouteDefinition[]
  /** Runs when all routes are registered, before the first request. An error keeps the app from starting. */
  onReady(work: () => void): void
  /** Runs when the app closes, after the last response. The app waits for it. */
  onClose(work: () => void | Promise<void>): void
  /** The app's log, for messages that belong to no request. */
  readonly log: RequestLog
}

/** Joins two paths with single slashes and none at the end. */
export function joinPath(prefix: string, path: string): string {
  const parts = [prefix, path].flatMap((it) => it.split('/')).filter((it) => it !== '')
  return `/${parts.join('/')}`
}

/** The names of the parameters in a path; a wildcard is `*`. */
export function pathParameters(path: string): string[] {
  return path
    .split('/')
    .filter((it) => it.startsWith(':') || it === '*')
    .map((it) => (it === '*' ? '*' : it.slice(1)))
}

/** Names a route in messages: `GET /tasks/:id (TaskController.find)`. */
export function describeRoute({ method, path, source }: RouteDefinition): string {
  return `${method} ${path} (${source.controller}.${source.handler})`
}
