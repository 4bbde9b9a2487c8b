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
  type InjectedAnswer,
  type InjectedRequest,
  type LoggerOptions,
  registerRoute,
} from './server/register.ts'
import { anything, milliseconds, positiveInteger } from './shared/option-checks.ts'
import type { OptionRules } from './shared/options.ts'

export interface AppOptions {
  /**
   * Structured logs, as Fastify's `logger`. Default `false`: unexpected errors and warnings go to stderr, with stack and
   * request id, and nothing else is logged. Queries, headers and bodies are never logged.
   */
  readonly logger?: LoggerOptions | undefined
  /** The longest body that is read, in bytes. Default 1048576 (1 MiB). */
  readonly bodyLimitBytes?: number | undefined
  /** How long a request may take to arrive, in milliseconds. Default 30000. */
  readonly requestTimeoutMs?: number | undefined
  /** How long `close` waits for running requests before it cuts their connections, in milliseconds. Default 10000. */
  readonly closeTimeoutMs?: number | undefined
  /**
   * Which proxies may say where a request came from, as Fastify's `trustProxy`: an address, a network, or several. Default
   * `false`. `true` believes the `X-Forwarded-For` of whoever reaches the port.
   */
  readonly trustProxy?: boolean | string | readonly string[] | undefined
}

export interface ListenOptions {
  /** Default 0: any that is free. */
  readonly port?: number | undefined
  /** Default `127.0.0.1`: this machine alone. */
  readonly host?: string | undefined
}

export interface CloseOptions {
  /**
   * How long requests are still served, in milliseconds, so that proxies and load balancers notice: longer than they
   * need to see that the app is not ready. Default 0.
   */
  readonly drainMs?: number | undefined
}

/** An HTTP application. */
export interface App {
  /** The Fastify server underneath; every Fastify plugin works on it. */
  readonly fastify: FastifyServer
  /** The routes so far, as plain data. */
  readonly routes: readonly RouteDefinition[]
  /** Adds controllers, as instances or as classes without constructor arguments, and routes. */
  register(...controllers: readonly ControllerLike[]): App
  /** Answers a request without a socket, for tests. */
  inject(request: InjectedRequest | string): Promise<InjectedAnswer>
  /** Starts to listen, and answers the address. */
  listen(options?: ListenOptions): Promise<string>
  /** `false` from the moment that `close` is called: a health route answers 503 then, so that nothing new is sent here. */
  readonly isReady: boolean
  /**
   * Closes the app: `isReady` becomes `false`, every answer says `connection: close`, and requests are served for
   * `drainMs` more. Then it accepts no new connections, and lets the running requests finish. Another call without
   * `drainMs`, or with one that ends sooner, ends the drain early.
   */
  close(options?: CloseOptions): Promise<void>
}

/**
 * Makes an application.
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
      // Fastify takes whatever a hook resolves with for an error.
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

  async inject(request: InjectedRequest | string): Promise<InjectedAnswer> {
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
    // A server that is about to listen would do so after it was closed.
    await this.#starting?.catch(() => {})
    if (this.fastify.server.listening) await waitFor(drainMs, this.#closing.signal)
    // Whichever call comes here first, the others have nothing left to wait for.
    this.#closing.abort()
    await this.#end()
  }

  async #end(): Promise<void> {
    // Connections that were idle before, or that nothing has come through, would be waited for.
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

/** Waits, unless or until the signal comes. */
async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  if (ms === 0 || signal.aborted) return
  await sleep(ms, undefined, { signal }).catch(() => {})
}
