// Waits for a line on its input, syncs, and prints what it did: sync-once.mjs <where>
import { once } from 'node:events'
import { openDatabase } from '@portico/db'
import { adapterOf } from './adapter-of.mjs'
import { after, allow } from './sync-scenario.mjs'

const [where = ''] = process.argv.slice(2)
const db = await openDatabase(adapterOf(where))
process.stdout.write('ready\n')
await once(process.stdin, 'data')
const { steps } = await db.sync(after, { allow, concurrentRows: 1 })
process.stdout.write(`did ${steps.length}\n`)
await db.close()
process.exit()
