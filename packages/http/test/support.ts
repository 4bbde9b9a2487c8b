import { type Database, openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import { type App, createApp, type InjectedAnswer, type InjectedRequest, tableController } from '@portico/http'
import { Person, Task, type TaskInsert, TaskTag } from './tracker.portico.ts'

type Options = Omit<Parameters<typeof tableController<Task, never, never, never, never>>[1], 'db'>

/** An app with the routes of the three test tables on a database in memory. */
export async function openTracker(options: Options = {}): Promise<Tracker> {
  const db = await openDatabase(sqlite({ file: ':memory:' }))
  await db.sync([Person, Task, TaskTag])
  const app = createApp().register(
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

  get(url: string, headers: Record<string, string> = {}): Promise<InjectedAnswer> {
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
