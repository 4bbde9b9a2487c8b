import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Database } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import { Note } from './notes.portico.js'

/** The database that the app and `portico sync` use. */
export function createAdapter() {
  const file = process.env['DATABASE_FILE'] ?? fileURLToPath(new URL('../data/app.db', import.meta.url))
  mkdirSync(dirname(file), { recursive: true })
  return sqlite({ file })
}

/** Syncs the tables of the database. Add new tables to the list. */
export async function prepare(db: Database): Promise<void> {
  await db.sync([Note])
}
