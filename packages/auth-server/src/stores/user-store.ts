import { type Database, DbError } from '@portico/db'
import {
  foldEmail,
  type NewFederatedIdentity,
  UserConflictError,
  type UserExtras,
  type UserProfileChanges,
  type UserRecord,
  type UserService,
} from '@portico/identity'
import type { Audit } from '../audit.ts'
import { readRoles } from '../roles.ts'
import { Identity, type IdentityInsert, User, type UserInsert } from '../tables/accounts.portico.ts'
import { isUniqueViolation } from '../unique-violation.ts'
import { endAccess } from './end-access.ts'
import { type Invited, type Invitee, invite } from './invite.ts'
import { snapshotOf } from './snapshot.ts'

/** The fields of a user beyond `UserRecord`. */
export interface UserDetails {
  readonly displayName?: string
  readonly disabledAt?: number
  /** The roles of the person, such as `admin`; absent if the person has none. */
  readonly roles?: readonly string[]
  /** The time of the last `endAll` or `disable`: older sessions and tokens are not valid. */
  readonly endedAt?: number
  readonly createdAt: number
}

/** The name of a user on pages. */
export function nameOf(user: (UserRecord & UserDetails) | null): string {
  return user?.displayName ?? user?.username ?? ''
}

/** The users of this server, in its database. */
export class UserStore implements UserService<UserDetails> {
  readonly #db: Database
  readonly #users
  readonly #now: () => number
  readonly #audit: Audit | undefined
  readonly #origin: string

  constructor(db: Database, now: () => number, audit?: Audit, origin = '') {
    this.#db = db
    this.#users = db.table(User)
    this.#now = now
    this.#audit = audit
    this.#origin = origin
  }

