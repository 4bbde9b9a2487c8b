import { DbError } from '../../../errors.ts'

export type Document = Record<string, unknown>

/** The members of the driver's `Db` that the adapter uses. */
export interface MongoDatabase {
  readonly databaseName: string
  readonly client: { startSession(): MongoSession }
  readonly writeConcern?: { readonly w?: number | string } | undefined
  /** Serialization options. */
  readonly bsonOptions?: Document
  collection(name: string, options?: CollectionOptions): MongoCollection
  command(command: Document): Promise<Document>
  listCollections(filter: Document, options: ListOptions): MongoCursor
  createCollection(name: string, options?: Document): Promise<unknown>
}

interface CollectionOptions {
  readonly readPreference?: 'primary'
  readonly writeConcern?: { readonly w: 'majority' }
}

interface ListOptions {
  readonly nameOnly: boolean
  readonly readPreference?: 'primary'
}

/**
 * The database with majority concerns, read from the primary, whatever the URL says: a change of the primary never
 * undoes its writes.
 */
export function agreeOn(db: MongoDatabase): MongoDatabase {
  const readPreference = 'primary'
  const writeConcern = { w: 'majority' } as const
  return {
    databaseName: db.databaseName,
    client: db.client,
    collection: (name) => db.collection(name, { readPreference, writeConcern }),
    command: (command) => db.command(command),
    listCollections: (filter, options) => db.listCollections(filter, { ...options, readPreference }),
    createCollection: (name, options) => db.createCollection(name, { ...options, writeConcern }),
  }
}

export interface MongoCollection {
  find(filter: Document, options: FindOptions): MongoCursor
  aggregate(pipeline: Document[], options: MongoReadOptions): MongoCursor
  countDocuments(filter: Document, options: CommandOptions): Promise<number>
  insertOne(document: Document, options: CommandOptions): Promise<unknown>
  insertMany(documents: Document[], options: CommandOptions & { ordered: true }): Promise<unknown>
  updateOne(filter: Document, update: Document, options: UpdateOptions): Promise<Updated>
  updateMany(filter: Document, update: Document, options: CommandOptions): Promise<Updated>
  deleteOne(filter: Document, options: CommandOptions): Promise<{ deletedCount: number }>
  deleteMany(filter: Document, options: CommandOptions): Promise<{ deletedCount: number }>
  findOneAndUpdate(filter: Document, update: Document, options: FindAndUpdateOptions): Promise<Document | null>
  bulkWrite(writes: readonly Document[], options: CommandOptions & { ordered: false }): Promise<Written>
  createIndex(keys: Record<string, 1 | -1>, options: Document): Promise<string>
  dropIndex(name: string): Promise<unknown>
  listIndexes(): MongoCursor
  rename(name: string, options: { dropTarget: boolean }): Promise<unknown>
  drop(): Promise<unknown>
}

export interface Updated {
  readonly matchedCount: number
  readonly modifiedCount: number
}

interface Written extends Updated {
  readonly deletedCount: number
}

export interface MongoCursor extends AsyncIterable<Document> {
  toArray(): Promise<Document[]>
}

/** The driver's session, which carries a transaction. */
export interface MongoSession {
  startTransaction(options: Document): void
  commitTransaction(): Promise<unknown>
  abortTransaction(): Promise<unknown>
  endSession(): Promise<unknown>
}

export interface CommandOptions {
  readonly session?: MongoSession
  /** The server's timeout. */
  readonly maxTimeMS?: number
}

export interface MongoReadOptions extends CommandOptions {
  /** Returns each document as its stored bytes. */
  readonly raw?: true
}

interface FindOptions extends MongoReadOptions {
  readonly projection?: Document
  readonly sort?: Record<string, 1 | -1>
  readonly limit?: number
  readonly skip?: number
}

interface UpdateOptions extends CommandOptions {
  readonly upsert?: boolean
}

interface FindAndUpdateOptions extends UpdateOptions {
  readonly returnDocument: 'after' | 'before'
  readonly includeResultMetadata: false
}

export interface ClientOptions {
  readonly url: string
  readonly maxConnections: number
  readonly connectTimeoutMs: number
  readonly statementTimeoutMs: number
}

/** Opens a client, and the database that its URL names. */
export interface OpenedClient {
  readonly db: MongoDatabase
  readonly close: () => Promise<void>
}

export async function openClient(options: ClientOptions): Promise<OpenedClient> {
  const driver = await loadDriver()
  try {
    const client = createClient(driver, options)
    return { db: client.db() as unknown as MongoDatabase, close: () => client.close() }
  } catch (cause) {
    // Some of the driver's errors repeat the URL with its password.
    const isQuoting = String(cause).includes('@')
    const message = 'the MongoDB driver does not accept the URL of the database'
    throw new DbError('OPTIONS_INVALID', message, isQuoting ? {} : { cause })
  }
}

function createClient(
  { MongoClient }: typeof import('mongodb'),
  options: ClientOptions,
): import('mongodb').MongoClient {
  const settings: import('mongodb').MongoClientOptions = {
    maxPoolSize: options.maxConnections,
    connectTimeoutMS: options.connectTimeoutMs,
    serverSelectionTimeoutMS: options.connectTimeoutMs,
    waitQueueTimeoutMS: options.connectTimeoutMs,
    // The server cancels slow commands. If even its error does not arrive, the client gives up a little later.
    socketTimeoutMS: options.statementTimeoutMs === 0 ? 0 : options.statementTimeoutMs + 1000,
    // An absent value has no field. Without this the driver would store null.
    ignoreUndefined: true,
  }
  return new MongoClient(options.url, settings)
}

export async function loadDriver(): Promise<typeof import('mongodb')> {
  try {
    return await import('mongodb')
  } catch (cause) {
    throw new DbError('DRIVER_MISSING', 'MongoDB needs the package mongodb: npm install mongodb', { cause })
  }
}
