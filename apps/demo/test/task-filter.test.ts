import { openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import { expect, it } from 'vitest'
import { tables } from '../dist/start.js'
import { Project, Star, Task } from '../dist/tracker.portico.js'
import { findTasks, readFilter } from '../dist/web/task-filter.js'

it('finds the newest thousand starred tasks if there are more', async () => {
  await using db = await openDatabase(sqlite({ file: ':memory:' }))
  await db.sync(tables)
  const userId = crypto.randomUUID()
  const { id: projectId } = await db.table(Project).insertOne({ name: 'Sky' })
  const titles = Array.from({ length: 1001 }, (_, index) => ({ title: `Star ${index}`, projectId }))
  const tasks = await db.table(Task).insertMany(titles)
  await db.table(Star).insertMany(tasks.map(({ id }) => ({ userId, taskId: id })))
  const list = await findTasks(db, userId, readFilter({ starred: 'on' }))
  expect(list).toMatchObject({ total: 1000, lastPage: 100 })
  expect(list.tasks[0]).toMatchObject({ title: 'Star 1', starred: true })
  expect(await findTasks(db, userId, readFilter({}))).toMatchObject({ total: 1001, tasks: { 0: { title: 'Star 0' } } })
})
