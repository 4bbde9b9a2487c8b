import type { Database } from '@portico/db'
import { type Clock, type FederatedPolicy, type FetchLike, type IdentityProvider, isLoopback } from '@portico/identity'
import { isRole } from './accounts/roles.ts'
import { type RegisteredClient, readClients } from './clients.ts'
import { invalidOption } from './errors.ts'
import { defaultLifetimes, type Lifetimes } from './lifetimes.ts'
import type { RateLimitRule, RateLimits } from './rate-limit-rules.ts'
import { openidScopes, type ScopeDefinition, type Scopes } from './scope.ts'

export interface AuthServerOptions {
  /** The database. `db.sync(authTables)` creates the tables. */
  readonly db: Database
  /** The origin at which people and clients reach this server, such as `https://app.example`; also the issuer. */
  readonly baseUrl: string
  /** At least 32 bytes, the same on every instance. Signs states and forms, and encrypts the signing keys. */
  readonly secret: string
  /** The ways to sign in, in the order of the sign-in page. */
  readonly providers: readonly IdentityProvider[]
  /** How profiles are matched to existing accounts. Default: see `FederatedPolicy`. */
  readonly policy?: FederatedPolicy | undefined
  /** Applications that sign people in with this server. Loopback clients need no entry. */
  readonly clients?: readonly RegisteredClient[] | undefined
  /**
   * Scopes beyond `openid`, `profile` and `email`, each with its text on the consent page: `{ tasks: 'See your tasks'
   * }`. One with `roles` can be granted only by people who have one of them: `{ admin: { label: 'Administer', roles:
   * ['admin'] } }`.
   */
  readonly scopes?: Readonly<Record<string, string | ScopeDefinition>> | undefined
  readonly lifetimes?: { readonly [Name in keyof Lifetimes]?: Lifetimes[Name] | undefined } | undefined
  /** Interval for deleting expired rows while the app runs, in seconds; 0 leaves it to `sweep()`. Default 60. */
  readonly sweepEverySec?: number | undefined
  /** Requests per address; `false` switches a limit off. Defaults: see {@link RateLimits}. */
  readonly rateLimits?: { readonly [Name in keyof RateLimits]?: RateLimitRule | false | undefined } | undefined
  /** The name of this application on pages. Default: the host of `baseUrl`. */
  readonly name?: string | undefined
  /** The names of the providers on the sign-in page, by id. Default: the id with a capital letter. */
  readonly providerLabels?: Readonly<Record<string, string>> | undefined
  /** The clock. Default: the system clock. */
  readonly clock?: Clock | undefined
  /** `fetch` for the providers that have none of their own. Default: that of the platform, with limits. */
  readonly fetch?: FetchLike | undefined
}

/** The checked options, with defaults. */
export interface Settings {
  readonly issuer: string
  readonly origin: string
  readonly secret: string
  readonly name: string
  readonly clients: ReadonlyMap<string, RegisteredClient>
  readonly scopes: Scopes
  readonly lifetimes: Lifetimes
  readonly sweepEverySec: number
  readonly rateLimits: { readonly [Name in keyof RateLimits]: RateLimitRule | false }
  readonly labelOf: (providerId: string) => string
}

const defaultRateLimits: RateLimits = {
  signIn: { limit: 300, windowSec: 60 },
  token: { limit: 300, windowSec: 60 },
  status: { limit: 600, windowSec: 60 },
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
  sweepEverySec: true,
  rateLimits: true,
  name: true,
  providerLabels: true,
  clock: true,
  fetch: true,
}

