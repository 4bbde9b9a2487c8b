import { type Database, openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import { type App, type AppOptions, createApp, defineRoute, reply, tableController } from '@portico/http'
import { specController } from '@portico/spec'
import { Note } from './notes.portico.js'
import { SummaryController } from './summary-controller.js'

/** All routes of the app, on any database. */
export function buildApp(db: Database, options: AppOptions = {}): App {
  const app: App = createApp(options)
  return app.register(
    home,
    health(app, db),
    new SummaryController(db),
    tableController(Note, { db }),
    specController({ title: 'Notes', version: '0.1.0' }),
  )
}

/** There are no pages yet: `/` redirects to the API docs. */
const home = defineRoute({
  method: 'GET',
  path: '/',
  handler: () => reply(undefined, { status: 302, headers: { location: '/api-docs' } }),
})

/** For a load balancer: 200 while the app accepts requests, 503 while it closes or its database is unavailable. */
function health(app: App, db: Database) {
  return defineRoute({
    method: 'GET',
    path: '/health',
    async handler() {
      const isReady =
        app.isReady &&
        (await db
          .table(Note)
          .exists()
          .then(
            () => true,
            () => false,
          ))
      return reply({ ready: isReady }, { status: isReady ? 200 : 503 })
    },
  })
}

/** Used by `portico spec`: it needs a database, but no data. */
export async function app(): Promise<App> {
  return buildApp(await openDatabase(sqlite({ file: ':memory:' })))
}
