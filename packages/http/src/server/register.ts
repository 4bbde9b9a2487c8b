import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import {
  type FastifyInstance,
  type FastifyLoggerOptions,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  fastify,
  type InjectOptions,
  type LightMyRequestResponse,
} from 'fastify'
import { checkResponses, compileArguments } from '../bind/arguments.ts'
import { parseJsonBody } from '../bind/json-body.ts'
import { isMalformed, parseQueryString } from '../bind/query-string.ts'
import { HttpError, type ProblemCode } from '../errors.ts'
import { HttpReply } from '../reply.ts'
import type { HttpRequest } from '../request.ts'
import { type AnswerProblem, type Guard, type ReservedValues, type RouteDefinition, refuses } from '../route.ts'
import { findAllowedMethods, findTablePaths } from './allowed-methods.ts'
import { type Connections, trackConnections } from './connections.ts'
import { createLogSettings, type LogSettings } from './log.ts'
import { replaceNodeRefusals, writeProblem } from './node-refusals.ts'
import { checkParsers } from './parsers.ts'
import { compilePayload } from './payload.ts'
import { type ProblemReply, plain, toProblem } from './reply-error.ts'
import { StderrLog } from './stderr-log.ts'
import './fast-next-tick.ts'

/** The Fastify server underneath an app. */
export type FastifyServer = FastifyInstance

/** A request and its response without a socket, as in light-my-request. */
export type InjectedRequest = InjectOptions
export type InjectedResponse = LightMyRequestResponse

/** `true`, or Fastify's logger options: a level, a stream, pino's own options. */
export type LoggerOptions = boolean | (FastifyLoggerOptions & LogSettings)

export interface ServerOptions {
  readonly logger: LoggerOptions
  readonly bodyLimitBytes: number
  readonly requestTimeoutMs: number
  readonly trustProxy: boolean | string | readonly string[]
  /** The routes registered so far. */
  readonly routes: () => readonly RouteDefinition[]
}

/** A Fastify server and its connections. */
export interface CreatedServer {
  readonly fastify: FastifyServer
  readonly connections: Connections
}

/** Creates the Fastify server: strict parsers, request ids, problems for every refusal, and logs without secrets. */
export function createServer(options: ServerOptions): CreatedServer {
  const { requestTimeoutMs } = options
  const server = fastify({
    ...createLog(options.logger),
    bodyLimit: options.bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    trustProxy: options.trustProxy as boolean | string | string[],
    genReqId: readRequestId,
    forceCloseConnections: 'idle',
    // A request that still arrives on an open connection is served, and the response closes the connection.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 2048, querystringParser: parseQueryString },
    http: {
      // Node applies the greater of the two to the whole request, and checks for overdue requests at an interval.
      headersTimeout: Math.min(60_000, requestTimeoutMs),
      requestTimeout: requestTimeoutMs,
      // Checked below, where the response is a problem.
      requireHostHeader: false,
      connectionsCheckingInterval: Math.min(30_000, Math.max(100, requestTimeoutMs / 4)),
    },
    frameworkErrors: (error, request, reply) => void sendProblem(request, reply, error),
    clientErrorHandler: refuseConnection,
  })
  const connections = trackConnections(server.server)
  server.addHook('onRequest', (request, reply, done) => {
    connections.use(request.raw.socket)
    reply.header('x-request-id', request.id)
    done(isWithoutHost(request) ? hostMissing() : undefined)
  })
  const noRoute = (request: FastifyRequest): Promise<HttpError> => describeNoRoute(options.routes(), request)
  server.setErrorHandler(async (error, request, reply) => {
    // Without a route, a wrong body does not matter.
    const hasNoRoute = request.is404 && isFrameworkError(error)
    return sendProblem(request, reply, hasNoRoute ? await noRoute(request) : error)
  })
  server.setNotFoundHandler(async (request, reply) => sendProblem(request, reply, await noRoute(request)))
  server.addHook('onReady', async () => {
    for (const route of options.routes()) checkParsers(server, route)
  })
  replaceNodeRefusals(server.server)
  addParsers(server)
  return { fastify: server, connections }
}

/** Without a logger, failures go to stderr and nothing else is logged. */
function createLog(logger: LoggerOptions): Pick<FastifyServerOptions, 'logger' | 'loggerInstance'> {
  const settings = createLogSettings(logger)
  if (settings !== false) return { logger: settings as FastifyLoggerOptions }
  return { loggerInstance: new StderrLog() }
}

