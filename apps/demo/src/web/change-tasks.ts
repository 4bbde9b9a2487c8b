import { type Database, DbError, type Tables } from '@portico/db'
import { HttpError } from '@portico/http'
import { Project, Star, Tag, Task, TaskTag } from '../tracker.portico.ts'

/** What a person typed about a task. */
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

/** Adds a task, and its project where that is new. */
export async function addTask(db: Database, input: TaskInput): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.table(Task).insertOne({ ...(await readInput(tx, input)), ...(input.dueOn && { dueOn: input.dueOn }) })
  })
}

/** Changes a task as a whole, unless somebody else has in the meantime. */
export async function changeTask(db: Database, change: TaskChange): Promise<void> {
  const { id, version, state, dueOn, tags } = change
  await inTransaction(db, async (tx) => {
    const { matchedCount } = await tx.table(Task).updateOne({
      ...(await readInput(tx, change)),
      id,
      version: Number(version),
      state: state as Task['state'],
      dueOn: dueOn === '' ? null : dueOn,
    })
    if (matchedCount === 0) throw gone()
    await retag(tx, id, tags)
  })
}

/** Of two people who use a new name at once, the second one's work is done again and finds what the first has made. */
async function inTransaction(db: Database, work: (tx: Tables) => Promise<void>): Promise<void> {
  try {
    await db.transaction(work)
  } catch (error) {
    if (!(error instanceof DbError && error.code === 'UNIQUE_VIOLATION')) throw error
    await db.transaction(work)
  }
}

async function readInput(tx: Tables, { title, project, priority }: TaskInput) {
  const found = await tx.table(Project).findOne({ where: { name: project } })
  const { id: projectId } = found ?? (await tx.table(Project).insertOne({ name: project }))
  return { title, projectId, priority: Number(priority) }
}

async function retag(tx: Tables, taskId: number, text: string): Promise<void> {
  const names = [...new Set(text.split(',').map((it) => it.trim()))].filter((it) => it !== '')
  await tx.table(TaskTag).deleteMany({ taskId })
  for (const name of names) {
    const { id: tagId } =
      (await tx.table(Tag).findOne({ where: { name } })) ?? (await tx.table(Tag).insertOne({ name }))
    await tx.table(TaskTag).insertOne({ taskId, tagId })
  }
}

/** Puts a person's star on a task, or takes it off; twice is as good as once. */
export async function star(db: Database, userId: string, taskId: number, isStarred: boolean): Promise<void> {
  if (isStarred) await db.table(Star).upsertOne({ userId, taskId })
  else await db.table(Star).deleteMany({ userId, taskId })
}

export function gone(): HttpError {
  return new HttpError(404, 'NOT_FOUND', 'there is no such task, or not any more')
}

/** Why a change was refused, for the person who made it. */
export interface Refusal {
  readonly status: 400 | 409
  readonly problem: string
}

/** Why a change was refused; `undefined` when it is not the person's to mend. */
export function explain(error: unknown): Refusal | undefined {
  if (!(error instanceof DbError)) return undefined
  if (error.code === 'VERSION_CONFLICT') {
    return { status: 409, problem: 'Somebody else has changed this task in the meantime. This is how it is now.' }
  }
  if (error.code !== 'VALIDATION_FAILED') return undefined
  const problem = (error.issues ?? [])
    .map(({ path, message }) => `${labels[String(path[0])] ?? path.join('.')}: ${message}.`)
    .join(' ')
  return { status: 400, problem }
}

const labels: Readonly<Record<string, string>> = {
  title: 'Title',
  name: 'Name of the project or tag',
  priority: 'Priority',
  dueOn: 'Due',
  state: 'State',
}
