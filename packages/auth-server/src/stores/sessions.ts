import type { HttpRequest } from '@portico/http'
import { userAgentOf } from '../audit.ts'
import { TOUCH_EVERY_MS } from '../lifetimes.ts'
import type { Settings } from '../options.ts'
import { createSecret, hashOf } from '../secrets.ts'
import { Session } from '../tables/sign-ins.portico.ts'
import type { Cookies } from '../web/cookies.ts'
import type { StoreDeps } from './store-deps.ts'
import type { UserStore } from './user-store.ts'

/** A valid session. */
export interface LiveSession {
  readonly id: string
  readonly userId: string
  /** The provider that the person signed in with. */
  readonly provider: string
  /** The time of the sign-in here, in milliseconds since the epoch. */
  readonly createdAt: number
  /** The time the provider authenticated the person; absent if it does not report one. */
  readonly authenticatedAt?: number | undefined
  readonly acr?: string | undefined
  readonly amr?: readonly string[] | undefined
  /** The authorization request that the person signed in for. */
  readonly requestId?: string | undefined
  readonly expiresAt: number
  /** The current roles of the user. */
  readonly roles: readonly string[]
}

/** The fields of a new session. */
export type NewSession = Pick<LiveSession, 'userId' | 'provider' | 'authenticatedAt' | 'acr' | 'amr' | 'requestId'>

function describe(session: Session): Omit<LiveSession, 'expiresAt' | 'roles'> {
  const { id, userId, provider, createdAt, authenticatedAt, acr, amr, requestId } = session
  return { id, userId, provider, createdAt, authenticatedAt, acr, amr, requestId }
}

/** The sessions of browsers. The cookie holds a random token, the table its hash. */
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

  /**
   * Signs a user in and returns the cookie to set. The token is always new, and a session that the browser already has
   * ends.
   */
  async start(
    request: HttpRequest,
    { userId, provider, authenticatedAt, acr, amr, requestId }: NewSession,
  ): Promise<string> {
    await this.end(request)
    const token = createSecret()
    const now = this.#now()
    await this.#sessions.insertOne({
      tokenHash: hashOf(token),
      userId,
      provider,
      authenticatedAt: authenticatedAt ?? null,
      acr: acr ?? null,
      amr: amr ? [...amr] : null,
      requestId: requestId ?? null,
      userAgent: userAgentOf(request) ?? null,
      createdAt: now,
      lastUsedAt: now,
      expiresAt: this.#expiryOf(now, now),
    })
    return this.#cookies.setSession(token)
  }

  /** The session of the cookie, if the session and the account are valid. Using a session extends it. */
  async find(request: HttpRequest): Promise<LiveSession | undefined> {
    const token = this.#cookies.session(request)
    if (token === undefined) return undefined
    const session = await this.#sessions.findById(hashOf(token))
    const now = this.#now()
    if (!session || session.expiresAt <= now) return undefined
    const { tokenHash, userId, createdAt, lastUsedAt } = session
    // The absolute lifetime is checked as well: a row from an older version or longer settings may expire later.
    const expiresAt = Math.min(session.expiresAt, this.#endOf(createdAt))
    const roles = expiresAt <= now ? undefined : await this.#users.rolesSince(userId, createdAt)
    if (!roles) return undefined
    if (now - lastUsedAt < TOUCH_EVERY_MS) return { ...describe(session), expiresAt, roles }
    const prolonged = this.#expiryOf(createdAt, now)
    await this.#sessions.updateOne({ tokenHash, lastUsedAt: now, expiresAt: prolonged })
    return { ...describe(session), expiresAt: prolonged, roles }
  }

  /** Ends the session of the cookie and returns the id of its user. */
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
