import type { NoRelations } from '@portico/schema/runtime'
import type {
  FilledIn,
  FindOptions,
  Found,
  KeyInput,
  ReadOptions,
  StreamOptions,
  Where,
  With,
} from '../query/query-types.ts'

/** How many records a write met, and how many it wrote. */
export interface UpdateResult {
  readonly matchedCount: number
  readonly modifiedCount: number
}

export interface DeleteResult {
  readonly deletedCount: number
}

/**
 * The operations of one table. `R` is a record, `I` the input of an insert, `U` of an update, `K` the key and `P` the
 * input of a replacement, `L` the tables that its relations lead to and `D` the paths of its decimals, all from the
 * generated module.
 *
 * Input is checked against the declaration before anything is sent. Every failure is a `DbError`.
 */
export interface Table<R, I, U, K, P, L = NoRelations, D = never> {
  /**
   * Stores a record and returns it as it is stored, defaults and generated values included.
   *
   * ```ts
   * const user = await users.insertOne({ email: 'ada@example.com', role: 'admin' })
   * ```
   */
  insertOne(record: I): Promise<R>

  /** Stores all records or none, and returns them in the same order. */
  insertMany(records: readonly I[]): Promise<R[]>

  /**
   * The record with this key, or `undefined`.
   *
   * ```ts
   * await users.findById(1)
   * await memberships.findById({ teamId: 1, userId: 2 })
   * ```
   */
  findById<S extends keyof R & string = keyof R & string, const W extends With<L> = NoRelations>(
    key: KeyInput<K>,
    options?: ReadOptions<L, S, W>,
  ): Promise<Found<R, S, W, L> | undefined>

  /** The first record that the query finds, or `undefined`. */
  findOne<S extends keyof R & string = keyof R & string, const W extends With<L> = NoRelations>(
    query?: Omit<FindOptions<R, L, D, S, W>, 'limit'>,
  ): Promise<Found<R, S, W, L> | undefined>

  /**
   * All records that the query finds.
   *
   * ```ts
   * await users.findMany({ where: { role: 'admin' }, orderBy: { email: 'asc' }, limit: 50, with: { team: true } })
   * ```
   */
  findMany<S extends keyof R & string = keyof R & string, const W extends With<L> = NoRelations>(
    query?: FindOptions<R, L, D, S, W>,
  ): Promise<Found<R, S, W, L>[]>

  /**
   * The records that the query finds, in the order of the key, read in batches. Nothing is held open between batches:
   * others write meanwhile, and records they add behind the place reached are found too.
   *
   * ```ts
   * for await (const user of users.stream({ where: { role: 'member' } })) await greet(user)
   * ```
   */
  stream<S extends keyof R & string = keyof R & string, const W extends With<L> = NoRelations>(
    query?: StreamOptions<R, L, D, S, W>,
  ): AsyncIterableIterator<Found<R, S, W, L>>

  /** How many records fit the condition, which is a plain object; without one, how many there are. */
  count(where?: Where<R, D>): Promise<number>

  exists(where?: Where<R, D>): Promise<boolean>

  /**
   * Writes the fields that the object has to the record with its key. `null` clears an optional field; a nested object
   * is replaced as a whole. Where the table has a version and the object says one, the record must still have it:
   * otherwise `VERSION_CONFLICT`.
   */
  updateOne(changes: U): Promise<UpdateResult>

  /** Writes the same fields to every record that fits. `{}` fits all. A version is refused: each record has its own. */
  updateMany(where: Where<R, D>, changes: Partial<Omit<U, keyof K | FilledIn<R, P>>>): Promise<UpdateResult>

  /** Writes all fields of the record with this key; optional ones that are left out become absent. */
  replaceOne(record: P): Promise<UpdateResult>

  /**
   * Updates the record with this primary key, or inserts it where there is none. It takes what an insert takes, since it
   * may have to insert. A record that is there is updated with the fields that are given: optional fields and fields
   * with a default that are left out keep their values. Where the object says a version, the record must still have it:
   * otherwise `VERSION_CONFLICT`.
   *
   * ```ts
   * await products.upsertOne({ id: 1, name: 'Knife', price: '13.00' }) // `stock`, which has a default, stays as it is
   * ```
   */
  upsertOne(record: I): Promise<R>

  deleteOne(key: KeyInput<K>): Promise<DeleteResult>

  /** Deletes every record that fits. `{}` fits all. */
  deleteMany(where: Where<R, D>): Promise<DeleteResult>
}
