import type { Database } from '@portico/db'
import { type Clock, type FederatedPolicy, type FetchLike, type IdentityProvider, isLoopback } from '@portico/identity'
import { type Brand, type BrandOptions, readBrand, readIcons } from './brand.ts'
import { checkOptions, invalidOption } from './check-options.ts'
import { type RegisteredClient, readClients } from './clients.ts'
import { defaultLifetimes, type Lifetimes } from './lifetimes.ts'
import type { RateLimitRule, RateLimits } from './rate-limit-rules.ts'
import { isRole } from './roles.ts'
import { openidScopes, type ScopeDefinition, type Scopes } from './scope.ts'
import {
  anyObject,
  anything,
  expecting,
  integerFrom,
  listOf,
  type OptionCheck,
  positiveInteger,
  withMethods,
} from './shared/option-checks.ts'
import { type OptionRules, required } from './shared/options.ts'

export interface AuthServerOptions {
  /** The database. `db.sync(authTables)` creates the tables. */
  readonly db: Database
  /** The origin at which people and clients reach this server, such as `https://app.example`; also the issuer. */
  readonly baseUrl: string
  /** At least 32 bytes, the same on every instance. Signs states and forms, and encrypts the signing keys. */
  readonly secret: string
  /** The ways to sign in, in the order of the sign-in page. */
  readonly providers: readonly IdentityProvider[]
  /** Decides how profiles are matched to existing accounts. Default: see `FederatedPolicy`. */
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
  /** The look of the pages: name, logo, color and links. Default: the host of `baseUrl` as the name. */
  readonly brand?: BrandOptions | undefined
  /** The names of the providers on the sign-in page, by id. Default: the id with a capital letter. */
  readonly providerLabels?: Readonly<Record<string, string>> | undefined
  /**
   * The icons of the providers, by id: paths of this site or `data:` URIs of images. Default: the mark of a provider with
   * the id `apple`, `github`, `gitlab`, `google` or `microsoft`, and a key for any other.
   */
  readonly providerIcons?: Readonly<Record<string, string>> | undefined
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
  readonly brand: Brand
  readonly clients: ReadonlyMap<string, RegisteredClient>
  readonly scopes: Scopes
  readonly lifetimes: Lifetimes
  readonly sweepEverySec: number
  readonly rateLimits: { readonly [Name in keyof RateLimits]: RateLimitRule | false }
  readonly labelOf: (providerId: string) => string
  readonly providerIcons: Readonly<Record<string, string>>
}

const defaultRateLimits: RateLimits = {
  signIn: { limit: 300, windowSec: 60 },
  token: { limit: 300, windowSec: 60 },
  status: { limit: 600, windowSec: 60 },
}

/** Node limits timers to 2 ** 31 ms; longer ones fire immediately. */
const MAX_SWEEP_SEC = 86_400

/** An origin without a path: `__Host-` cookies and the well-known addresses belong to a whole host. */
const origin: OptionCheck = (value) => {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return 'an http: or https: URL'
  if (![url.origin, `${url.origin}/`].includes(value as string)) return `an origin without a path: ${url.origin}`
  const isSafe = url.protocol === 'https:' || isLoopback(url.hostname)
  return isSafe ? undefined : 'an https: URL (or http: on a loopback host)'
}

const isLongEnough = (it: unknown): boolean => typeof it === 'string' && Buffer.byteLength(it) >= 32

const optionRules: OptionRules<AuthServerOptions> = {
  db: required(withMethods(['table'], 'an open database')),
  baseUrl: required(origin),
  secret: required(expecting('a string of at least 32 bytes', isLongEnough)),
  providers: required(listOf(anything, 'a list of identity providers')),
  // The provider registry checks these.
  policy: anything,
  clock: anything,
  fetch: anything,
  clients: listOf(anything, 'a list of clients'),
  scopes: anyObject,
  lifetimes: anyObject,
  sweepEverySec: integerFrom(0, MAX_SWEEP_SEC),
  rateLimits: anyObject,
  brand: anyObject,
  providerLabels: anything,
  providerIcons: anyObject,
}

const lifetimeRules: OptionRules<Lifetimes> = {
  loopbackTokenSec: positiveInteger,
  clientTokenSec: positiveInteger,
  sessionSec: positiveInteger,
  sessionMaxSec: positiveInteger,
  codeSec: positiveInteger,
  interactionSec: positiveInteger,
  idTokenSec: positiveInteger,
  signingKeySec: positiveInteger,
  auditSec: positiveInteger,
}

const rateLimit = expecting('false or { limit, windowSec }, both at least 1', (rule) => {
  const { limit, windowSec } = Object(rule) as Partial<RateLimitRule>
  return rule === false || (Number(limit) >= 1 && Number(windowSec) >= 1)
})

const rateLimitRules: OptionRules<RateLimits> = { signIn: rateLimit, token: rateLimit, status: rateLimit }

export function readOptions(options: AuthServerOptions): Settings {
  checkOptions(options, optionRules)
  checkOptions(options.lifetimes ?? {}, lifetimeRules, 'lifetimes')
  checkOptions(options.rateLimits ?? {}, rateLimitRules, 'rateLimits')
  const { origin } = new URL(options.baseUrl)
  const labels = options.providerLabels ?? {}
  const scopes = readScopes(options.scopes ?? {})
  return {
    issuer: origin,
    origin,
    secret: options.secret,
    brand: readBrand(options.brand ?? {}, origin),
    providerIcons: readIcons(options.providerIcons ?? {}, origin),
    clients: readClients(options.clients ?? [], scopes),
    scopes,
    lifetimes: fillIn(defaultLifetimes, options.lifetimes),
    sweepEverySec: options.sweepEverySec ?? 60,
    rateLimits: fillIn<Settings['rateLimits']>(defaultRateLimits, options.rateLimits),
    labelOf: (id) => (Object.hasOwn(labels, id) ? labels[id]! : id.charAt(0).toUpperCase() + id.slice(1)),
  }
}

function fillIn<Values extends object>(
  defaults: Values,
  given: { [Name in keyof Values]?: Values[Name] | undefined } = {},
): Values {
  const names = Object.keys(defaults) as (keyof Values)[]
  return Object.fromEntries(names.map((name) => [name, given[name] ?? defaults[name]])) as Values
}

function readScopes(scopes: Readonly<Record<string, string | ScopeDefinition>>): Scopes {
  const read = Object.entries(scopes).map(([name, given]) => [name, readScopeDefinition(name, given)])
  return { ...openidScopes, ...(Object.fromEntries(read) as Scopes) }
}

const scopeRules: OptionRules<ScopeDefinition> = {
  label: required(expecting('text for the consent page', (value) => typeof value === 'string')),
  roles: expecting('a non-empty list of roles', (it) => Array.isArray(it) && it.length > 0 && it.every(isRole)),
}

function readScopeDefinition(name: string, given: string | ScopeDefinition): ScopeDefinition {
  const definition = typeof given === 'string' ? { label: given } : given
  if (!/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/.test(name))
    throw invalidOption('the name of a scope must be 1 to 100 printable ASCII characters without spaces or quotes')
  checkOptions(definition, scopeRules, `scopes.${name}`)
  const { label, roles } = definition
  if (roles === undefined) return { label }
  if (Object.hasOwn(openidScopes, name))
    throw invalidOption(`\`scopes.${name}\` must not have roles: an OpenID scope is open to everybody`)
  return { label, roles: [...roles] }
}
