import { openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import type { App } from '@portico/http'
import { createTracker } from './tracker-app.ts'

/** The app for `portico spec`: it does not listen, and its database is in memory. */
export default async function createApp(): Promise<App> {
  const db = await openDatabase(sqlite({ file: ':memory:' }))
  const address = 'http://127.0.0.1:3000'
  return createTracker({ db, address, secret: 'unused: only the API description is read', providers: [] }).app
}