  async findByEmail(email: string): Promise<(UserRecord & UserDetails) | null> {
    // An expired invitation does not reserve its address.
    const isOpen = { $or: [{ invitedUntil: null }, { invitedUntil: { $gt: this.#now() } }] }
    const where = { emailFolded: foldEmail(email), ...isOpen }
    return publicOf(
      await this.#users.findOne({ where, orderBy: { emailVerified: 'desc', createdAt: 'asc', id: 'asc' } }),
    )
  }

  async findById(id: string): Promise<(UserRecord & UserDetails) | null> {
    return publicOf(await this.#users.findById(id))
  }

  /**
   * Creates an account for somebody who has not signed in yet. If you know that the address is theirs
   * (`emailVerified`), the first sign-in with that address, verified by a trusted provider, completes it, even with
   * `allowSignup: false`.
   */
  async createUser(username: string, extras: UserExtras = {}): Promise<UserRecord & UserDetails> {
    const { email, emailVerified, provisioned = email !== undefined && emailVerified === true } = extras
    const described = { ...this.#describe(username, extras), ...(provisioned && { provisioned }) }
    return publicOf(await refuseTaken(this.#users.insertOne({ ...described, active: false })))
  }

  /**
   * Creates an account for somebody, and a single-use link that completes it at their first sign-in. A sign-in with the
   * address, verified by a trusted provider, completes it too. Inviting the same address again replaces the link.
   *
   * ```ts
   * const { url } = await server.users.invite({ email: 'ada@example.com', roles: ['editor'], expiresInSec: 7 * 86_400 })
   * ```
   */
  async invite(invitee: Invitee): Promise<Invited> {
    const invited = await invite({ db: this.#db, now: this.#now, origin: this.#origin }, invitee)
    await this.#auditChange(invited.userId, 'invited')
    return invited
  }

  /** True for an account whose person has not signed in yet. */
  async isPending(id: string): Promise<boolean> {
    const user = await this.#users.findById(id, { select: ['provisioned', 'active'] })
    return user?.provisioned === true && !user.active
  }

  /** Takes over the profile of a provider. Values set by {@link setProfile} stay. */
  async updateProfile(id: string, changes: UserProfileChanges): Promise<(keyof UserProfileChanges)[]> {
    const user = await this.#users.findById(id)
    if (!user) return []
    const { email, emailVerified, displayName } = changes
    const wanted = {
      ...(user.emailSetAt === undefined && { email, emailVerified }),
      ...(user.nameSetAt === undefined && { displayName }),
    }
    const changed = (['email', 'emailVerified', 'displayName'] as const).filter(
      (name) => wanted[name] !== undefined && wanted[name] !== user[name],
    )
    if (changed.length === 0) return []
    const values = Object.fromEntries(changed.map((name) => [name, wanted[name]]))
    const folded = changed.includes('email') && { emailFolded: foldEmail(email!) }
    await this.#users.updateOne({ id, ...values, ...folded })
    return changed
  }

  /**
   * Sets the address or name that a person chose. Providers do not change it from then on. The address counts as
   * verified only if you say so. Returns false if there is no such user.
   */
  async setProfile(id: string, { email, emailVerified = false, displayName }: UserProfileChanges): Promise<boolean> {
    const at = this.#now()
    const address = email !== undefined && { email, emailFolded: foldEmail(email), emailVerified, emailSetAt: at }
    const name = displayName !== undefined && { displayName, nameSetAt: at }
    if (!address && !name) return (await this.#users.findById(id, { select: ['id'] })) !== undefined
    if ((await this.#users.updateMany({ id }, { ...address, ...name })).matchedCount === 0) return false
    await this.#auditChange(id, `set: ${[address && 'email', name && 'displayName'].filter(Boolean).join(', ')}`)
    return true
  }

  /** Creates an account and its first identity, both or neither. */
  async createLinkedUser(
    username: string,
    extras: UserExtras,
    { provider, subject, ...profile }: Omit<NewFederatedIdentity, 'userId'>,
  ): Promise<UserRecord & UserDetails> {
    const described = this.#describe(username, extras)
    const identityOf = ({ id: userId, createdAt: linkedAt }: User) => {
      return { provider, subject, userId, ...snapshotOf(profile), linkedAt }
    }
    try {
      return await refuseTaken(
        this.#db.transaction(async (tx) => {
          const user = await tx.table(User).insertOne({ ...described, active: true })
          await tx.table(Identity).insertOne(identityOf(user))
          return publicOf(user)
        }),
      )
    } catch (error) {
      if (!(error instanceof DbError && error.code === 'TRANSACTIONS_UNSUPPORTED')) throw error
      return refuseTaken(this.#createInSteps(described, identityOf))
    }
  }

  /**
   * Without transactions, a process that stops halfway leaves an inactive user without an address: nobody can sign in
   * to it, and the owner of the address is not locked out.
   */
  async #createInSteps(
    { username, createdAt, ...address }: Omit<UserInsert, 'active'>,
    identityOf: (user: User) => IdentityInsert,
  ): Promise<UserRecord & UserDetails> {
    const user = await this.#users.insertOne({ username, createdAt, emailVerified: false, active: false })
    try {
      await this.#db.table(Identity).insertOne(identityOf(user))
    } catch (error) {
      await this.#users.deleteOne(user.id)
      throw error
    }
    await this.#users.updateOne({ id: user.id, ...address, active: true })
    return publicOf((await this.#users.findById(user.id))!)
  }

  /** Activates an account once it has an identity. A disabled account stays disabled. */
  async activateAccount(id: string): Promise<void> {
    const isSettled = { provisioned: null, invitedUntil: null }
    await this.#users.updateMany({ id, disabledAt: null }, { active: true, ...isSettled })
  }

  /** True if the user exists and the account is active. */
  async isActive(id: string): Promise<boolean> {
    return (await this.#users.findById(id, { select: ['active'] }))?.active === true
  }

  /**
   * The roles of an active account, for a session or token that started at this time; `undefined` if it was ended
   * since, or the account is not active.
   */
  async rolesSince(id: string, startedAt: number): Promise<readonly string[] | undefined> {
    const user = await this.#users.findById(id, { select: ['active', 'roles', 'endedAt'] })
    return user?.active === true && startedAt >= (user.endedAt ?? 0) ? (user.roles ?? []) : undefined
  }

  /** Replaces the roles of a person, effective immediately. Returns false if there is no such user. */
  async setRoles(id: string, roles: readonly string[]): Promise<boolean> {
    const names = readRoles(roles)
    if ((await this.#users.updateMany({ id }, { roles: names })).matchedCount === 0) return false
    await this.#auditChange(id, `roles: ${names.join(', ') || 'none'}`)
    return true
  }

  /** Ends every session, code and token of a user. They can sign in again. Returns false if there is no such user. */
  async endAll(id: string): Promise<boolean> {
    const now = this.#now()
    if ((await this.#users.updateMany({ id }, { endedAt: now })).matchedCount === 0) return false
    await endAccess(this.#db, id, now)
    await this.#auditChange(id, 'all access ended')
    return true
  }

  /** Disables an account: its sessions and tokens end immediately and for good, and nobody can sign in to it. */
  async disable(id: string): Promise<void> {
    const now = this.#now()
    const changes = { active: false, disabledAt: now, endedAt: now, provisioned: null, invitedUntil: null }
    if ((await this.#users.updateMany({ id }, changes)).matchedCount === 0) return
    await endAccess(this.#db, id, now)
    await this.#auditChange(id, 'disabled')
  }

  /** Lets the person sign in again. Sessions and tokens that `disable` ended stay ended. */
  async enable(id: string): Promise<void> {
    const { matchedCount } = await this.#users.updateMany({ id }, { active: true, disabledAt: null })
    if (matchedCount > 0) await this.#auditChange(id, 'enabled')
  }

  async #auditChange(userId: string, reason: string): Promise<void> {
    await this.#audit?.(undefined, { event: 'account', outcome: 'granted', userId, reason })
  }

  /** Stores the first name that a provider reports. */
  async setFirstName(id: string, displayName: string | undefined): Promise<void> {
    if (displayName !== undefined) await this.#users.updateMany({ id, displayName: null }, { displayName })
  }

  async deleteUser(id: string): Promise<void> {
    await this.#users.deleteOne(id)
  }

  #describe(username: string, { email, emailVerified = false }: UserExtras): Omit<UserInsert, 'active'> {
    const address = email === undefined ? {} : { email, emailFolded: foldEmail(email) }
    return { username, ...address, emailVerified, createdAt: this.#now() }
  }
}

/** A user without the columns that only this store uses. */
function publicOf(user: User): UserRecord & UserDetails
function publicOf(user: User | undefined): (UserRecord & UserDetails) | null
function publicOf(user: User | undefined): (UserRecord & UserDetails) | null {
  if (!user) return null
  const { emailFolded: _, emailSetAt: _email, nameSetAt: _name, invitedUntil: _until, ...rest } = user
  return rest
}

async function refuseTaken<T>(made: Promise<T>): Promise<T> {
  try {
    return await made
  } catch (error) {
    if (isUniqueViolation(error)) throw new UserConflictError()
    throw error
  }
}
