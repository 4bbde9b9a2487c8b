import { type Database, DbError, type Queryable } from '@portico/db'
import { HttpError } from '@portico/http'
import { Project, Star, Tag, Task, TaskTag } from '../tracker.portico.ts'
import { transact } from '../transact.ts'

/** The values of a task's form. */
export interface TaskInput {
  readonly title: string
  readonly project: string
  readonly priority: string
  readonly dueOn: string
}

export interface TaskChange extends TaskInput {
  readonly id: number
  readonly version: string
  readonly state: string
  readonly tags: string
}

/** Adds a task, and its project if that is new. Returns the id of the task. */
export async function addTask(db: Database, input: TaskInput): Promise<number> {
  return retryDuplicateNames(db, async (tx) => {
    const task = { ...(await readInput(tx, input)), ...(input.dueOn && { dueOn: input.dueOn }) }
    return (await tx.table(Task).insertOne(task)).id
  })
}

/** Changes a task as a whole, unless another user changed it in the meantime. */
export async function changeTask(db: Database, change: TaskChange): Promise<void> {
  const { id, version, state, dueOn, tags } = change
  await retryDuplicateNames(db, async (tx) => {
    // Tags first: a conflict over a new name repeats everything, and without transactions nothing is rolled back.
    const tagIds = await readTags(tx, tags)
    const { matchedCount } = await tx.table(Task).updateOne({
      ...(await readInput(tx, change)),
      id,
      version: Number(version),
      state: state as Task['state'],
      dueOn: dueOn === '' ? null : dueOn,
    })
    if (matchedCount === 0) throw gone()
    await retag(tx, id, tagIds)
  })
}

/** If two users create the same project or tag at once, the second attempt finds what the first one created. */
async function retryDuplicateNames<T>(db: Database, work: (tx: Queryable) => Promise<T>): Promise<T> {
  try {
    return await transact(db, work)
  } catch (error) {
    if (!(error instanceof DbError && error.code === 'UNIQUE_VIOLATION')) throw error
    return transact(db, work)
  }
}

async function readInput(tx: Queryable, { title, project, priority }: TaskInput) {
  const found = await tx.table(Project).findOne({ where: { name: project } })
  const { id: projectId } = found ?? (await tx.table(Project).insertOne({ name: project }))
  return { title, projectId, priority: Number(priority) }
}

async function readTags(tx: Queryable, text: string): Promise<number[]> {
  const names = [...new Set(text.split(',').map((it) => it.trim()))].filter((it) => it !== '')
  const ids: number[] = []
  for (const name of names) {
    const { id } = (await tx.table(Tag).findOne({ where: { name } })) ?? (await tx.table(Tag).insertOne({ name }))
    ids.push(id)
  }
  return ids
}

async function retag(tx: Queryable, taskId: number, tagIds: readonly number[]): Promise<void> {
  await tx.table(TaskTag).deleteMany({ taskId })
  await tx.table(TaskTag).insertMany(tagIds.map((tagId) => ({ taskId, tagId })))
}

/** Adds or removes the star of a user. Idempotent. */
export async function star(db: Database, userId: string, taskId: number, isStarred: boolean): Promise<void> {
  if (isStarred) await db.table(Star).upsertOne({ userId, taskId })
  else await db.table(Star).deleteMany({ userId, taskId })
}

export function gone(): HttpError {
  return new HttpError(404, 'NOT_FOUND', 'this task does not exist, or was deleted')
}

export interface Refusal {
  readonly status: 400 | 409
  readonly problem: string
}

/** The reason of a refusal, for the person who made the change. `undefined` if they cannot fix it. */
export function explain(error: unknown): Refusal | undefined {
  if (!(error instanceof DbError)) return undefined
  if (error.code === 'VERSION_CONFLICT') {
    return {
      status: 409,
      problem:
        'Someone else has changed this task in the meantime, so your changes were not saved. This is the current version.',
    }
  }
  if (error.code !== 'VALIDATION_FAILED') return undefined
  const messages = (error.issues ?? []).map(({ path, message }) => {
    return `${labels[String(path[0])] ?? path.join('.')} ${message.replace(/^expected (?=a length)/, 'must have ').replace(/^expected /, 'must be ')}.`
  })
  return { status: 400, problem: messages.join(' ') }
}

const labels: Readonly<Record<string, string>> = {
  title: 'Title',
  name: 'Name of the project or tag',
  priority: 'Priority',
  dueOn: 'Due',
  state: 'State',
}
