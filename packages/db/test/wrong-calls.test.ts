import { type Database, DbError, openDatabase } from '@portico/db'
import { mongo } from '@portico/db/mongo'
import { postgres } from '@portico/db/postgres'
import { sqlite } from '@portico/db/sqlite'
import { Group, Person, Team } from '@portico/db/testing'
import { expect, it } from 'vitest'

/** Calls as a program without types would make them. */
const untyped = (value: unknown): ((...args: unknown[]) => unknown) => value as (...args: unknown[]) => unknown

const calls: [title: string, call: (db: Database) => unknown, message: RegExp][] = [
  ['openDatabase()', () => untyped(openDatabase)(), /^expected an adapter: openDatabase\(sqlite\(/],
  ['openDatabase(sqlite)', () => untyped(openDatabase)(sqlite), /^expected an adapter/],
  [
    'openDatabase with a misspelled option',
    () => untyped(openDatabase)(sqlite({ file: ':memory:' }), { klock: 1 }),
    /^openDatabase: unknown option `klock`; did you mean `clock`\?/,
  ],
  [
    'openDatabase with no clock',
    () => untyped(openDatabase)(sqlite({ file: ':memory:' }), { clock: 1 }),
    /`clock` must be an object with a method now\(\), got 1/,
  ],
  ['sqlite()', () => untyped(sqlite)(), /^sqlite: the options must be an object, got undefined/],
  ["sqlite('x.db')", () => untyped(sqlite)('x.db'), /^sqlite: the options must be an object, got a string/],
  ['sqlite({})', () => untyped(sqlite)({}), /^sqlite: `file` or `handle`: one of them is required/],
  ['sqlite with no text', () => untyped(sqlite)({ file: 7 }), /^sqlite: `file` must be a non-empty string, got 7/],
  [
    'sqlite with an empty name',
    () => untyped(sqlite)({ file: '' }),
    /^sqlite: `file` must be a non-empty string, got an empty string/,
  ],
  [
    'sqlite with two databases',
    () => untyped(sqlite)({ file: 'a', handle: { prepare() {} } }),
    /only one of them can be given/,
  ],
  ['sqlite with no handle', () => untyped(sqlite)({ handle: {} }), /`handle` must be a better-sqlite3 database/],
  [
    'sqlite with a misspelled option',
    () => untyped(sqlite)({ file: 'a', busyTimeout: 1 }),
    /unknown option `busyTimeout`; did you mean `busyTimeoutMs`\?/,
  ],
  [
    'sqlite with a negative time',
    () => untyped(sqlite)({ file: 'a', busyTimeoutMs: -1 }),
    /`busyTimeoutMs` must be a non-negative integer, got -1/,
  ],
  ['mongo()', () => untyped(mongo)(), /^mongo: the options must be an object/],
  ['mongo({})', () => untyped(mongo)({}), /^mongo: `url` or `db`: one of them is required/],
  ['mongo with no database', () => untyped(mongo)({ db: {} }), /`db` must be a Db of mongodb/],
  [
    'mongo with two databases',
    () => untyped(mongo)({ url: 'mongodb://a/b', db: { collection() {} } }),
    /only one of them can be given/,
  ],
  [
    'mongo at an address without a database',
    () => untyped(mongo)({ url: 'mongodb://a:secret@b:27017' }),
    /`url` must be a URL that begins with mongodb:\/\/ and names a database/,
  ],
  [
    'mongo at an address with a name that no database can have',
    () => openDatabase(mongo({ url: 'mongodb://a:secret@b:27017/c.d' })),
    /^the MongoDB driver does not accept the URL of the database/,
  ],
  [
    'mongo at an address that the driver does not take',
    () => openDatabase(mongo({ url: 'mongodb://a:secret@b:27017/c?replicaSet=' })),
    /^the MongoDB driver does not accept the URL of the database/,
  ],
  ['postgres()', () => untyped(postgres)(), /^postgres: the options must be an object/],
  ['postgres({})', () => untyped(postgres)({}), /^postgres: `url` or `pool`: one of them is required/],
  [
    'postgres without the variable it is read from',
    () => untyped(postgres)({ url: undefined }),
    /^postgres: `url` or `pool`: one of them is required/,
  ],
  [
    'postgres at another kind of address',
    () => untyped(postgres)({ url: 'mysql://a:secret@b/c' }),
    /^postgres: `url` must be a URL that begins with postgres:/,
  ],
  ['postgres with no pool', () => untyped(postgres)({ pool: {} }), /`pool` must be a pool of pg/],
  [
    'postgres with a misspelled option',
    () => untyped(postgres)({ url: 'postgres://a/b', max: 1 }),
    /unknown option `max`; the options are url, pool/,
  ],
  [
    'postgres without connections',
    () => untyped(postgres)({ url: 'postgres://a/b', maxConnections: 0 }),
    /`maxConnections` must be a positive integer, got 0/,
  ],
  ['table(undefined)', (db) => untyped(db.table.bind(db))(), /^expected a declared table: db.table\(User\)/],
  ['table({})', (db) => untyped(db.table.bind(db))({}), /^expected a declared table/],
  ["table('people')", (db) => untyped(db.table.bind(db))('people'), /^expected a declared table/],
  [
    'sync of a table without brackets',
    (db) => untyped(db.sync.bind(db))(Person),
    /^expected a list of declared tables: db.sync\(\[User/,
  ],
  ['sync of something else', (db) => untyped(db.sync.bind(db))([{}]), /^expected a list of declared tables/],
  ['transaction()', (db) => untyped(db.transaction.bind(db))(), /^expected a function: db.transaction/],
  [
    'transaction at an unknown level',
    (db) => untyped(db.transaction.bind(db))(async () => {}, { isolation: 'x' }),
    /`isolation` must be one of 'default', 'serializable'/,
  ],
  [
    'transaction with less than no retries',
    (db) => untyped(db.transaction.bind(db))(async () => {}, { retries: -1 }),
    /`retries` must be a non-negative integer, got -1/,
  ],
]

it.each(calls)('%s says what to pass', async (_, call, message) => {
  await using db = await openDatabase(sqlite({ file: ':memory:' }))
  const error = await (async () => call(db))().catch((it: unknown) => it)
  expect(error).toBeInstanceOf(DbError)
  expect(error).toMatchObject({ code: 'OPTIONS_INVALID', message: expect.stringMatching(message) })
  expect((error as DbError).message).not.toContain('secret')
})

it('relations in a list, as the HTTP client takes them, are refused with an example of `with`', async () => {
  await using db = await openDatabase(sqlite({ file: ':memory:' }))
  await db.sync([Group])
  const found = untyped(db.table(Group).findMany.bind(db.table(Group)))({ with: ['members'] })
  const message = expect.stringContaining('expected an object of relations, such as { team: true }')
  await expect(found).rejects.toMatchObject({ code: 'VALIDATION_FAILED', message })
})

it('an option that is undefined counts as not given', async () => {
  await using db = await openDatabase(sqlite({ file: ':memory:', busyTimeoutMs: undefined }), {
    clock: undefined,
    transactionTimeoutMs: undefined,
  })
  await db.sync([Team, Person], { allow: undefined, onProgress: undefined, concurrentRows: undefined })
  const people = db.table(Person)
  const { id } = await db.transaction((tx) => tx.table(Person).insertOne({ name: 'Ada' }), {
    isolation: undefined,
    retries: undefined,
    timeoutMs: undefined,
  })
  const ada = await people.findById(id, { select: undefined })
  expect(ada).toEqual({ id, name: 'Ada', version: 1 })
  const query = { select: undefined }
  const paged = { ...query, orderBy: undefined, offset: undefined }
  expect(await people.findOne(paged)).toEqual(ada)
  expect(await people.findMany({ ...paged, limit: undefined })).toEqual([ada])
  for await (const streamed of people.stream({ ...query, batchSize: undefined })) expect(streamed).toEqual(ada)
  expect(await people.findMany({ with: { team: undefined } })).toEqual([ada])
  expect(await people.findMany({ where: undefined, with: undefined } as object)).toEqual([ada])
  expect(await people.findById(id, { with: undefined } as object)).toEqual(ada)
  const related = { orderBy: undefined, select: undefined, with: undefined }
  expect(await people.findMany({ with: { team: related } })).toEqual([ada])
})

it('a database may be closed twice, and closes at the end of its block', async () => {
  let kept: Database
  {
    await using db = await openDatabase(sqlite({ file: ':memory:' }))
    await db.sync([Group])
    kept = db
  }
  await expect(kept.table(Group).count()).rejects.toMatchObject({ code: 'CLOSED' })
  await kept.close()
  await Promise.all([kept.close(), kept.close()])
})

it('a database that cannot be closed now, inside a transaction, still can afterwards', async () => {
  const db = await openDatabase(sqlite({ file: ':memory:' }))
  await db.transaction(async () => {
    await expect(db.close()).rejects.toMatchObject({ code: 'TRANSACTION_MISUSE' })
  })
  await db.close()
  await expect(db.sync([Group])).rejects.toMatchObject({ code: 'CLOSED' })
})
