/** The database for the writes of a sync: every write first checks that the sync still owns the lease. */
import type { MongoCollection, MongoDatabase } from '../client/driver.ts'
import type { Lease } from './lease.ts'

const writes: ReadonlySet<PropertyKey> = new Set<keyof MongoCollection>([
  'insertOne',
  'insertMany',
  'updateOne',
  'updateMany',
  'deleteOne',
  'deleteMany',
  'findOneAndUpdate',
  'bulkWrite',
  'createIndex',
  'dropIndex',
  'rename',
  'drop',
])

/** @param db With majority concerns. */
export function fenceDatabase(db: MongoDatabase, lease: Lease): MongoDatabase {
  return {
    ...db,
    collection: (name) => fenceCollection(db.collection(name), lease),
    async createCollection(name, options) {
      await lease.check()
      return db.createCollection(name, options)
    },
  }
}

function fenceCollection(collection: MongoCollection, lease: Lease): MongoCollection {
  return new Proxy(collection, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      if (!writes.has(name)) return value.bind(target) as unknown
      return async (...args: unknown[]) => {
        await lease.check()
        return (await value.apply(target, args)) as unknown
      }
    },
  })
}
