import type { Database } from '@portico/db'
import type { Clock, FederatedPolicy, FetchLike, IdentityProvider } from '@portico/identity'
import { type RegisteredClient, readClients } from './clients.ts'
import { invalidOption } from './errors.ts'
import type { RateLimitRule, RateLimits } from './rate-limit.ts'

/** How long things last, in seconds. */
export interface Lifetimes {
  /** Access tokens of loopback clients. Default 2592000 (30 days). */
  readonly loopbackTokenSec: number
  /** Access tokens of registered clients. Default 3600. */
  readonly clientTokenSec: number
  /** Sessions in a browser, counted from their last use. Default 1209600 (14 days). */
  readonly sessionSec: number
  /** Authorization codes. Default 60. */
  readonly codeSec: number
  /** How long a person may take to answer a request, to return from a provider, or to prove an account. Default 600. */
  readonly interactionSec: number
  /** Id tokens. Default 300. */
  readonly idTokenSec: number
  /** How long a key signs before the next one takes over. Default 7776000 (90 days). */
  readonly signingKeySec: number
  /** How long the audit is kept. Default 31536000 (365 days). */
  readonly auditSec: number
}

export interface AuthServerOptions {
  /** The database; `db.sync(authTables)` makes what is needed in it. */
  readonly db: Database
  /** The origin at which people and clients reach this server, such as `https://app.example`; also the issuer. */
  readonly baseUrl: string
  /** At least 32 bytes, the same on every instance. Signs states and forms, and locks the signing keys. */
  readonly secret: string
  /** The ways to sign in, in the order of the page. */
  readonly providers: readonly IdentityProvider[]
  /** How a profile meets the accounts that are there already. Default: see `FederatedPolicy`. */
  readonly policy?: FederatedPolicy
  /** Applications that sign people in with this server. Loopback clients need no entry. */
  readonly clients?: readonly RegisteredClient[]
  /** Scopes beyond `openid`, `profile` and `email`, each with what the consent page says: `{ tasks: 'See your tasks' }`. */
  readonly scopes?: Readonly<Record<string, string>>
  readonly lifetimes?: Partial<Lifetimes>
  /** Attempts per address; `false` switches a limit off. Defaults: see {@link RateLimits}. */
  readonly rateLimits?: { readonly [K in keyof RateLimits]?: RateLimitRule | false }
  /** What pages call this application. Default: the host of `baseUrl`. */
  readonly name?: string
  /** What the sign-in page calls the providers, by id. Default: the id with a capital. */
  readonly providerLabels?: Readonly<Record<string, string>>
  /** What time it is. Default: the system's clock. */
  readonly clock?: Clock
  /** Reaches the providers that bring none of their own. Default: the platform's, with limits. */
  readonly fetch?: FetchLike
}

/** The options, checked and filled in. */
export interface Settings {
  readonly issuer: string
  readonly origin: string
  readonly secret: string
  readonly name: string
  readonly clients: ReadonlyMap<string, RegisteredClient>
  readonly scopes: Readonly<Record<string, string>>
  readonly lifetimes: Lifetimes
  readonly rateLimits: { readonly [K in keyof RateLimits]: RateLimitRule | false }
  readonly labelOf: (providerId: string) => string
}

const defaultLifetimes: Lifetimes = {
  loopbackTokenSec: 30 * 86_400,
  clientTokenSec: 3600,
  sessionSec: 14 * 86_400,
  codeSec: 60,
  interactionSec: 600,
  idTokenSec: 300,
  signingKeySec: 90 * 86_400,
  auditSec: 365 * 86_400,
}

const defaultRateLimits: RateLimits = {
  signIn: { limit: 300, windowSec: 60 },
  token: { limit: 300, windowSec: 60 },
  status: { limit: 600, windowSec: 60 },
}

const standardScopes = {
  openid: 'Know who you are',
  profile: 'See your name',
  email: 'See your e-mail address',
}

const optionNames: Readonly<Record<keyof AuthServerOptions, true>> = {
  db: true,
  baseUrl: true,
  secret: true,
  providers: true,
  policy: true,
  clients: true,
  scopes: true,
  lifetimes: true,
  rateLimits: true,
  name: true,
  providerLabels: true,
  clock: true,
  fetch: true,
}

export function readOptions(options: AuthServerOptions): Settings {
  // One that is misspelt would be passed over in silence, be it a limit or a policy.
  const unknown = Object.keys(options).find((it) => !Object.hasOwn(optionNames, it))
  if (unknown !== undefined)
    throw invalidOption(`there is no option ${unknown}; there are ${Object.keys(optionNames).join(', ')}`)
  if (typeof options.db?.table !== 'function') throw invalidOption('db must be an open database')
  const origin = readBaseUrl(options.baseUrl)
  if (typeof options.secret !== 'string' || Buffer.byteLength(options.secret) < 32)
    throw invalidOption('secret must have at least 32 bytes')
  const labels = options.providerLabels ?? {}
  return {
    issuer: origin,
    origin,
    secret: options.secret,
    name: options.name ?? new URL(origin).host,
    clients: readClients(options.clients ?? []),
    scopes: readScopes(options.scopes ?? {}),
    lifetimes: readLifetimes(options.lifetimes ?? {}),
    rateLimits: readRateLimits(options.rateLimits ?? {}),
    labelOf: (id) => (Object.hasOwn(labels, id) ? labels[id]! : id.charAt(0).toUpperCase() + id.slice(1)),
  }
}

/** An origin alone: `__Host-` cookies and the well-known addresses belong to a whole host. */
function readBaseUrl(baseUrl: string): string {
  const url = typeof baseUrl === 'string' && URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw invalidOption('baseUrl must be an http: or https: URL')
  if (![url.origin, `${url.origin}/`].includes(baseUrl))
    throw invalidOption(`baseUrl must be an origin alone: ${url.origin}`)
  const isLoopback = ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname)
  if (url.protocol === 'http:' && !isLoopback)
    throw invalidOption('baseUrl must be https: unless it is a loopback address')
  return url.origin
}

function readScopes(scopes: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, text] of Object.entries(scopes))
    if (!/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/.test(name) || typeof text !== 'string')
      throw invalidOption('scopes must be names without spaces or quotes, each with a text for the consent page')
  return { ...standardScopes, ...scopes }
}

function readLifetimes(given: Partial<Lifetimes>): Lifetimes {
  for (const [name, seconds] of Object.entries(given)) {
    if (!Object.hasOwn(defaultLifetimes, name)) throw invalidOption(`lifetimes has no ${name}`)
    if (!Number.isSafeInteger(seconds) || seconds < 1)
      throw invalidOption(`lifetimes.${name} must be a whole number of seconds`)
  }
  return { ...defaultLifetimes, ...given }
}

function readRateLimits(given: NonNullable<AuthServerOptions['rateLimits']>): Settings['rateLimits'] {
  for (const [name, rule] of Object.entries(given)) {
    if (!Object.hasOwn(defaultRateLimits, name)) throw invalidOption(`rateLimits has no ${name}`)
    if (rule !== false && !(rule.limit >= 1 && rule.windowSec >= 1))
      throw invalidOption(`rateLimits.${name} must be false or { limit, windowSec }, both at least 1`)
  }
  return { ...defaultRateLimits, ...given }
}
