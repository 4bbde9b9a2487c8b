// Waits for a line on its input, syncs, and prints what it did: sync-once.mjs <sqlite|postgres> <where>
import { once } from 'node:events'
import { openDatabase } from '@portico/db'
import { postgres } from '@portico/db/postgres'
import { sqlite } from '@portico/db/sqlite'
import { after, allow } from './sync-scenario.mjs'

const [engine, where = ''] = process.argv.slice(2)
const db = await openDatabase(
  engine === 'sqlite' ? sqlite({ file: where, busyTimeoutMs: 60_000 }) : postgres({ url: where }),
)
process.stdout.write('ready\n')
await once(process.stdin, 'data')
const { steps } = await db.sync(after, { allow, concurrentRows: 1 })
process.stdout.write(`did ${steps.length}\n`)
await db.close()
process.exit()
