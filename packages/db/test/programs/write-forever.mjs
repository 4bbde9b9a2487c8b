// Writes pairs in transactions until it is killed, and says which are stored: what it said must be there afterwards.
import { openDatabase } from '@portico/db'
import { Group, suiteTables } from '@portico/db/testing'
import { adapterOf } from './adapter-of.mjs'

const db = await openDatabase(adapterOf(process.argv[2] ?? ''))
await db.sync(suiteTables)
const first = await db.table(Group).count({ region: 'left' })
for (let code = first; ; code++) {
  await db.transaction(async (tx) => {
    await tx.table(Group).insertOne({ region: 'left', code, title: 'x'.repeat(code % 2000) })
    await tx.table(Group).insertMany(['right', 'other'].map((region) => ({ region, code, title: String(code) })))
  })
  process.stdout.write(`stored ${code}\n`)
}
