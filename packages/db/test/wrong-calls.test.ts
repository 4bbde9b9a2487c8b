import { type Database, DbError, openDatabase } from '@portico/db'
import { mongo } from '@portico/db/mongo'
import { postgres } from '@portico/db/postgres'
import { sqlite } from '@portico/db/sqlite'
import { Group, Person } from '@portico/db/testing'
import { expect, it } from 'vitest'

/** Calls as a program without types would make them. */
const untyped = (value: unknown): ((...args: unknown[]) => unknown) => value as (...args: unknown[]) => unknown

const calls: [told: string, call: (db: Database) => unknown, message: RegExp][] = [
  ['openDatabase()', () => untyped(openDatabase)(), /^expected an adapter: openDatabase\(sqlite\(/],
  ['openDatabase(sqlite)', () => untyped(openDatabase)(sqlite), /^expected an adapter/],
  [
    'openDatabase with a misspelt option',
    () => untyped(openDatabase)(sqlite({ file: ':memory:' }), { klock: 1 }),
    /`klock` is not one of clock/,
  ],
  [
    'openDatabase with no clock',
    () => untyped(openDatabase)(sqlite({ file: ':memory:' }), { clock: 1 }),
    /`clock` should be an object with now/,
  ],
  ['sqlite()', () => untyped(sqlite)(), /^expected sqlite\(\{ file: 'app.db' \}\)/],
  ["sqlite('x.db')", () => untyped(sqlite)('x.db'), /^expected sqlite/],
  ['sqlite({})', () => untyped(sqlite)({}), /^`file` is missing: expected sqlite/],
  ['sqlite with no text', () => untyped(sqlite)({ file: 7 }), /^`file` should be text: expected sqlite/],
  ['sqlite with an empty name', () => untyped(sqlite)({ file: '' }), /^`file` should be text/],
  ['sqlite with two databases', () => untyped(sqlite)({ file: 'a', handle: { prepare() {} } }), /both given/],
  ['sqlite with no handle', () => untyped(sqlite)({ handle: {} }), /`handle` should be a better-sqlite3 database/],
  [
    'sqlite with a misspelt option',
    () => untyped(sqlite)({ file: 'a', busyTimeout: 1 }),
    /`busyTimeout` is not one of file, handle, busyTimeoutMs/,
  ],
  [
    'sqlite with a negative time',
    () => untyped(sqlite)({ file: 'a', busyTimeoutMs: -1 }),
    /`busyTimeoutMs` should be a whole number/,
  ],
  ['mongo()', () => untyped(mongo)(), /^expected mongo\(\{ url: /],
  ['mongo({})', () => untyped(mongo)({}), /^`url` is missing: expected mongo/],
  ['mongo with no database', () => untyped(mongo)({ db: {} }), /`db` should be a Db of mongodb/],
  ['mongo with two databases', () => untyped(mongo)({ url: 'mongodb://a/b', db: { collection() {} } }), /both given/],
  [
    'mongo at an address without a database',
    () => untyped(mongo)({ url: 'mongodb://a:secret@b:27017' }),
    /`url` should be a URL that begins with mongodb:\/\/ and names a database/,
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
  ['postgres()', () => untyped(postgres)(), /^expected postgres\(\{ url: /],
  ['postgres({})', () => untyped(postgres)({}), /^`url` is missing: expected postgres/],
  ['postgres without the variable it is read from', () => untyped(postgres)({ url: undefined }), /^`url` is missing/],
  [
    'postgres at another kind of address',
    () => untyped(postgres)({ url: 'mysql://a:secret@b/c' }),
    /^`url` should be a URL that begins with postgres:/,
  ],
  ['postgres with no pool', () => untyped(postgres)({ pool: {} }), /`pool` should be a pool of pg/],
  [
    'postgres with a misspelt option',
    () => untyped(postgres)({ url: 'postgres://a/b', max: 1 }),
    /`max` is not one of url, pool/,
  ],
  [
    'postgres without connections',
    () => untyped(postgres)({ url: 'postgres://a/b', maxConnections: 0 }),
    /`maxConnections` should be a whole number, 1 or more/,
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
    /`isolation` should be 'default' or 'serializable'/,
  ],
  [
    'transaction with less than no retries',
    (db) => untyped(db.transaction.bind(db))(async () => {}, { retries: -1 }),
    /`retries` should be a whole number, 0 or more/,
  ],
]

it.each(calls)('%s says what to pass', async (_, call, message) => {
  await using db = await openDatabase(sqlite({ file: ':memory:' }))
  const error = await (async () => call(db))().catch((it: unknown) => it)
  expect(error).toBeInstanceOf(DbError)
  expect(error).toMatchObject({ code: 'OPTIONS_INVALID', message: expect.stringMatching(message) })
  expect((error as DbError).message).not.toContain('secret')
})

it('relations in a list, as the client over HTTP takes them, are told how to be named', async () => {
  await using db = await openDatabase(sqlite({ file: ':memory:' }))
  await db.sync([Group])
  const found = untyped(db.table(Group).findMany.bind(db.table(Group)))({ with: ['members'] })
  const message = expect.stringContaining('expected an object of relations, such as { team: true }')
  await expect(found).rejects.toMatchObject({ code: 'VALIDATION_FAILED', message })
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
