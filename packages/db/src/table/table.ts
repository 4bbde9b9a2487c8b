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

/** The number of records that matched, and of those that were written. */
export interface UpdateResult {
  readonly matchedCount: number
  readonly modifiedCount: number
}

export interface DeleteResult {
  readonly deletedCount: number
}

/**
 * The operations of one table. The type parameters come from the generated module: a record, the inputs of the writes, the
 * key, the tables of its relations and the paths of its decimals.
 *
 * Input is checked against the declaration before anything is sent. Every failure is a `DbError`.
 */
export interface Table<Row, Insert, Update, Key, Replace, Relations = NoRelations, Decimals = never> {
  /**
   * Stores a record and returns it with defaults and generated values.
   *
   * ```ts
   * const user = await users.insertOne({ email: 'ada@example.com', role: 'admin' })
   * ```
   */
  insertOne(record: Insert): Promise<Row>

  /** Stores all records or none, and returns them in the same order. */
  insertMany(records: readonly Insert[]): Promise<Row[]>

  /**
   * The record with this key, or `undefined`.
   *
   * ```ts
   * await users.findById(1)
   * await memberships.findById({ teamId: 1, userId: 2 })
   * ```
   */
  findById<
    Selected extends keyof Row & string = keyof Row & string,
    const Loading extends With<Relations> = NoRelations,
  >(
    key: KeyInput<Key>,
    options?: ReadOptions<Relations, Selected, Loading>,
  ): Promise<Found<Row, Selected, Loading, Relations> | undefined>

  /** The first matching record, or `undefined`. */
  findOne<
    Selected extends keyof Row & string = keyof Row & string,
    const Loading extends With<Relations> = NoRelations,
  >(
    query?: Omit<FindOptions<Row, Relations, Decimals, Selected, Loading>, 'limit'>,
  ): Promise<Found<Row, Selected, Loading, Relations> | undefined>

  /**
   * All matching records.
   *
   * ```ts
   * await users.findMany({ where: { role: 'admin' }, orderBy: { email: 'asc' }, limit: 50, with: { team: true } })
   * ```
   */
  findMany<
    Selected extends keyof Row & string = keyof Row & string,
    const Loading extends With<Relations> = NoRelations,
  >(
    query?: FindOptions<Row, Relations, Decimals, Selected, Loading>,
  ): Promise<Found<Row, Selected, Loading, Relations>[]>

  /**
   * Reads matching records in batches, in the order of the primary key. No cursor is open between batches, so records that
   * are added after the current position meanwhile are found too.
   *
   * ```ts
   * for await (const user of users.stream({ where: { role: 'member' } })) await greet(user)
   * ```
   */
  stream<Selected extends keyof Row & string = keyof Row & string, const Loading extends With<Relations> = NoRelations>(
    query?: StreamOptions<Row, Relations, Decimals, Selected, Loading>,
  ): AsyncIterableIterator<Found<Row, Selected, Loading, Relations>>

  /** The number of matching records, or of all records. */
  count(where?: Where<Row, Decimals>): Promise<number>

  exists(where?: Where<Row, Decimals>): Promise<boolean>

  /**
   * Writes the given fields to the record with this key. `null` clears an optional field; a nested object is replaced as a
   * whole. If a version is given, the record must still have it (optimistic locking); otherwise `VERSION_CONFLICT`.
   */
  updateOne(changes: Update): Promise<UpdateResult>

  /** Writes the same fields to every matching record. `{}` matches all. A version is refused: each record has its own. */
  updateMany(
    where: Where<Row, Decimals>,
    changes: Partial<Omit<Update, keyof Key | FilledIn<Row, Replace>>>,
  ): Promise<UpdateResult>

  /** Writes all fields of the record with this key. Omitted optional fields are cleared. */
  replaceOne(record: Replace): Promise<UpdateResult>

  /**
   * Updates the record with this primary key, or inserts it. It takes the input of an insert. An existing record keeps the
   * values of omitted fields. If a version is given, the record must still have it; otherwise `VERSION_CONFLICT`.
   *
   * ```ts
   * await products.upsertOne({ id: 1, name: 'Knife', price: '13.00' }) // `stock`, which has a default, stays as it is
   * ```
   */
  upsertOne(record: Insert): Promise<Row>

  deleteOne(key: KeyInput<Key>): Promise<DeleteResult>

  /** Deletes every matching record. `{}` matches all. */
  deleteMany(where: Where<Row, Decimals>): Promise<DeleteResult>
}
