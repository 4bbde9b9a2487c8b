// Holds the write lock of a file for a while.
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'

const [file = '', durationMs = ''] = process.argv.slice(2)
const db = await openDatabase(sqlite({ file }))
await db.transaction(async () => {
  process.stdout.write('locked\n')
  await sleep(Number(durationMs))
})
await db.close()
