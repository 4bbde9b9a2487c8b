// Stores and reads where code must not be made from text.
import assert from 'node:assert/strict'
import { openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import { suiteTables, Thing } from '@portico/db/testing'

// oxlint-disable-next-line typescript/no-implied-eval -- that it is impossible is the point
assert.throws(() => new Function('return 1'), EvalError)
const db = await openDatabase(sqlite({ file: ':memory:' }), { clock: { now: () => 5 } })
await db.sync(suiteTables)
const input = {
  name: 'n',
  kind: /** @type {const} */ ('big'),
  ratio: 0.5,
  whole: 2,
  flag: false,
  price: '3.10',
  note: 'x',
  tags: ['a'],
  address: { city: 'Bern', geo: { lat: 1, lng: 2 } },
}
const stored = await db.table(Thing).insertOne(input)
assert.deepEqual(stored, { ...input, id: 1, state: 'new', rank: 3, createdAt: 5, updatedAt: 5 })
assert.ok(!Object.hasOwn(await db.table(Thing).insertOne({ ...input, name: 'ranked', rank: null }), 'rank'))
assert.deepEqual(await db.table(Thing).findById(1), stored)
await db.table(Thing).updateOne({ id: 1, note: null, address: { city: 'Basel' } })
const { note: _, ...rest } = stored
assert.deepEqual(await db.table(Thing).findById(1), { ...rest, address: { city: 'Basel' } })
await db.close()
process.stdout.write('fine\n')