/** A 404, or a 405 when other methods are allowed. */
async function describeNoRoute(routes: readonly RouteDefinition[], request: HttpRequest): Promise<HttpError> {
  const methods = await findAllowedMethods(routes, request)
  if (methods.length === 0) return new HttpError(404, 'NOT_FOUND', 'there is nothing at this address')
  const allow = methods.join(', ')
  const elsewhere = await findTablePaths(routes, request)
  const hint = elsewhere.length > 0 ? `; for ${request.method} use ${elsewhere.join(', ')}` : ''
  return new HttpError(405, 'METHOD_NOT_ALLOWED', `this path supports ${allow}${hint}`, { headers: { allow } })
}

/** Adds a route to the server. Everything that does not depend on the request is computed here, once. */
export function registerRoute(
  server: FastifyServer,
  route: RouteDefinition,
  routes: () => readonly RouteDefinition[],
): void {
  const bind = compileArguments(route)
  checkResponses(route)
  const { handler } = route
  const guards = route.reserved ? [createReservedGuard(route.reserved, routes), ...route.guards] : route.guards
  const answer = createAnswer(route)
  const isBare = route.inputs.every((it) => it.unbound)
  const values: readonly unknown[] = []
  server.route({
    method: route.method,
    url: route.path,
    // Guards run first, so that the body of a refused request is not even read.
    ...(guards.length > 0 && { onRequest: createGuardHook(guards) }),
    ...(route.answerProblem && { errorHandler: createProblemHandler(route.answerProblem) }),
    handler(request: FastifyRequest, reply: FastifyReply) {
      const result = handler(isBare ? values : bind(request), request)
      const pending = asPromise(result)
      if (!pending) return answer(reply, result)
      // Sent from here, since another promise for Fastify to await would slow down every request.
      pending.then(
        (it) => {
          try {
            const payload = answer(reply, it)
            if (payload !== undefined) reply.send(payload)
          } catch (error) {
            fail(reply, error)
          }
        },
        (error: unknown) => fail(reply, error),
      )
      return undefined
    },
  })
}

/** A promise, or a thenable such as the query builders of many libraries return. */
function asPromise(result: unknown): Promise<unknown> | undefined {
  if (result instanceof Promise) return result
  if (typeof result !== 'object' || result === null) return undefined
  return typeof (result as { then?: unknown }).then === 'function' ? Promise.resolve(result) : undefined
}

/** Fastify recognizes only instances of Error as errors. */
function fail(reply: FastifyReply, error: unknown): void {
  reply.send(error instanceof Error ? error : new Error('a value that is not an Error was thrown', { cause: error }))
}

/** Refuses reserved values of a path parameter, since they are routes themselves. */
function createReservedGuard(reserved: ReservedValues, routes: () => readonly RouteDefinition[]): Guard {
  return async (request) => {
    const value = (request.params as Readonly<Record<string, string>>)[reserved.parameter]
    if (value === undefined || !reserved.values.includes(value)) return
    throw await describeNoRoute(routes(), request)
  }
}

function createGuardHook(guards: readonly Guard[]): (request: HttpRequest) => Promise<void> {
  return async (request) => {
    for (const guard of guards) {
      if (refuses(await guard(request))) throw new HttpError(403, 'FORBIDDEN', 'this is not allowed')
    }
  }
}

/**
 * Turns the result of a handler into the payload for Fastify to send. Returns nothing if the response was sent here: a
 * reply is a thenable, and Fastify would wait for the whole stream.
 */
function createAnswer(route: RouteDefinition): (reply: FastifyReply, result: unknown) => unknown {
  const { status } = route
  const prepare = compilePayload(route)
  return (reply, result) => {
    if (!(result instanceof HttpReply)) return prepare(reply, result, status)
    const names = Object.keys(result.headers)
    for (const name of names) reply.header(name, result.headers[name])
    if (names.length > 0) answerHeaders.set(reply, names)
    return prepare(reply, result.body, result.status ?? status)
  }
}

/** The headers that a handler set. They are removed when a problem is sent instead of the handler's result. */
const answerHeaders = new WeakMap<FastifyReply, readonly string[]>()

function addParsers(server: FastifyServer): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      checkCharset(request)
      done(null, parseJsonBody(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) => {
    const values = parseQueryString(body as string)
    if (isMalformed(values)) done(new HttpError(400, 'MALFORMED_BODY', 'the form is not valid percent-encoded UTF-8'))
    else done(null, values)
  })
}

/** JSON is UTF-8 (RFC 8259 §8.1). A body in another charset would be misread. */
function checkCharset({ headers }: FastifyRequest): void {
  if (headers['content-type'] === 'application/json') return
  const [, charset] = headers['content-type']?.match(/;\s*charset="?([^";\s]+)/i) ?? []
  if (charset === undefined || /^utf-?8$/i.test(charset)) return
  throw new HttpError(415, 'UNSUPPORTED_MEDIA_TYPE', 'a JSON body must be encoded in UTF-8')
}

