import type { Context } from './context.ts'
import { AccessToken } from './tables/grants.portico.ts'
import { Session } from './tables/sign-ins.portico.ts'

/** A place where a user is signed in: a browser, or a program with a token. */
export interface Access {
  readonly id: string
  readonly kind: 'session' | 'token'
  /** The registered client of a token. */
  readonly clientId?: string
  /** The scopes of a token, with spaces between them. */
  readonly scope?: string
  /** What the browser or program calls itself. */
  readonly userAgent?: string
  /** Milliseconds since the epoch, as are the others. */
  readonly createdAt: number
  readonly lastUsedAt?: number
  readonly expiresAt: number
}

/** Where a user is signed in, newest first. */
export async function listAccess({ db, now, settings }: Context, userId: string): Promise<Access[]> {
  const isLive = { userId, expiresAt: { $gt: now() } }
  const [sessions, tokens] = await Promise.all([
    db.table(Session).findMany({
      where: isLive,
      select: ['id', 'userAgent', 'createdAt', 'lastUsedAt', 'expiresAt'],
    }),
    db.table(AccessToken).findMany({
      where: { ...isLive, revokedAt: null },
      select: ['id', 'clientId', 'scope', 'userAgent', 'createdAt', 'lastUsedAt', 'expiresAt'],
    }),
  ])
  const all: Access[] = [
    ...sessions.map((it) => ({ ...it, kind: 'session' as const })),
    // The tokens of a client that was removed do not hold.
    ...tokens
      .filter(({ clientId: id }) => id === undefined || settings.clients.has(id))
      .map((it) => ({ ...it, kind: 'token' as const })),
  ]
  return all.sort((a, b) => b.createdAt - a.createdAt)
}

/** Ends one of the user's own sessions or tokens; whether there was one. */
export async function revokeAccess({ db, now, audit }: Context, userId: string, id: string): Promise<boolean> {
  const { deletedCount } = await db.table(Session).deleteMany({ id, userId })
  const tokens = db.table(AccessToken)
  const { modifiedCount } = await tokens.updateMany({ id, userId, revokedAt: null }, { revokedAt: now() })
  if (deletedCount + modifiedCount === 0) return false
  const { clientId } = (await tokens.findOne({ where: { id, userId }, select: ['clientId'] })) ?? {}
  await audit(undefined, {
    event: 'revocation',
    outcome: 'granted',
    userId,
    ...(clientId !== undefined && { clientId }),
  })
  return true
}
