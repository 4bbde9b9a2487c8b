import type { Database } from '@portico/db'
import { type App, createApp, tableController } from '@portico/http'
import { Note } from './notes.portico.js'
import { SummaryController } from './summary-controller.js'

/** Everything the app answers, on any database. */
export function buildApp(db: Database): App {
  return createApp().register(new SummaryController(db), tableController(Note, { db }))
}
