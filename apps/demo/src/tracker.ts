import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Database, openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import { type App, createApp, HttpError, tableController } from '@portico/http'
import { BoardController } from './board-controller.ts'
import { isForThisMachine } from './local-host.ts'
import { Project, Tag, Task, TaskTag } from './tracker.portico.ts'

export interface Tracker {
  readonly url: string
  /** Whether the port that was asked for was free. */
  readonly gotPort: boolean
  close(): Promise<void>
}

/** Starts the task tracker on SQLite. A file that is there already keeps its data. */
export async function startTracker(file: string, port: number): Promise<Tracker> {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true })
  const db = await openDatabase(sqlite({ file }))
  await db.sync([Project, Task, Tag, TaskTag])
  if (!(await db.table(Project).exists())) await addExamples(db)
  const app = createApp()
  app.fastify.addHook('onRequest', async ({ headers }) => {
    if (!isForThisMachine(headers.host)) throw new HttpError(421, 'HOST_UNKNOWN', 'this serves its own machine alone')
  })
  app.register(
    new BoardController(db),
    tableController(Project, { db, route: 'projects' }),
    tableController(Task, { db, route: 'tasks' }),
    tableController(Tag, { db, route: 'tags' }),
    tableController(TaskTag, { db, route: 'task-tags' }),
  )
  return {
    ...(await listen(app, port)),
    async close() {
      await app.close()
      await db.close()
    },
  }
}

/** Listens on the port, or on any that is free where it is taken. */
async function listen(app: App, port: number): Promise<{ url: string; gotPort: boolean }> {
  try {
    return { url: await app.listen({ port }), gotPort: true }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    return { url: await app.listen(), gotPort: false }
  }
}

async function addExamples(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    const [house, trip] = await tx.table(Project).insertMany([{ name: 'House' }, { name: 'Trip' }])
    const [paint, , book] = await tx.table(Task).insertMany([
      { title: 'Paint the door', projectId: house!.id, priority: 2 },
      { title: 'Mend the tap', projectId: house!.id, state: 'done' },
      { title: 'Book the train', projectId: trip!.id, state: 'doing', priority: 1, dueOn: '2030-05-01' },
    ])
    const [outside, urgent] = await tx.table(Tag).insertMany([{ name: 'outside' }, { name: 'urgent' }])
    await tx.table(TaskTag).insertMany([
      { taskId: paint!.id, tagId: outside!.id },
      { taskId: book!.id, tagId: urgent!.id },
    ])
  })
}
