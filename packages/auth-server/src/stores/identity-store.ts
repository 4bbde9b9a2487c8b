import type { Database } from '@portico/db'
import {
  type FederatedIdentity,
  type FederatedIdentitySnapshot,
  type FederatedIdentityStore,
  IdentityConflictError,
  type NewFederatedIdentity,
} from '@portico/identity'
import { Identity } from '../tables/accounts.portico.ts'
import { isUniqueViolation } from '../unique-violation.ts'
import { snapshotOf } from './snapshot.ts'

/** The identities of the users of this server, in its database. */
export class IdentityStore implements FederatedIdentityStore {
  readonly #identities
  readonly #now: () => number

  constructor(db: Database, now: () => number) {
    this.#identities = db.table(Identity)
    this.#now = now
  }

  async find(provider: string, subject: string): Promise<FederatedIdentity | null> {
    return (await this.#identities.findOne({ where: { provider, subject } })) ?? null
  }

  listForUser(userId: string): Promise<FederatedIdentity[]> {
    return this.#identities.findMany({ where: { userId }, orderBy: { linkedAt: 'asc', id: 'asc' } })
  }

  async link({ provider, subject, userId, ...profile }: NewFederatedIdentity): Promise<FederatedIdentity> {
    const record = { provider, subject, userId, ...snapshotOf(profile), linkedAt: this.#now() }
    try {
      return await this.#identities.insertOne(record)
    } catch (error) {
      if (isUniqueViolation(error)) throw new IdentityConflictError()
      throw error
    }
  }

  async unlink(provider: string, subject: string): Promise<boolean> {
    return (await this.#identities.deleteMany({ provider, subject })).deletedCount > 0
  }

  async touchLogin(provider: string, subject: string, snapshot: FederatedIdentitySnapshot = {}): Promise<void> {
    await this.#identities.updateMany({ provider, subject }, { ...snapshotOf(snapshot), lastLoginAt: this.#now() })
  }

  async deleteAllForUser(userId: string): Promise<number> {
    return (await this.#identities.deleteMany({ userId })).deletedCount
  }
}