/** Sends the problems of a route as its `answerProblem` says, with the problem's own headers. */
function createProblemHandler(answerProblem: AnswerProblem) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const { problem, headers } = readProblem(request, reply, error)
    const send = (answer: HttpReply): void => {
      reply.code(answer.status ?? problem.status).headers(headers)
      for (const name of Object.keys(answer.headers)) reply.header(name, answer.headers[name])
      void reply.send(answer.body)
    }
    const answer = answerProblem(problem, request)
    if (answer instanceof Promise) answer.then(send).catch((failure: unknown) => fail(reply, failure))
    else send(answer)
  }
}

/** Turns an error into a problem, logs it, and removes the headers that the handler had set. */
function readProblem(request: FastifyRequest, reply: FastifyReply, error: unknown): ProblemReply {
  // A client that disconnects while it sends is not a failure of the server.
  const { problem, headers } =
    error instanceof Error && error === request.raw.errored ? clientGone : toProblem(describeFrameworkError(error))
  if (problem.status >= 500) request.log.error({ err: error, ...placeOf(request) }, 'request failed')
  else request.log.info({ code: problem.code, status: problem.status }, 'request refused')
  for (const name of answerHeaders.get(reply) ?? []) reply.removeHeader(name)
  reply.removeHeader('content-type')
  return { problem, headers }
}

const clientGone = plain(400, 'MALFORMED_REQUEST', 'the connection was closed before the request was complete')

/** Method and path, without the query, which may carry tokens and codes. */
function placeOf({ method, url }: FastifyRequest): { method: string; path: string } {
  return { method, path: url.split(/[?#]/, 1)[0]! }
}

function sendProblem(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const { problem, headers } = readProblem(request, reply, error)
  return reply.code(problem.status).headers(headers).type('application/problem+json').send(JSON.stringify(problem))
}

const frameworkErrors: Readonly<Record<string, readonly [status: number, code: ProblemCode, detail: string]>> = {
  FST_ERR_BAD_URL: [400, 'MALFORMED_URL', 'the path is not valid percent-encoded UTF-8'],
  FST_ERR_MAX_PARAM_LENGTH: [414, 'URL_TOO_LONG', 'a segment of the path is too long'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    'this route does not accept the content type of the body',
  ],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'BODY_TOO_LARGE', 'the body is too large'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'MALFORMED_REQUEST', 'the length of the body differs from Content-Length'],
}

function isFrameworkError(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && code.startsWith('FST_')
}

/** RFC 9112 §3.2: HTTP/1.1 requires Host; HTTP/1.0 does not. */
function isWithoutHost({ raw }: FastifyRequest): boolean {
  return raw.headers.host === undefined && raw.httpVersion === '1.1'
}

function hostMissing(): HttpError {
  return new HttpError(400, 'MALFORMED_REQUEST', 'the request has no Host header')
}

/** Replaces the messages of Fastify's own errors, which quote the input. */
function describeFrameworkError(error: unknown): unknown {
  const { code } = (error ?? {}) as { code?: unknown }
  const known = typeof code === 'string' && Object.hasOwn(frameworkErrors, code) ? frameworkErrors[code] : undefined
  return known ? new HttpError(...known, { cause: error }) : error
}

/** Responds to input that Node's HTTP parser refused, before there is a request object. */
function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  const { _httpMessage: answering } = socket as { _httpMessage?: { headersSent?: boolean } | null }
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable || answering?.headersSent) {
    socket.destroy()
    return
  }
  writeProblem(socket, describeParserError(error.code))
}

function describeParserError(code: string | undefined): ProblemReply {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return plain(408, 'REQUEST_TIMEOUT', 'the request did not arrive in time')
  if (code === 'HPE_HEADER_OVERFLOW')
    return plain(431, 'HEADERS_TOO_LARGE', 'the request line and headers are too large')
  return plain(400, 'MALFORMED_REQUEST', 'this is not valid HTTP')
}

/** Keeps the id that a proxy set, if it is safe to log. */
function readRequestId({ headers }: { headers: IncomingMessage['headers'] }): string {
  const given = headers['x-request-id']
  if (given !== undefined && /^[\w.:-]{1,64}$/.test(given as string)) return given as string
  requestCount += 1
  return `${processId}-${requestCount.toString(36)}`
}

/** Random once per process, then counted: cheaper than a random id for each request. */
const processId = randomBytes(9).toString('base64url')
let requestCount = 0
