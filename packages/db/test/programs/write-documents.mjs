// Stores documents, three at once, until it is killed, and says which are stored: what it said must be there afterwards.
import { openDatabase } from '@portico/db'
import { mongo } from '@portico/db/mongo'
import { Group, suiteTables } from '@portico/db/testing'

const db = await openDatabase(mongo({ url: process.argv[2] ?? '' }))
await db.sync(suiteTables)
const groups = db.table(Group)
const [last] = await groups.findMany({ orderBy: { code: 'desc' }, limit: 1 })
for (let code = (last?.code ?? -1) + 1; ; code++) {
  await groups.insertMany(
    ['left', 'right', 'other'].map((region) => ({ region, code, title: 'x'.repeat(code % 2000) })),
  )
  process.stdout.write(`stored ${code}\n`)
}
