import type { HttpRequest } from '@portico/http'
import type { UserStore } from '../accounts/user-store.ts'
import { userAgentOf } from '../audit.ts'
import type { StoreDeps } from '../deps.ts'
import { TOUCH_EVERY_MS } from '../lifetimes.ts'
import type { Settings } from '../options.ts'
import { narrowToClient, narrowToRoles, readScope } from '../scope.ts'
import { createSecret, hashOf } from '../secrets.ts'
import { AccessToken, type AuthorizationCode } from '../tables/grants.portico.ts'

/** An access token that holds. */
export interface VerifiedToken {
  /** Names the token without being it: fit for logs, lists and revocation. */
  readonly tokenId: string
  readonly userId: string
  /** Absent for a loopback client. */
  readonly clientId?: string
  /** What it may do now: what the server, the client or the person's roles no longer allow is left out. */
  readonly scope: readonly string[]
  /** The roles of its user, as they are now. */
  readonly roles: readonly string[]
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

/** A token at the one moment when it is known. */
export interface IssuedToken {
  readonly token: string
  readonly expiresInSec: number
  readonly scope: string
}

/** Opaque access tokens: random, stored as hashes, each revocable. */
export class AccessTokens {
  readonly #tokens
  readonly #users: UserStore
  readonly #settings: Settings
  readonly #now: () => number

  constructor({ db, users, settings, now }: StoreDeps) {
    this.#tokens = db.table(AccessToken)
    this.#users = users
    this.#settings = settings
    this.#now = now
  }

  async issue(request: HttpRequest, code: AuthorizationCode, roles: readonly string[]): Promise<IssuedToken> {
    const { id: codeHash, userId, clientId } = code
    const scope = this.#scopeOf(code, roles).join(' ')
    const { loopbackTokenSec, clientTokenSec } = this.#settings.lifetimes
    const expiresInSec = clientId === undefined ? loopbackTokenSec : clientTokenSec
    const token = createSecret()
    const createdAt = this.#now()
    const userAgent = userAgentOf(request)
    await this.#tokens.insertOne({
      tokenHash: hashOf(token),
      codeHash,
      userId,
      ...(clientId !== undefined && { clientId }),
      scope,
      ...(userAgent !== undefined && { userAgent }),
      createdAt,
      expiresAt: createdAt + expiresInSec * 1000,
    })
    return { token, expiresInSec, scope }
  }

  /** What a token stands for, while it, its client and its user's account hold; `undefined` otherwise, whatever the reason. */
  async verify(token: string): Promise<VerifiedToken | undefined> {
    if (!isToken(token)) return undefined
    const found = await this.#tokens.findById(hashOf(token))
    const now = this.#now()
    if (!found || found.revokedAt !== undefined || found.expiresAt <= now) return undefined
    const { tokenHash, id, userId, clientId, createdAt, expiresAt, lastUsedAt = 0 } = found
    if (clientId !== undefined && !this.#settings.clients.has(clientId)) return undefined
    const roles = await this.#users.rolesSince(userId, createdAt)
    if (!roles) return undefined
    if (now - lastUsedAt >= TOUCH_EVERY_MS) await this.#tokens.updateOne({ tokenHash, lastUsedAt: now })
    const client = clientId !== undefined && { clientId }
    return { tokenId: id, userId, ...client, scope: this.#scopeOf(found, roles), roles, expiresAt }
  }

  /** What was granted, as far as it is still allowed. */
  #scopeOf(
    { clientId, scope }: { readonly clientId?: string; readonly scope: string },
    roles: readonly string[],
  ): string[] {
    const { scopes, clients } = this.#settings
    const client = clientId === undefined ? undefined : clients.get(clientId)
    return narrowToRoles(scopes, narrowToClient(scopes, readScope(scope), client), roles)
  }

  /** The token's record, revoked or not. */
  async find(token: string): Promise<AccessToken | undefined> {
    return isToken(token) ? this.#tokens.findById(hashOf(token)) : undefined
  }

  async revoke(id: string): Promise<boolean> {
    return (await this.#tokens.updateMany({ id, revokedAt: null }, { revokedAt: this.#now() })).modifiedCount > 0
  }

  async revokeOfCode(codeHash: string): Promise<void> {
    await this.#tokens.updateMany({ codeHash, revokedAt: null }, { revokedAt: this.#now() })
  }
}

/** Anything else is not looked up at all. */
function isToken(token: unknown): token is string {
  return typeof token === 'string' && /^[\w-]{43}$/.test(token)
}
