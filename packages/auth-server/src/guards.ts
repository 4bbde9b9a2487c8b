import { defineGuard, type Guard, HttpError, type HttpRequest, type RequestValue, requestValue } from '@portico/http'
import type { Context } from './context.ts'
import { AuthServerError } from './errors.ts'
import { isOpenidScope } from './scope.ts'
import { type Challenge, challengeOf, readBearer } from './token/bearer.ts'
import { readSender } from './web/forms.ts'

/** Who makes a request, and by what right. */
export interface Principal {
  readonly userId: string
  readonly via: 'token' | 'session'
  /** Id of the token or session, fit for lists and revocation. */
  readonly id: string
  /** The registered client of a token. */
  readonly clientId?: string
  /** What a token may do; a session may do everything and has none. */
  readonly scope: readonly string[]
  /** What the person is (`users.setRoles`), as of now. */
  readonly roles: readonly string[]
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

/** A guard as it is, and a function that makes one with scopes. */
export interface SignedInGuard {
  /** As a guard: takes the session of a browser, and no token. */
  (request: HttpRequest): Promise<void>
  /** Takes the session of a browser, or an access token that has all these scopes. */
  (...scopes: readonly string[]): Guard
  /** The security scheme that it asks for, by its name in the API description. */
  readonly security: string
}

/** Guards for an application's own routes; each leaves the {@link Principal} behind. */
export interface AuthGuards {
  /** Takes an access token that has all these scopes; at least one has to be named. */
  bearer(...scopes: readonly string[]): Guard
  /** Takes the session of a browser. What changes something must come from a page of this site. */
  readonly session: Guard
  /**
   * Takes the session of a browser or an access token: `guards.signedIn('tasks')`. A token needs the scopes that the guard
   * names; where it names none, as in `guards.signedIn` alone, no token passes. The OpenID scopes open nothing.
   */
  readonly signedIn: SignedInGuard
  /**
   * Takes people who have one of these roles. Alone it takes sessions; after a guard that names scopes, whoever that one
   * took: `guards: [guards.signedIn('admin'), guards.role('admin')]`.
   */
  role(...roles: readonly string[]): Guard
  /**
   * Takes the session of a browser whose person the provider authenticated at most this many seconds ago. Anybody else gets
   * 401 `SIGN_IN_AGAIN`: send them to `/auth/sign-in?prompt=login&return_to=…`.
   */
  recent(seconds: number): Guard
  /** Who makes the request; set by the guards. */
  readonly principal: RequestValue<Principal>
}

/** What the guards ask for, for the `securitySchemes` of an API description: a type, since no interface fits a record there. */
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
        `guards.${guard}: ${names.join(' ')} opens no route, as OpenID scopes do not: name another`,
      )
    return names
  }
  const byToken = (request: HttpRequest, scopes: readonly string[]) => findByToken(context, request, scopes)
  const bySession = (request: HttpRequest) => findBySession(context, request, cookieChallenge(context))
  const bySessionAlone = async (request: HttpRequest) => {
    if (request.headers.authorization === undefined) return bySession(request)
    // A token that was brought along is refused, not passed over: it may be another person's than the cookie.
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
        // A provider that does not say when it authenticated somebody cannot show that it was recent.
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

export function describeSecurity({ cookies }: Context): AuthSecuritySchemes {
  return {
    bearer: { type: 'http', scheme: 'bearer' },
    session: { type: 'apiKey', in: 'cookie', name: cookies.sessionName },
  }
}

/** Such as a request: a function that makes guards was given in place of a guard. It never lets anybody pass. */
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
  // A Lax cookie stays at home in forms of other sites; in those of other hosts of the same site it does not.
  if (!safeMethods.includes(request.method) && readSender(request, context.settings.origin) === 'other')
    throw new HttpError(403, 'FORBIDDEN', 'the request comes from another site')
  const { id, userId, expiresAt, roles } = session
  return { userId, via: 'session', id, scope: [], roles, expiresAt }
}

/**
 * RFC 9110 §15.5.2 wants a challenge with every 401, and there is none for cookies in the registry: this is the scheme of
 * draft-broyer-http-cookie-auth, which browsers do not act on.
 */
function cookieChallenge({ cookies }: Context): Challenge {
  const cookie = `cookie-name="${cookies.sessionName}"`
  return { 'www-authenticate': `Cookie realm="session", form-action="/auth/sign-in", ${cookie}` }
}

function unauthenticated(headers: Challenge): HttpError {
  return new HttpError(401, 'UNAUTHENTICATED', 'nobody is signed in, or the token does not hold', { headers })
}

/** RFC 6750 §3.1: `scope` names everything that is needed, the message what is missing. */
function insufficientScope(needed: readonly string[], missing: readonly string[]): HttpError {
  const names = missing.map((name) => `\`${name}\``).join(', ')
  const message = `the token lacks the scope${missing.length > 1 ? 's' : ''} ${names}`
  const header = `Bearer error="insufficient_scope", scope="${needed.join(' ')}"`
  return new HttpError(403, 'INSUFFICIENT_SCOPE', message, { headers: { 'www-authenticate': header } })
}

function noTokens(): HttpError {
  return new HttpError(403, 'INSUFFICIENT_SCOPE', 'this takes no access tokens: its guard names no scope', {
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
