// Uses a database and does not close it: connections that nobody uses do not keep a program from ending.
import { openDatabase } from '@portico/db'
import { adapterOf } from './adapter-of.mjs'

const db = await openDatabase(adapterOf(process.argv[2] ?? ''))
await Promise.all([db.sql`select 1 as one`, db.sql`select 2 as two`, db.transaction((tx) => tx.sql`select 3 as three`)])
process.stdout.write('used\n')
