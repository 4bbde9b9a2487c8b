import { randomUUID } from 'node:crypto'
import { type Clock, systemClock } from './clock.ts'
import { IdentityConflictError, UserConflictError } from './errors.ts'
import { onlyDefined } from './profile.ts'
import {
  type FederatedIdentity,
  type FederatedIdentitySnapshot,
  type FederatedIdentityStore,
  foldEmail,
  type NewFederatedIdentity,
  snapshotOf,
  type UserExtras,
  type UserProfileChanges,
  type UserRecord,
  type UserService,
} from './stores.ts'

// Every method is atomic, since none awaits between reading and writing.

/** Keeps users in memory, for tests and first steps. */
export class MemoryUserService implements UserService {
  readonly #users = new Map<string, UserRecord>()

  async findByEmail(email: string): Promise<UserRecord | null> {
    const wanted = foldEmail(email)
    const found = [...this.#users.values()].filter((user) => user.email && foldEmail(user.email) === wanted)
    return copy(found.find((user) => user.emailVerified) ?? found[0])
  }

  async findById(id: string): Promise<UserRecord | null> {
    return copy(this.#users.get(id))
  }

  async createUser(username: string, { email, emailVerified, provisioned }: UserExtras = {}): Promise<UserRecord> {
    for (const user of this.#users.values()) if (user.username === username) throw new UserConflictError()
    const extras = onlyDefined({ email, emailVerified, provisioned })
    const user: UserRecord = { id: randomUUID(), username, ...extras, active: false }
    this.#users.set(user.id, user)
    return { ...user }
  }

  async activateAccount(id: string): Promise<void> {
    const user = this.#users.get(id)
    if (!user) return
    user.active = true
    delete user.provisioned
  }

  async updateProfile(
    id: string,
    { email, emailVerified, displayName }: UserProfileChanges,
  ): Promise<(keyof UserProfileChanges)[]> {
    const user = this.#users.get(id)
    const given = onlyDefined({ email, emailVerified, displayName })
    const names = Object.keys(given) as (keyof UserProfileChanges)[]
    const changed = user ? names.filter((name) => user[name] !== given[name]) : []
    if (user) Object.assign(user, given)
    return changed
  }

  async deleteUser(id: string): Promise<void> {
    this.#users.delete(id)
  }
}

/** Keeps identities in memory, for tests and first steps. */
export class MemoryFederatedIdentityStore implements FederatedIdentityStore {
  readonly #identities = new Map<string, FederatedIdentity>()
  readonly #clock: Clock

  constructor(options: { clock?: Clock | undefined } = {}) {
    this.#clock = options.clock ?? systemClock
  }

  async find(provider: string, subject: string): Promise<FederatedIdentity | null> {
    return copy(this.#identities.get(keyOf(provider, subject)))
  }

  async listForUser(userId: string): Promise<FederatedIdentity[]> {
    return this.#ofUser(userId).map((identity) => ({ ...identity }))
  }

  async link(identity: NewFederatedIdentity): Promise<FederatedIdentity> {
    const key = keyOf(identity.provider, identity.subject)
    if (this.#identities.has(key)) throw new IdentityConflictError()
    const { provider, subject, userId } = identity
    const linked = { id: randomUUID(), provider, subject, userId, ...snapshotOf(identity), linkedAt: this.#clock.now() }
    this.#identities.set(key, linked)
    return { ...linked }
  }

  async unlink(provider: string, subject: string): Promise<boolean> {
    return this.#identities.delete(keyOf(provider, subject))
  }

  async touchLogin(provider: string, subject: string, snapshot: FederatedIdentitySnapshot = {}): Promise<void> {
    const identity = this.#identities.get(keyOf(provider, subject))
    if (identity) Object.assign(identity, snapshotOf(snapshot), { lastLoginAt: this.#clock.now() })
  }

  async deleteAllForUser(userId: string): Promise<number> {
    const identities = this.#ofUser(userId)
    for (const { provider, subject } of identities) this.#identities.delete(keyOf(provider, subject))
    return identities.length
  }

  #ofUser(userId: string): FederatedIdentity[] {
    return [...this.#identities.values()].filter((identity) => identity.userId === userId)
  }
}

/** JSON keeps the two apart, whatever characters they contain. */
function keyOf(provider: string, subject: string): string {
  return JSON.stringify([provider, subject])
}

/** Callers may change a copy without changing the store. */
function copy<Fields extends object>(record: Fields | undefined): Fields | null {
  return record ? { ...record } : null
}
