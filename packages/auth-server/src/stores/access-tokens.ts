import type { HttpRequest } from '@portico/http'
import { userAgentOf } from '../audit.ts'
import { TOUCH_EVERY_MS } from '../lifetimes.ts'
import type { Settings } from '../options.ts'
import { narrowToClient, narrowToRoles, readScope } from '../scope.ts'
import { createSecret, hashOf } from '../secrets.ts'
import { AccessToken, type AuthorizationCode } from '../tables/grants.portico.ts'
import type { StoreDeps } from './store-deps.ts'
import type { UserStore } from './user-store.ts'

/** A valid access token. */
export interface VerifiedToken {
  /** Identifies the token without revealing it: for logs, lists and revocation. */
  readonly tokenId: string
  readonly userId: string
  /** Absent for a loopback client. */
  readonly clientId?: string
  /**
   * The scopes that it has now, without those that the server, the client or the roles of the person no longer allow.
   */
  readonly scope: readonly string[]
  /** The current roles of its user. */
  readonly roles: readonly string[]
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

/** A new token. Its text is known only at this moment. */
export interface IssuedToken {
  readonly token: string
  readonly expiresInSec: number
  readonly scope: string
}

/** Opaque access tokens: random, stored as hashes, each one revocable. */
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
    await this.#tokens.insertOne({
      tokenHash: hashOf(token),
      codeHash,
      userId,
      clientId: clientId ?? null,
      scope,
      userAgent: userAgentOf(request) ?? null,
      createdAt,
      expiresAt: createdAt + expiresInSec * 1000,
    })
    return { token, expiresInSec, scope }
  }

  /** The user, client and scopes of a token; `undefined` unless the token, its client and its account are valid. */
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

  /** The granted scopes that are still allowed. */
  #scopeOf(
    { clientId, scope }: { readonly clientId?: string; readonly scope: string },
    roles: readonly string[],
  ): string[] {
    const { scopes, clients } = this.#settings
    const client = clientId === undefined ? undefined : clients.get(clientId)
    return narrowToRoles(scopes, narrowToClient(scopes, readScope(scope), client), roles)
  }

  /** The row of a token, revoked or not. */
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

/** The format of our tokens. Anything else is not looked up. */
function isToken(token: unknown): token is string {
  return typeof token === 'string' && /^[\w-]{43}$/.test(token)
}
