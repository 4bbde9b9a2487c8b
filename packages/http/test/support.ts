import { type Database, openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import { type App, createApp, type InjectedRequest, type InjectedResponse, tableController } from '@portico/http'
import { afterAll, beforeAll, describe } from 'vitest'
import { type DatabaseServer, databaseServers } from '../../../test/support/database-servers.ts'
import { Person, Task, type TaskInsert, TaskTag } from './tracker.portico.ts'

type Options = Omit<Parameters<typeof tableController<Task, never, never, never, never, never, never>>[1], 'db'>

/** Opens an empty database. */
export type OpenDatabase = () => Promise<Database>

const openInMemory: OpenDatabase = () => openDatabase(sqlite({ file: ':memory:' }))

/** The same tests on every engine. */
export function onEveryEngine(suite: (open: OpenDatabase) => void): void {
  describe('on SQLite', () => suite(openInMemory))
  describe.each(databaseServers)('on $name', ({ isThere, start, adapter }) => {
    describe.skipIf(!isThere)('', () => {
      let server: DatabaseServer
      beforeAll(async () => {
        server = await start()
      }, 60_000)
      afterAll(() => server[Symbol.asyncDispose]())
      suite(async () => openDatabase(adapter(await server.create())))
    })
  })
}

/** An app with the routes of the three test tables. */
export async function openTracker(options: Options = {}, open: OpenDatabase = openInMemory): Promise<Tracker> {
  const db = await open()
  await db.sync([Person, Task, TaskTag])
  // Errors are provoked here, and would fill the output.
  const app = createApp({ logger: { level: 'silent' } }).register(
    tableController(Person, { db, route: 'people' }),
    tableController(Task, { db, route: 'tasks', ...(options as object) }),
    tableController(TaskTag, { db, route: 'task-tags' }),
  )
  await db.table(Person).insertMany([
    { email: 'ada@example.com', password: 'engine' },
    { email: 'grace@example.com', password: 'compiler' },
  ])
  return new Tracker(app, db)
}

export class Tracker implements AsyncDisposable {
  readonly app: App
  readonly db: Database

  constructor(app: App, db: Database) {
    this.app = app
    this.db = db
  }

  get(url: string, headers: Record<string, string> = {}): Promise<InjectedResponse> {
    return this.app.inject({ method: 'GET', url, headers })
  }

  send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, body?: object, headers: Record<string, string> = {}) {
    const request: InjectedRequest = { method, url, headers, ...(body !== undefined && { payload: body }) }
    return this.app.inject(request)
  }

  /** Everything that is stored, to see whether anything changed. */
  async dump(): Promise<unknown> {
    const { db } = this
    return [await db.table(Person).findMany(), await db.table(Task).findMany(), await db.table(TaskTag).findMany()]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app.close()
    await this.db.close()
  }
}

/** A task that lacks nothing. */
export const aTask: TaskInsert = { title: 'Write', state: 'open', urgent: false, labels: ['a'], ownerId: 1 }
