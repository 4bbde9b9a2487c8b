import { type Database, openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import { type App, createApp, tableController } from '@portico/http'
import { SpecController } from '@portico/spec'
import { Note } from './notes.portico.js'
import { SummaryController } from './summary-controller.js'

/** Everything the app answers, on any database. */
export function buildApp(db: Database): App {
  return createApp().register(
    new SummaryController(db),
    tableController(Note, { db }),
    SpecController({ title: 'Notes', version: '0.1.0' }),
  )
}

/** What `portico spec` describes: it needs a database, but no data. */
export async function app(): Promise<App> {
  return buildApp(await openDatabase(sqlite({ file: ':memory:' })))
}