export function readOptions(options: AuthServerOptions): Settings {
  if (typeof options !== 'object' || options === null)
    throw invalidOption('createAuthServer takes options: { db, baseUrl, secret, providers }')
  // A misspelt option would silently have no effect, whether it is a limit or a policy.
  const unknown = Object.keys(options).find((it) => !Object.hasOwn(optionNames, it))
  if (unknown !== undefined)
    throw invalidOption(`there is no option ${unknown}; there are ${Object.keys(optionNames).join(', ')}`)
  if (typeof options.db?.table !== 'function') throw invalidOption('db must be an open database')
  const origin = readBaseUrl(options.baseUrl)
  if (typeof options.secret !== 'string' || Buffer.byteLength(options.secret) < 32)
    throw invalidOption('secret must have at least 32 bytes')
  const labels = options.providerLabels ?? {}
  const scopes = readScopes(options.scopes ?? {})
  return {
    issuer: origin,
    origin,
    secret: options.secret,
    name: options.name ?? new URL(origin).host,
    clients: readClients(options.clients ?? [], scopes),
    scopes,
    lifetimes: readLifetimes(options.lifetimes ?? {}),
    sweepEverySec: readSweepEverySec(options.sweepEverySec ?? 60),
    rateLimits: readRateLimits(options.rateLimits ?? {}),
    labelOf: (id) => (Object.hasOwn(labels, id) ? labels[id]! : id.charAt(0).toUpperCase() + id.slice(1)),
  }
}

/** An origin without a path: `__Host-` cookies and the well-known addresses belong to a whole host. */
function readBaseUrl(baseUrl: string): string {
  const url = typeof baseUrl === 'string' && URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw invalidOption('baseUrl must be an http: or https: URL')
  if (![url.origin, `${url.origin}/`].includes(baseUrl))
    throw invalidOption(`baseUrl must be an origin alone: ${url.origin}`)
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw invalidOption('baseUrl must be https: unless it is a loopback address')
  return url.origin
}

function readScopes(scopes: Readonly<Record<string, string | ScopeDefinition>>): Scopes {
  const read = Object.entries(scopes).map(([name, given]) => [name, readScopeDefinition(name, given)])
  return { ...openidScopes, ...(Object.fromEntries(read) as Scopes) }
}

function readScopeDefinition(name: string, given: string | ScopeDefinition): ScopeDefinition {
  const { label, roles, ...others } = typeof given === 'string' ? { label: given } : { ...given }
  if (!/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/.test(name) || typeof label !== 'string')
    throw invalidOption('scopes must be names without spaces or quotes, each with a text for the consent page')
  for (const key of Object.keys(others)) throw invalidOption(`scope ${name}: a scope has no ${key}`)
  if (roles !== undefined && Object.hasOwn(openidScopes, name))
    throw invalidOption(`scope ${name}: an OpenID scope cannot be reserved to roles`)
  if (roles === undefined) return { label }
  if (!Array.isArray(roles) || roles.length === 0 || !roles.every(isRole))
    throw invalidOption(`scope ${name}: roles must list at least one role`)
  return { label, roles: [...roles] }
}

/** Node limits timers to 2 ** 31 ms; longer ones fire immediately. */
const MAX_SWEEP_SEC = 86_400

function readSweepEverySec(seconds: number): number {
  if (!Number.isSafeInteger(seconds) || seconds < 0 || seconds > MAX_SWEEP_SEC)
    throw invalidOption(`sweepEverySec must be a whole number of seconds from 0 to ${MAX_SWEEP_SEC}`)
  return seconds
}

function readLifetimes(given: NonNullable<AuthServerOptions['lifetimes']>): Lifetimes {
  const set = withoutUndefined(given)
  for (const [name, seconds] of Object.entries(set)) {
    if (!Object.hasOwn(defaultLifetimes, name)) throw invalidOption(`lifetimes has no ${name}`)
    if (!Number.isSafeInteger(seconds) || seconds < 1)
      throw invalidOption(`lifetimes.${name} must be a whole number of seconds`)
  }
  return { ...defaultLifetimes, ...set }
}

function readRateLimits(given: NonNullable<AuthServerOptions['rateLimits']>): Settings['rateLimits'] {
  const set = withoutUndefined(given)
  for (const [name, rule] of Object.entries(set)) {
    if (!Object.hasOwn(defaultRateLimits, name)) throw invalidOption(`rateLimits has no ${name}`)
    if (rule !== false && !(rule.limit >= 1 && rule.windowSec >= 1))
      throw invalidOption(`rateLimits.${name} must be false or { limit, windowSec }, both at least 1`)
  }
  return { ...defaultRateLimits, ...set }
}

/** The entries that have a value: one that is `undefined` keeps its default. */
function withoutUndefined<Options extends object>(
  options: Options,
): { [Name in keyof Options]?: Exclude<Options[Name], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Options]?: Exclude<Options[Name], undefined>
  }
}
