import type { Database } from '@portico/db'
import {
  foldEmail,
  type NewFederatedIdentity,
  UserConflictError,
  type UserExtras,
  type UserRecord,
  type UserService,
} from '@portico/identity'
import { Identity, User, type UserInsert } from '../tables/accounts.portico.ts'
import { snapshotOf } from './snapshot.ts'
import { isUniqueViolation } from './unique-violation.ts'

/** What is kept of a user beyond `UserRecord`. */
export interface UserDetails {
  readonly displayName?: string
  readonly disabledAt?: number
  readonly createdAt: number
}

/** What a user is called on pages. */
export function nameOf(user: (UserRecord & UserDetails) | null): string {
  return user?.displayName ?? user?.username ?? ''
}

/** The users of this server, in its database. */
export class UserStore implements UserService<UserDetails> {
  readonly #db: Database
  readonly #users
  readonly #now: () => number

  constructor(db: Database, now: () => number) {
    this.#db = db
    this.#users = db.table(User)
    this.#now = now
  }

  async findByEmail(email: string): Promise<(UserRecord & UserDetails) | null> {
    const where = { emailFolded: foldEmail(email) }
    return (
      (await this.#users.findOne({ where, orderBy: { emailVerified: 'desc', createdAt: 'asc', id: 'asc' } })) ?? null
    )
  }

  async findById(id: string): Promise<(UserRecord & UserDetails) | null> {
    return (await this.#users.findById(id)) ?? null
  }

  async createUser(username: string, extras: UserExtras = {}): Promise<UserRecord & UserDetails> {
    return refuseTaken(this.#users.insertOne({ ...this.#describe(username, extras), active: false }))
  }

  /** Opens an account with its first identity, both or neither. */
  async createLinkedUser(
    username: string,
    extras: UserExtras,
    { provider, subject, ...profile }: Omit<NewFederatedIdentity, 'userId'>,
  ): Promise<UserRecord & UserDetails> {
    return refuseTaken(
      this.#db.transaction(async (tx) => {
        const user = await tx.table(User).insertOne({ ...this.#describe(username, extras), active: true })
        const identity = { provider, subject, userId: user.id, ...snapshotOf(profile), linkedAt: user.createdAt }
        await tx.table(Identity).insertOne(identity)
        return user
      }),
    )
  }

  /** Opens a new account, once it has an identity. One that is disabled stays so. */
  async activateAccount(id: string): Promise<void> {
    await this.#users.updateMany({ id, disabledAt: null }, { active: true })
  }

  /** Whether there is such a user, whose account is open. */
  async isActive(id: string): Promise<boolean> {
    return (await this.#users.findById(id, { select: ['active'] }))?.active === true
  }

  /** Disables an account: its sessions and tokens stop to hold at once, and nobody can sign in to it. */
  async disable(id: string): Promise<void> {
    await this.#users.updateOne({ id, active: false, disabledAt: this.#now() })
  }

  /** Takes `disable` back. What has not expired meanwhile holds again. */
  async enable(id: string): Promise<void> {
    await this.#users.updateOne({ id, active: true, disabledAt: null })
  }

  /** Remembers a name the first time that one is told. */
  async noteName(id: string, displayName: string | undefined): Promise<void> {
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

async function refuseTaken<T>(made: Promise<T>): Promise<T> {
  try {
    return await made
  } catch (error) {
    if (isUniqueViolation(error)) throw new UserConflictError()
    throw error
  }
}
