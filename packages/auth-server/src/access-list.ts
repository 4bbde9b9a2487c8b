import type { Context } from './context.ts'
import { AccessToken } from './tables/grants.portico.ts'
import { Session } from './tables/sign-ins.portico.ts'

/** A session or token of a user: a browser, or a program. */
export interface Access {
  readonly id: string
  readonly kind: 'session' | 'token'
  /** The provider that the person signed in with, of a session. */
  readonly provider?: string
  /** The registered client of a token. */
  readonly clientId?: string
  /** The scopes of a token, separated by spaces. */
  readonly scope?: string
  /** The `User-Agent` of the browser or program. */
  readonly userAgent?: string
  /** Milliseconds since the epoch, like the other times. */
  readonly createdAt: number
  readonly lastUsedAt?: number
  readonly expiresAt: number
}

/** The sessions and tokens of a user, newest first. */
export async function listAccess({ db, now, settings }: Context, userId: string): Promise<Access[]> {
  const isLive = { userId, expiresAt: { $gt: now() } }
  const [sessions, tokens] = await Promise.all([
    db.table(Session).findMany({
      where: isLive,
      select: ['id', 'provider', 'userAgent', 'createdAt', 'lastUsedAt', 'expiresAt'],
    }),
    db.table(AccessToken).findMany({
      where: { ...isLive, revokedAt: null },
      select: ['id', 'clientId', 'scope', 'userAgent', 'createdAt', 'lastUsedAt', 'expiresAt'],
    }),
  ])
  const all: Access[] = [
    ...sessions.map((it) => ({ ...it, kind: 'session' as const })),
    // Tokens of a client that was removed are not valid.
    ...tokens
      .filter(({ clientId: id }) => id === undefined || settings.clients.has(id))
      .map((it) => ({ ...it, kind: 'token' as const })),
  ]
  return all.sort((a, b) => b.createdAt - a.createdAt)
}

/** Ends one session or token of the user. Returns false if there is no such session or token. */
export async function revokeAccess({ db, now, audit }: Context, userId: string, id: string): Promise<boolean> {
  const { deletedCount } = await db.table(Session).deleteMany({ id, userId })
  const tokens = db.table(AccessToken)
  const { modifiedCount } = await tokens.updateMany({ id, userId, revokedAt: null }, { revokedAt: now() })
  if (deletedCount + modifiedCount === 0) return false
  const { clientId } = (await tokens.findOne({ where: { id, userId }, select: ['clientId'] })) ?? {}
  await audit(undefined, { event: 'revocation', outcome: 'granted', userId, clientId })
  return true
}
