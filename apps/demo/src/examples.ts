import { type Database, DbError, type Queryable } from '@portico/db'
import { Project, Tag, Task, TaskTag } from './tracker.portico.ts'
import { transact } from './transact.ts'

/** Example data for the first start. Adds nothing if another process on the same database was faster. */
export async function addExamples(db: Database): Promise<void> {
  try {
    await transact(db, insertExamples)
  } catch (error) {
    if (!(error instanceof DbError && error.code === 'UNIQUE_VIOLATION')) throw error
  }
}

async function insertExamples(tx: Queryable): Promise<void> {
  const [house, trip, band] = await tx
    .table(Project)
    .insertMany([{ name: 'House' }, { name: 'Trip' }, { name: 'Band' }])
  const inHouse = { projectId: house!.id }
  const inTrip = { projectId: trip!.id }
  const inBand = { projectId: band!.id }
  const [paint, , book] = await tx.table(Task).insertMany([
    { title: 'Paint the door', priority: 2, ...inHouse },
    { title: 'Repair the tap', state: 'done', ...inHouse },
    { title: 'Book the train', state: 'doing', priority: 1, dueOn: '2030-05-01', ...inTrip },
    { title: 'Find the spare key', ...inHouse },
    { title: 'Order firewood', priority: 4, dueOn: '2030-09-15', ...inHouse },
    { title: 'Measure the windows', ...inHouse },
    { title: 'Learn twenty words of Portuguese', priority: 4, ...inTrip },
    { title: 'Ask about the cat', priority: 2, dueOn: '2030-04-20', ...inTrip },
    { title: 'Renew the passport', state: 'done', priority: 1, ...inTrip },
    { title: 'Tune the piano', state: 'doing', ...inBand },
    { title: 'Write the second verse', priority: 2, ...inBand },
    { title: 'Print the posters', priority: 5, ...inBand },
    { title: 'Carry the drums upstairs', priority: 5, ...inBand },
    { title: 'Find a singer', priority: 1, ...inBand },
  ])
  const [outside, tickets] = await tx.table(Tag).insertMany([{ name: 'outside' }, { name: 'tickets' }])
  await tx.table(TaskTag).insertMany([
    { taskId: paint!.id, tagId: outside!.id },
    { taskId: book!.id, tagId: tickets!.id },
  ])
}
