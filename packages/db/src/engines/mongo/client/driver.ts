import { DbError } from '../../../errors.ts'

export type Document = Record<string, unknown>

/** What we ask of a `Db` of the mongodb driver; a ready one may be handed in. */
export interface MongoDatabase {
  readonly databaseName: string
  readonly client: { startSession(): MongoSession }
  readonly writeConcern?: { readonly w?: number | string } | undefined
  /** How values are read and written. */
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
 * The database for what everybody has to agree on: read where it is written, and written so that no change of the
 * primary takes it back, whatever the address says of other reads and writes.
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
  aggregate(pipeline: Document[], options: ReadOptions): MongoCursor
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

/** What updates did: how many documents their filters found, and how many are another now. */
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

/** A session of the driver, which carries a transaction. */
export interface MongoSession {
  startTransaction(options: Document): void
  commitTransaction(): Promise<unknown>
  abortTransaction(): Promise<unknown>
  endSession(): Promise<unknown>
}

export interface CommandOptions {
  readonly session?: MongoSession
  /** How long the server may work at it. */
  readonly maxTimeMS?: number
}

export interface ReadOptions extends CommandOptions {
  /** Gives each document as the bytes that are stored. */
  readonly raw?: true
}

interface FindOptions extends ReadOptions {
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

/** A client of the driver, and the database that its address names. */
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
    // Some of the driver's complaints repeat the address, with the password in it.
    const isQuoting = String(cause).includes('@')
    const told = 'the address of the database is none that mongodb takes'
    throw new DbError('OPTIONS_INVALID', told, isQuoting ? {} : { cause })
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
    // The server ends what takes too long; when not even its refusal arrives, we give up a little later.
    socketTimeoutMS: options.statementTimeoutMs === 0 ? 0 : options.statementTimeoutMs + 1000,
    // An absent value is no field. Without this the driver would store it as null.
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
