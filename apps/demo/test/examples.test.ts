import { openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import { expect, it } from 'vitest'
import { addExamples } from '../dist/examples.js'
import { tables } from '../dist/start.js'
import { Project, Task, TaskTag } from '../dist/tracker.portico.js'

it('are added once, even if two processes start at once', async () => {
  await using db = await openDatabase(sqlite({ file: ':memory:' }))
  await db.sync(tables)
  const count = () => Promise.all([db.table(Project).count(), db.table(Task).count(), db.table(TaskTag).count()])
  await addExamples(db)
  expect(await count()).toEqual([3, 14, 2])
  await addExamples(db)
  expect(await count()).toEqual([3, 14, 2])
})
