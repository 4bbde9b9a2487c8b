import { defineGuard, type Guard, HttpError, type HttpRequest, type RequestValue, requestValue } from '@portico/http'
import type { Context } from './context.ts'
import { invalidOption } from './errors.ts'
import { challengeOf, readBearer } from './token/bearer.ts'
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
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

/** Guards for an application's own routes; each leaves the {@link Principal} behind. */
export interface AuthGuards {
  /** Takes an access token; with names, one that has all these scopes. */
  bearer(...scopes: readonly string[]): Guard
  /** Takes the session of a browser. What changes something must come from a page of this site. */
  readonly session: Guard
  /** Takes either. */
  readonly signedIn: Guard
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
  const byToken = async (request: HttpRequest): Promise<Principal> => {
    const token = readBearer(request)
    const verified = token === undefined ? undefined : await context.tokens.verify(token)
    if (!verified) throw unauthenticated(challengeOf(token))
    const { tokenId: id, ...rest } = verified
    return { ...rest, id, via: 'token' }
  }
  const bySession = async (request: HttpRequest): Promise<Principal> => {
    const session = await context.sessions.find(request)
    if (!session) throw unauthenticated({})
    // A Lax cookie stays at home in forms of other sites; in those of other hosts of the same site it does not.
    if (!safeMethods.includes(request.method) && readSender(request, context.settings.origin) === 'other')
      throw new HttpError(403, 'FORBIDDEN', 'the request comes from another site')
    const { id, userId, expiresAt } = session
    return { userId, via: 'session', id, scope: [], expiresAt }
  }
  return {
    principal,
    bearer(...scopes) {
      const unknown = scopes.find((scope) => !Object.hasOwn(context.settings.scopes, scope))
      if (unknown !== undefined)
        throw invalidOption(`guards.bearer: the scope ${unknown} is not one of the option scopes`)
      return defineGuard({ security: 'bearer' }, async (request) => {
        const found = await byToken(request)
        if (!scopes.every((scope) => found.scope.includes(scope))) throw insufficientScope(scopes)
        principal.set(request, found)
      })
    },
    session: defineGuard({ security: 'session' }, async (request) => principal.set(request, await bySession(request))),
    signedIn: defineGuard({ security: 'bearer' }, async (request) => {
      const find = request.headers.authorization === undefined ? bySession : byToken
      principal.set(request, await find(request))
    }),
  }
}

export function describeSecurity({ cookies }: Context): AuthSecuritySchemes {
  return {
    bearer: { type: 'http', scheme: 'bearer' },
    session: { type: 'apiKey', in: 'cookie', name: cookies.sessionName },
  }
}

function unauthenticated(headers: Readonly<Record<string, string>>): HttpError {
  return new HttpError(401, 'UNAUTHENTICATED', 'nobody is signed in, or the token does not hold', { headers })
}

/** RFC 6750 §3.1. */
function insufficientScope(scopes: readonly string[]): HttpError {
  const header = `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`
  return new HttpError(403, 'FORBIDDEN', 'the token has not the scope for this', {
    headers: { 'www-authenticate': header },
  })
}
