import { randomUUID } from 'node:crypto'
import type { Database } from '@portico/db'
import { foldEmail, UserConflictError } from '@portico/identity'
import { AuthServerError } from '../errors.ts'
import { readRoles } from '../roles.ts'
import { createSecret, hashOf } from '../secrets.ts'
import { Invitation, User } from '../tables/accounts.portico.ts'
import { isUniqueViolation } from '../unique-violation.ts'

/** The person to invite. */
export interface Invitee {
  readonly email: string
  /** The roles of the new account; see `users.setRoles`. */
  readonly roles?: readonly string[] | undefined
  /** Lifetime of the invitation. Default 604800 (7 days), at most a year. */
  readonly expiresInSec?: number | undefined
}

/** A new invitation. Send `url` to the address: whoever has it can complete the account. */
export interface Invited {
  readonly userId: string
  readonly url: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

interface InviteDeps {
  readonly db: Database
  readonly now: () => number
  readonly origin: string
}

const MAX_SEC = 366 * 86_400
const MAX_EMAIL = 320

/** Creates a pending account and a link to it. */
export async function invite({ db, now, origin }: InviteDeps, invitee: Invitee): Promise<Invited> {
  const { email, roles, expiresInSec = 7 * 86_400 } = invitee
  checkInvitee(email, expiresInSec)
  const expiresAt = now() + expiresInSec * 1000
  const userId = await ensurePendingUser(db, now(), {
    email,
    invitedUntil: expiresAt,
    ...(roles !== undefined && { roles: readRoles(roles) }),
  })
  const token = createSecret()
  const invitations = db.table(Invitation)
  await invitations.deleteMany({ userId })
  await invitations.insertOne({ id: hashOf(token), userId, expiresAt })
  return { userId, url: `${origin}/auth/invitation?token=${token}`, expiresAt }
}

function checkInvitee(email: unknown, expiresInSec: unknown): void {
  if (typeof email !== 'string' || email.length > MAX_EMAIL || !/^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(email))
    throw new AuthServerError('email must be an e-mail address', 'INVITATION_INVALID')
  if (!Number.isSafeInteger(expiresInSec) || (expiresInSec as number) < 1 || (expiresInSec as number) > MAX_SEC)
    throw new AuthServerError(
      `expiresInSec must be a whole number of seconds from 1 to ${MAX_SEC}`,
      'INVITATION_INVALID',
    )
}

interface Pending {
  readonly email: string
  readonly invitedUntil: number
  readonly roles?: string[]
}

/**
 * The pending account of an address; an existing one is reused. Usernames are unique and derived from the address, so
 * of several concurrent calls for one address one creates the account and the others find it.
 */
async function ensurePendingUser(db: Database, now: number, pending: Pending): Promise<string> {
  const users = db.table(User)
  const emailFolded = foldEmail(pending.email)
  const record = { ...pending, emailFolded, emailVerified: false, provisioned: true, active: false, createdAt: now }
  // An account whose address has changed since may hold the first name, or even the second.
  for (const username of [emailFolded, `invited:${hashOf(emailFolded)}`, `invited:${randomUUID()}`]) {
    const pendingId = await findPendingUser(db, emailFolded)
    if (pendingId !== undefined) {
      await users.updateOne({ id: pendingId, ...pending, emailFolded })
      return pendingId
    }
    try {
      return (await users.insertOne({ ...record, username })).id
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
    }
  }
  throw new UserConflictError()
}

async function findPendingUser(db: Database, emailFolded: string): Promise<string | undefined> {
  const same = await db.table(User).findMany({ where: { emailFolded }, orderBy: { createdAt: 'asc' }, limit: 100 })
  const pending = same.find((it) => it.provisioned === true && !it.active)
  if (same.some((it) => it !== pending)) throw new UserConflictError('An account with this address already exists')
  return pending?.id
}
