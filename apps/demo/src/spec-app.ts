import { openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import type { App } from '@portico/http'
import { createTracker } from './tracker-app.ts'

/** The app as `portico spec` describes it: nothing listens, and nothing is kept. */
export default async function createApp(): Promise<App> {
  const db = await openDatabase(sqlite({ file: ':memory:' }))
  const address = 'http://127.0.0.1:3000'
  return createTracker({ db, address, secret: 'unused: nobody signs in to a description', providers: [] }).app
}
