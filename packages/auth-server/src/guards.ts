import { defineGuard, type Guard, HttpError, type HttpRequest, type RequestValue, requestValue } from '@portico/http'
import type { Context } from './context.ts'
import { AuthServerError } from './errors.ts'
import { isOpenidScope } from './scope.ts'
import { type Challenge, challengeOf, readBearer } from './token/bearer.ts'
import { readSender } from './web/forms.ts'

/** The user behind a request, and how they are authenticated. */
export interface Principal {
  readonly userId: string
  readonly via: 'token' | 'session'
  /** Id of the token or session, for lists and revocation. */
  readonly id: string
  /** The registered client of a token. */
  readonly clientId?: string
  /** The scopes of a token. A session may do everything and has none. */
  readonly scope: readonly string[]
  /** The current roles of the person (`users.setRoles`). */
  readonly roles: readonly string[]
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

/** A guard, and a function that creates one with scopes. */
export interface SignedInGuard {
  /** As a guard: accepts the session of a browser, and no tokens. */
  (request: HttpRequest): Promise<void>
  /** Accepts the session of a browser, or an access token that has all these scopes. */
  (...scopes: readonly string[]): Guard
  /** The name of its security scheme in the API description. */
  readonly security: string
}

/** Guards for the routes of your application. Each sets the {@link Principal} of the request. */
export interface AuthGuards {
  /** Accepts an access token that has all these scopes; name at least one. */
  bearer(...scopes: readonly string[]): Guard
  /** Accepts the session of a browser. Requests that change something must come from a page of this site. */
  readonly session: Guard
  /**
   * Accepts the session of a browser or an access token: `guards.signedIn('tasks')`. A token needs the scopes that the
   * guard names. Without scopes, as in `guards.signedIn` alone, no token is accepted. The OpenID scopes open no route.
   */
  readonly signedIn: SignedInGuard
  /**
   * Accepts people who have one of these roles. Alone it accepts sessions; after a guard with scopes, whoever that
   * guard accepted: `guards: [guards.signedIn('admin'), guards.role('admin')]`.
   */
  role(...roles: readonly string[]): Guard
  /**
   * Accepts the session of a browser whose person the provider authenticated at most this many seconds ago. Others get
   * 401 `SIGN_IN_AGAIN`: send them to `/auth/sign-in?prompt=login&return_to=…`.
   */
  recent(seconds: number): Guard
  /** The principal of a request, set by the guards. */
  readonly principal: RequestValue<Principal>
}

/**
 * The security schemes of the guards, for `securitySchemes` of an API description. A type alias, since an interface is
 * not assignable to a record.
 */
export type AuthSecuritySchemes = {
  readonly bearer: { readonly type: 'http'; readonly scheme: 'bearer' }
  readonly session: { readonly type: 'apiKey'; readonly in: 'cookie'; readonly name: string }
}

const safeMethods = ['GET', 'HEAD', 'OPTIONS']

export function createGuards(context: Context): AuthGuards {
  const principal = requestValue<Principal>('principal')
  const readScopes = (guard: string, names: readonly string[]): readonly string[] => {
    checkNames(guard, names)
    const unknown = names.find((name) => !Object.hasOwn(context.settings.scopes, name))
    if (unknown !== undefined)
      throw new AuthServerError(`guards.${guard}: the scope ${unknown} is not one of the option scopes`)
    if (names.length > 0 && names.every(isOpenidScope))
      throw new AuthServerError(
        `guards.${guard}: ${names.join(' ')} opens no route, since OpenID scopes only give claims: name another scope`,
      )
    return names
  }
  const byToken = (request: HttpRequest, scopes: readonly string[]) => findByToken(context, request, scopes)
  const bySession = (request: HttpRequest) => findBySession(context, request, cookieChallenge(context))
  const bySessionAlone = async (request: HttpRequest) => {
    if (request.headers.authorization === undefined) return bySession(request)
    // A token in the request is refused, not ignored: it may belong to another person than the cookie.
    await byToken(request, [])
    throw noTokens()
  }
  const withScopes = (scopes: readonly string[]): Guard =>
    defineGuard({ security: 'bearer' }, async (request) => {
      const isToken = request.headers.authorization !== undefined
      const find = isToken ? byToken(request, scopes) : findBySession(context, request, challengeOf(undefined, scopes))
      principal.set(request, await find)
    })
  const withoutScopes = defineGuard({ security: 'session' }, async (request) =>
    principal.set(request, await bySessionAlone(request)),
  )
  return {
    principal,
    bearer(...names) {
      const scopes = readScopes('bearer', names)
      if (scopes.length === 0) throw new AuthServerError('guards.bearer: name at least one scope')
      return defineGuard({ security: 'bearer' }, async (request) =>
        principal.set(request, await byToken(request, scopes)),
      )
    },
    session: defineGuard({ security: 'session' }, async (request) => principal.set(request, await bySession(request))),
    signedIn: Object.assign(
      (...given: readonly [HttpRequest] | readonly string[]) => {
        const [first] = given
        if (typeof first === 'object' && first !== null) return withoutScopes(first)
        const scopes = readScopes('signedIn', given as readonly string[])
        return scopes.length === 0 ? withoutScopes : withScopes(scopes)
      },
      { security: 'session' },
    ) as SignedInGuard,
    recent(seconds) {
      if (!Number.isSafeInteger(seconds) || seconds < 1)
        throw new AuthServerError('guards.recent: name a whole number of seconds')
      return defineGuard({ security: 'session' }, async (request) => {
        const found = await bySessionAlone(request)
        const { authenticatedAt } = (await context.sessions.find(request)) ?? {}
        // A provider that does not report when it authenticated somebody cannot show that it was recently.
        if (authenticatedAt === undefined || authenticatedAt < context.now() - seconds * 1000)
          throw signInAgain(seconds)
        principal.set(request, found)
      })
    },
    role(...roles) {
      checkNames('role', roles)
      if (roles.length === 0) throw new AuthServerError('guards.role: name at least one role')
      return async (request) => {
        const found = principal.get(request) ?? (await bySessionAlone(request))
        if (!roles.some((role) => found.roles.includes(role))) throw lacksRole(roles)
        principal.set(request, found)
      }
    },
  }
}

/** The user whom a guard of the route accepted. */
export function requireUserId(context: Context, { principal }: AuthGuards, request: HttpRequest): string {
  const found = principal.get(request)
  if (!found)
    throw unauthenticated(
      cookieChallenge(context),
      'nobody is signed in: no guard of this route has accepted the request',
    )
  return found.userId
}

export function describeSecurity({ cookies }: Context): AuthSecuritySchemes {
  return {
    bearer: { type: 'http', scheme: 'bearer' },
    session: { type: 'apiKey', in: 'cookie', name: cookies.sessionName },
  }
}

/** Catches a request, for example: the function that creates guards was used as a guard itself. It accepts nobody. */
function checkNames(guard: string, names: readonly unknown[]): void {
  if (names.some((name) => typeof name !== 'string'))
    throw new AuthServerError(`guards.${guard} makes a guard and is not one itself: write guards.${guard}('…')`)
}

async function findByToken(context: Context, request: HttpRequest, scopes: readonly string[]): Promise<Principal> {
  const token = readBearer(request)
  const verified = token === undefined ? undefined : await context.tokens.verify(token)
  if (!verified) throw unauthenticated(challengeOf(token, scopes))
  const missing = scopes.filter((scope) => !verified.scope.includes(scope))
  if (missing.length > 0) throw insufficientScope(scopes, missing)
  const { tokenId: id, ...rest } = verified
  return { ...rest, id, via: 'token' }
}

async function findBySession(context: Context, request: HttpRequest, challenge: Challenge): Promise<Principal> {
  const session = await context.sessions.find(request)
  if (!session) throw unauthenticated(challenge)
  // A Lax cookie is not sent with forms of other sites, but it is with forms of other hosts of the same site.
  if (!safeMethods.includes(request.method) && readSender(request, context.settings.origin) === 'other')
    throw new HttpError(403, 'FORBIDDEN', 'the request came from another site')
  const { id, userId, expiresAt, roles } = session
  return { userId, via: 'session', id, scope: [], roles, expiresAt }
}

/**
 * RFC 9110 §15.5.2 requires a challenge with every 401, and no scheme for cookies is registered. This is the scheme of
 * draft-broyer-http-cookie-auth, which browsers ignore.
 */
function cookieChallenge({ cookies }: Context): Challenge {
  const cookie = `cookie-name="${cookies.sessionName}"`
  return { 'www-authenticate': `Cookie realm="session", form-action="/auth/sign-in", ${cookie}` }
}

function unauthenticated(headers: Challenge, message = 'nobody is signed in, or the token is not valid'): HttpError {
  return new HttpError(401, 'UNAUTHENTICATED', message, { headers })
}

/** RFC 6750 §3.1: `scope` names every scope that is needed, the message those that are missing. */
function insufficientScope(needed: readonly string[], missing: readonly string[]): HttpError {
  const names = missing.map((name) => `\`${name}\``).join(', ')
  const message = `the token lacks the scope${missing.length > 1 ? 's' : ''} ${names}`
  const header = `Bearer error="insufficient_scope", scope="${needed.join(' ')}"`
  return new HttpError(403, 'INSUFFICIENT_SCOPE', message, { headers: { 'www-authenticate': header } })
}

function noTokens(): HttpError {
  return new HttpError(403, 'INSUFFICIENT_SCOPE', 'this route accepts no access tokens: its guard names no scope', {
    headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' },
  })
}

/** RFC 9470 §3. */
function signInAgain(seconds: number): HttpError {
  const header = `Bearer error="insufficient_user_authentication", max_age="${seconds}"`
  return new HttpError(401, 'SIGN_IN_AGAIN', 'this needs a recent sign-in', { headers: { 'www-authenticate': header } })
}

function lacksRole(roles: readonly string[]): HttpError {
  return new HttpError(403, 'FORBIDDEN', `this needs the role ${roles.map((role) => `\`${role}\``).join(' or ')}`)
}
