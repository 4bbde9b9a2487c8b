import { setTimeout as sleep } from 'node:timers/promises'
import { checkOptions } from './check-options.ts'
import {
  bindRoutes,
  type ControllerLike,
  type NormalizedController,
  normalizeController,
  tablesOf,
} from './collect-routes.ts'
import type { RouteDefinition, RouteGroup, RouteHost, ServedTable } from './route.ts'
import type { Connections } from './server/connections.ts'
import {
  createServer,
  type FastifyServer,
  type InjectedRequest,
  type InjectedResponse,
  type LoggerOptions,
  registerRoute,
} from './server/register.ts'
import { anything, milliseconds, positiveInteger } from './shared/option-checks.ts'
import type { OptionRules } from './shared/options.ts'

export interface AppOptions {
  /**
   * Structured logs, like Fastify's `logger`. Default `false`: only unexpected errors and warnings are logged, to stderr,
   * with stack and request id. Queries, headers and bodies are never logged.
   */
  readonly logger?: LoggerOptions | undefined
  /** The maximum size of a request body, in bytes. Default 1048576 (1 MiB). */
  readonly bodyLimitBytes?: number | undefined
  /** The time in which a request has to arrive completely, in milliseconds. Default 30000. */
  readonly requestTimeoutMs?: number | undefined
  /** The time that `close` gives running requests before it cuts their connections, in milliseconds. Default 10000. */
  readonly closeTimeoutMs?: number | undefined
  /**
   * The proxies whose `X-Forwarded-For` is trusted, like Fastify's `trustProxy`: an address, a network, or several.
   * Default `false`. `true` trusts the header of every client that reaches the port.
   */
  readonly trustProxy?: boolean | string | readonly string[] | undefined
}

export interface ListenOptions {
  /** Default 0: any free port. */
  readonly port?: number | undefined
  /** Default `127.0.0.1`: reachable from this machine only. */
  readonly host?: string | undefined
}

export interface CloseOptions {
  /**
   * The time in which requests are still served, in milliseconds. It should be longer than load balancers take to notice
   * that the app is not ready. Default 0.
   */
  readonly drainMs?: number | undefined
}

/** An HTTP application. */
export interface App {
  /** The Fastify server underneath. Every Fastify plugin works on it. */
  readonly fastify: FastifyServer
  /** The routes registered so far, as plain data. */
  readonly routes: readonly RouteDefinition[]
  /** Adds controllers (instances, or classes without constructor arguments) and routes. */
  register(...controllers: readonly ControllerLike[]): App
  /** Answers a request without a socket, for tests. */
  inject(request: InjectedRequest | string): Promise<InjectedResponse>
  /** Starts to listen and returns the address. */
  listen(options?: ListenOptions): Promise<string>
  /** `false` as soon as `close` is called. A health route returns 503 then, so that load balancers send no new requests. */
  readonly isReady: boolean
  /**
   * Closes the app. `isReady` becomes `false`, every response gets `connection: close`, and requests are served for
   * another `drainMs`. Then the app accepts no new connections and lets the running requests finish. A second call
   * without `drainMs`, or with one that ends sooner, ends the drain early.
   */
  close(options?: CloseOptions): Promise<void>
}

/**
 * Creates an application.
 *
 * ```ts
 * const app = createApp({ logger: true }).register(new ProjectController(db), tableController(Task, { db }))
 * console.log(await app.listen({ port: 3000 }))
 * ```
 */
export function createApp(options: AppOptions = {}): App {
  checkOptions(options, optionRules, 'createApp')
  return new HttpApp(options)
}

const optionRules: OptionRules<AppOptions> = {
  logger: anything,
  bodyLimitBytes: positiveInteger,
  requestTimeoutMs: milliseconds,
  closeTimeoutMs: milliseconds,
  trustProxy: anything,
}

const closeRules: OptionRules<CloseOptions> = { drainMs: milliseconds }

class HttpApp implements App {
  readonly fastify: FastifyServer
  readonly #closeTimeoutMs: number
  readonly #connections: Connections
  #starting: Promise<string> | undefined
  #closing: AbortController | undefined
  readonly #tables: ServedTable[] = []
  #controllers: readonly NormalizedController[] = []
  #routes: readonly RouteDefinition[] = []
  readonly #host: RouteHost

  constructor(options: AppOptions) {
    this.#closeTimeoutMs = options.closeTimeoutMs ?? 10_000
    const routes = (): readonly RouteDefinition[] => this.#routes
    const { fastify, connections } = createServer({
      logger: options.logger ?? false,
      bodyLimitBytes: options.bodyLimitBytes ?? 1_048_576,
      requestTimeoutMs: options.requestTimeoutMs ?? 30_000,
      trustProxy: options.trustProxy ?? false,
      routes,
    })
    this.fastify = fastify
    this.#connections = connections
    this.#host = {
      get routes() {
        return routes()
      },
      // Fastify treats any value that a hook resolves with as an error.
      onReady: (work) =>
        void fastify.addHook('onReady', async () => {
          work()
        }),
      onClose: (work) =>
        void fastify.addHook('onClose', async () => {
          await work()
        }),
      log: fastify.log,
    }
  }

  get routes(): readonly RouteDefinition[] {
    return this.#routes
  }

  register(...controllers: readonly ControllerLike[]): App {
    const added = controllers.map(normalizeController)
    const all = [...this.#controllers, ...added]
    // Checked together with the earlier ones before anything changes, so that a duplicate names both routes.
    const routes = bindRoutes(all, tablesOf(all))
    for (const route of bindRoutes(added, this.#tables)) registerRoute(this.fastify, route, () => this.#routes)
    this.#routes = routes
    this.#controllers = all
    // Every bound route holds this list, so earlier routes see the tables that are added now.
    this.#tables.push(...tablesOf(added))
    for (const it of controllers) (it as Partial<RouteGroup>).onRegister?.(this.#host)
    return this
  }

  async inject(request: InjectedRequest | string): Promise<InjectedResponse> {
    return this.fastify.inject(request)
  }

  listen({ port = 0, host = '127.0.0.1' }: ListenOptions = {}): Promise<string> {
    this.#starting = this.fastify.listen({ port, host })
    return this.#starting
  }

  get isReady(): boolean {
    return this.#closing === undefined
  }

  async close(options: CloseOptions = {}): Promise<void> {
    checkOptions(options, closeRules, 'app.close')
    const { drainMs = 0 } = options
    if (!this.#closing) {
      this.#closing = new AbortController()
      this.#connections.announceClose()
    }
    if (drainMs === 0) this.#closing.abort()
    // Otherwise a server that is still starting would begin to listen after it was closed.
    await this.#starting?.catch(() => {})
    if (this.fastify.server.listening) await waitFor(drainMs, this.#closing.signal)
    // The first call to get here ends the wait of the others.
    this.#closing.abort()
    await this.#end()
  }

  async #end(): Promise<void> {
    // Fastify would wait for connections that were idle before, or that never carried a request.
    const sweep = setInterval(() => this.#connections.closeIdle(), 20)
    const cut = setTimeout(() => this.fastify.server.closeAllConnections(), this.#closeTimeoutMs)
    try {
      await this.fastify.close()
    } finally {
      clearInterval(sweep)
      clearTimeout(cut)
    }
  }
}

/** Waits until the time is over or the signal aborts. */
async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  if (ms === 0 || signal.aborted) return
  await sleep(ms, undefined, { signal }).catch(() => {})
}
