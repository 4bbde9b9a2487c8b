import { type Database, openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import { type App, type AppOptions, createApp, defineRoute, reply, tableController } from '@portico/http'
import { specController } from '@portico/spec'
import { Note } from './notes.portico.js'
import { SummaryController } from './summary-controller.js'

/** Everything the app answers, on any database. */
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

/** There are no pages yet: `/` leads to the description of the API. */
const home = defineRoute({
  method: 'GET',
  path: '/',
  handler: () => reply(undefined, { status: 302, headers: { location: '/api-docs' } }),
})

/** For a load balancer: 200 while requests are welcome, 503 once the app is closing or its database is gone. */
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

/** What `portico spec` describes: it needs a database, but no data. */
export async function app(): Promise<App> {
  return buildApp(await openDatabase(sqlite({ file: ':memory:' })))
}
