// One table in memory, on any Node, as users import it. SQLite's driver is native: where it was built for another
// version of Node, opening must say so.
import assert from 'node:assert/strict'
import { DbError, openDatabase } from '@portico/db'
import { mongo } from '@portico/db/mongo'
import { mysql } from '@portico/db/mysql'
import { postgres } from '@portico/db/postgres'
import { sqlite } from '@portico/db/sqlite'
import { adapterCases, Group, suiteTables } from '@portico/db/testing'

assert.ok(adapterCases.length > 30)
for (const adapter of [
  postgres({ url: 'postgres://portico@127.0.0.1:1/none', connectTimeoutMs: 2000 }),
  mysql({ url: 'mysql://portico@127.0.0.1:1/none', connectTimeoutMs: 2000 }),
  mongo({ url: 'mongodb://127.0.0.1:1/none', connectTimeoutMs: 200 }),
]) {
  await assert.rejects(
    openDatabase(adapter),
    (error) => error instanceof DbError && ['UNAVAILABLE', 'DRIVER_MISSING'].includes(error.code),
  )
}

const db = await openDatabase(sqlite({ file: ':memory:' })).catch((error) => {
  if (error instanceof DbError && error.code === 'DRIVER_MISSING') return undefined
  throw error
})
if (db) {
  await db.sync(suiteTables)
  const stored = await db.table(Group).insertOne({ region: 'eu', code: 1, title: 't' })
  assert.deepEqual(await db.table(Group).findById({ region: 'eu', code: 1 }), stored)
  await assert.rejects(
    db.table(Group).insertOne(stored),
    (error) => error instanceof DbError && error.code === 'UNIQUE_VIOLATION',
  )
  await db.close()
}
