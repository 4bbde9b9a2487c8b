import type { MongoDatabase } from '@portico/db/mongo'
import type { Collection, Db } from 'mongodb'

/** A write that is about to be sent. */
export interface Write {
  readonly collection: string
  readonly method: string
  /** The how many-th it is, from 1 on. */
  readonly count: number
}

const writes = new Set(
  'insertOne insertMany updateOne updateMany deleteOne deleteMany findOneAndUpdate bulkWrite createIndex dropIndex rename drop createCollection'.split(
    ' ',
  ),
)

/** A database of the driver that waits for `before` ahead of each write, but for those of the lease itself. */
export function hookWrites(raw: Db, before: (write: Write) => unknown): MongoDatabase {
  let count = 0
  const hook = <T extends Db | Collection>(target: T): T =>
    new Proxy(target, {
      get(inner, method) {
        const value: unknown = Reflect.get(inner, method)
        if (typeof value !== 'function') return value
        if (method === 'collection') {
          return (...args: [string]) => (args[0] === 'portico__lease' ? raw : hooked).collection(...args)
        }
        if (!writes.has(String(method))) return value.bind(inner) as unknown
        return async (...args: unknown[]) => {
          const collection = 'collectionName' in inner ? inner.collectionName : String(args[0])
          await before({ collection, method: String(method), count: ++count })
          return (await value.apply(inner, args)) as unknown
        }
      },
    })
  const hooked = {
    collection: (...args: [string]) => hook(raw.collection(...args)),
  }
  return hook(raw) as unknown as MongoDatabase
}
