import type { HttpRequest } from '@portico/http'
import type { UserStore } from '../accounts/user-store.ts'
import { userAgentOf } from '../audit.ts'
import type { StoreDeps } from '../deps.ts'
import { TOUCH_EVERY_MS } from '../lifetimes.ts'
import type { Settings } from '../options.ts'
import { createSecret, hashOf } from '../secrets.ts'
import { Session } from '../tables/sign-ins.portico.ts'
import type { Cookies } from '../web/cookies.ts'

/** A session that holds. */
export interface LiveSession {
  readonly id: string
  readonly userId: string
  /** When the person signed in here, in milliseconds since the epoch. */
  readonly createdAt: number
  /** When the provider authenticated the person; absent where it does not say. */
  readonly authenticatedAt?: number
  readonly acr?: string
  readonly amr?: readonly string[]
  /** The authorization request that the person signed in for. */
  readonly requestId?: string
  readonly expiresAt: number
  /** The roles of the user, as they are now. */
  readonly roles: readonly string[]
}

/** What a session begins with. */
export type NewSession = Pick<LiveSession, 'userId' | 'authenticatedAt' | 'acr' | 'amr' | 'requestId'> & {
  readonly provider: string
}

function describe(session: Session): Omit<LiveSession, 'expiresAt' | 'roles'> {
  const { id, userId, createdAt, authenticatedAt, acr, amr, requestId } = session
  return {
    id,
    userId,
    createdAt,
    ...(authenticatedAt !== undefined && { authenticatedAt }),
    ...(acr !== undefined && { acr }),
    ...(amr !== undefined && { amr }),
    ...(requestId !== undefined && { requestId }),
  }
}

/** Who is signed in in which browser. The cookie has a random token, the table its hash. */
export class Sessions {
  readonly #sessions
  readonly #users: UserStore
  readonly #settings: Settings
  readonly #cookies: Cookies
  readonly #now: () => number

  constructor({ db, users, settings, cookies, now }: StoreDeps & { readonly cookies: Cookies }) {
    this.#sessions = db.table(Session)
    this.#users = users
    this.#settings = settings
    this.#cookies = cookies
    this.#now = now
  }

  /** Signs a user in and returns the cookie to set. The token is always a new one, and one that was there ends. */
  async start(
    request: HttpRequest,
    { userId, provider, authenticatedAt, acr, amr, requestId }: NewSession,
  ): Promise<string> {
    await this.end(request)
    const token = createSecret()
    const now = this.#now()
    const userAgent = userAgentOf(request)
    await this.#sessions.insertOne({
      tokenHash: hashOf(token),
      userId,
      provider,
      ...(authenticatedAt !== undefined && { authenticatedAt }),
      ...(acr !== undefined && { acr }),
      ...(amr !== undefined && { amr: [...amr] }),
      ...(requestId !== undefined && { requestId }),
      ...(userAgent !== undefined && { userAgent }),
      createdAt: now,
      lastUsedAt: now,
      expiresAt: this.#expiryOf(now, now),
    })
    return this.#cookies.setSession(token)
  }

  /** The session of the request's cookie, while it and its user's account hold. Its use prolongs it. */
  async find(request: HttpRequest): Promise<LiveSession | undefined> {
    const token = this.#cookies.session(request)
    if (token === undefined) return undefined
    const session = await this.#sessions.findById(hashOf(token))
    const now = this.#now()
    if (!session || session.expiresAt <= now) return undefined
    const { tokenHash, userId, createdAt, lastUsedAt } = session
    // The absolute lifetime is asked too: a session of an earlier version, or of longer settings, has a later end.
    const expiresAt = Math.min(session.expiresAt, this.#endOf(createdAt))
    const roles = expiresAt <= now ? undefined : await this.#users.rolesSince(userId, createdAt)
    if (!roles) return undefined
    if (now - lastUsedAt < TOUCH_EVERY_MS) return { ...describe(session), expiresAt, roles }
    const prolonged = this.#expiryOf(createdAt, now)
    await this.#sessions.updateOne({ tokenHash, lastUsedAt: now, expiresAt: prolonged })
    return { ...describe(session), expiresAt: prolonged, roles }
  }

  /** Ends the session of the request's cookie and returns whose it was. */
  async end(request: HttpRequest): Promise<string | undefined> {
    const token = this.#cookies.session(request)
    if (token === undefined) return undefined
    const tokenHash = hashOf(token)
    const session = await this.#sessions.findById(tokenHash)
    await this.#sessions.deleteOne(tokenHash)
    return session?.userId
  }

  #expiryOf(createdAt: number, usedAt: number): number {
    return Math.min(usedAt + this.#settings.lifetimes.sessionSec * 1000, this.#endOf(createdAt))
  }

  #endOf(createdAt: number): number {
    return createdAt + this.#settings.lifetimes.sessionMaxSec * 1000
  }
}
