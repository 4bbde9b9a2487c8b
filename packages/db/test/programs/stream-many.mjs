// Streams many rows and says how far the heap grew meanwhile.
import { openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import { Group, suiteTables } from '@portico/db/testing'

const [file = '', count = ''] = process.argv.slice(2)
const db = await openDatabase(sqlite({ file }))
await db.sync(suiteTables)
await db.sql`insert into groups (region, code, title)
  with recursive n (i) as (select 1 union all select i + 1 from n where i < ${Number(count)})
  select 'r' || (i % 7), i, 'a title of some length, number ' || i from n`
globalThis.gc?.()
const before = process.memoryUsage().heapUsed
let most = before
let seen = 0
for await (const group of db.table(Group).stream()) {
  seen += group.code > 0 ? 1 : 0
  if (seen % 1000 === 0) most = Math.max(most, process.memoryUsage().heapUsed)
}
await db.close()
process.stdout.write(`report ${JSON.stringify({ seen, grownMb: (most - before) / 2 ** 20 })}\n`)
