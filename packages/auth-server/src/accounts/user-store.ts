import { type Database, DbError } from '@portico/db'
import {
  foldEmail,
  type NewFederatedIdentity,
  UserConflictError,
  type UserExtras,
  type UserRecord,
  type UserService,
} from '@portico/identity'
import { Identity, type IdentityInsert, User, type UserInsert } from '../tables/accounts.portico.ts'
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
    const described = this.#describe(username, extras)
    const identityOf = ({ id: userId, createdAt: linkedAt }: User) => {
      return { provider, subject, userId, ...snapshotOf(profile), linkedAt }
    }
    try {
      return await refuseTaken(
        this.#db.transaction(async (tx) => {
          const user = await tx.table(User).insertOne({ ...described, active: true })
          await tx.table(Identity).insertOne(identityOf(user))
          return user
        }),
      )
    } catch (error) {
      if (!(error instanceof DbError && error.code === 'TRANSACTIONS_UNSUPPORTED')) throw error
      return refuseTaken(this.#createInSteps(described, identityOf))
    }
  }

  /**
   * Without transactions, a process that ends in the middle leaves a user without an address, which would keep its owner
   * out, and inactive: nobody can sign in to it.
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
    return (await this.#users.findById(user.id))!
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
