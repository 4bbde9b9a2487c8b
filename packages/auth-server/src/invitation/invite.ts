import { randomUUID } from 'node:crypto'
import type { Database } from '@portico/db'
import { foldEmail, UserConflictError } from '@portico/identity'
import { readRoles } from '../accounts/roles.ts'
import { isUniqueViolation } from '../accounts/unique-violation.ts'
import { AuthServerError } from '../errors.ts'
import { createSecret, hashOf } from '../secrets.ts'
import { Invitation, User } from '../tables/accounts.portico.ts'

/** Who is invited. */
export interface Invitee {
  readonly email: string
  /** What the person will be; see `users.setRoles`. */
  readonly roles?: readonly string[] | undefined
  /** How long the invitation holds. Default 604800 (7 days), at most a year. */
  readonly expiresInSec?: number | undefined
}

/** An invitation that was made. Send `url` to the address: whoever has it can complete the account. */
export interface Invited {
  readonly userId: string
  readonly url: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

interface Place {
  readonly db: Database
  readonly now: () => number
  readonly origin: string
}

const MAX_SEC = 366 * 86_400
const MAX_EMAIL = 320

/** Makes a pending account and a link to it. */
export async function invite({ db, now, origin }: Place, invitee: Invitee): Promise<Invited> {
  const { email, roles, expiresInSec = 7 * 86_400 } = invitee
  checkInvitee(email, expiresInSec)
  const expiresAt = now() + expiresInSec * 1000
  const userId = await makePending(db, now(), {
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
 * The account that waits for the person: one that was made before serves again. Names are unique and made from the address,
 * so that of several calls at once for one address one makes the account, and the others find it.
 */
async function makePending(db: Database, now: number, pending: Pending): Promise<string> {
  const users = db.table(User)
  const emailFolded = foldEmail(pending.email)
  const record = { ...pending, emailFolded, emailVerified: false, provisioned: true, active: false, createdAt: now }
  // An account with another address by now may have the first name, and even the second.
  for (const username of [emailFolded, `invited:${hashOf(emailFolded)}`, `invited:${randomUUID()}`]) {
    const waiting = await findWaiting(db, emailFolded)
    if (waiting !== undefined) {
      await users.updateOne({ id: waiting, ...pending, emailFolded })
      return waiting
    }
    try {
      return (await users.insertOne({ ...record, username })).id
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
    }
  }
  throw new UserConflictError()
}

async function findWaiting(db: Database, emailFolded: string): Promise<string | undefined> {
  const same = await db.table(User).findMany({ where: { emailFolded }, orderBy: { createdAt: 'asc' }, limit: 100 })
  const waiting = same.find((it) => it.provisioned === true && !it.active)
  if (same.some((it) => it !== waiting)) throw new UserConflictError('An account with this address exists already')
  return waiting?.id
}
