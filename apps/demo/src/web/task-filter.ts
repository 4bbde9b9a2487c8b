import type { Database } from '@portico/db'
import { Project, Star, type Tag, Task } from '../tracker.portico.ts'

const pageSize = 10

/** The filter of the list. */
export interface TaskFilter {
  readonly text: string
  readonly state: keyof typeof states
  readonly project: string
  readonly starred: boolean
  /** From 1. */
  readonly page: number
}

interface StateChoice {
  readonly label: string
  readonly finds: readonly Task['state'][]
}

/** The options of the state filter, with the states that each one matches. */
export const states: Readonly<Record<'todo' | 'open' | 'doing' | 'done' | 'all', StateChoice>> = {
  todo: { label: 'To do', finds: ['open', 'doing'] },
  open: { label: 'Open', finds: ['open'] },
  doing: { label: 'Doing', finds: ['doing'] },
  done: { label: 'Done', finds: ['done'] },
  all: { label: 'All', finds: ['open', 'doing', 'done'] },
}

/** Reads the query leniently: ignores invalid values. */
export function readFilter(query: unknown): TaskFilter {
  const read = (name: string): string => {
    const value = (query as Readonly<Record<string, unknown>>)[name]
    return typeof value === 'string' ? value.trim().slice(0, 200) : ''
  }
  const state = read('state')
  const page = read('page')
  return {
    text: read('text').replaceAll('\0', ''),
    state: Object.hasOwn(states, state) ? (state as TaskFilter['state']) : 'todo',
    project: /^\d{1,15}$/.test(read('project')) ? read('project') : '',
    starred: read('starred') === 'on',
    page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
  }
}

/** The URL of the list with this filter. */
export function addressOf(filter: TaskFilter): string {
  const query = new URLSearchParams()
  if (filter.text !== '') query.set('text', filter.text)
  if (filter.state !== 'todo') query.set('state', filter.state)
  if (filter.project !== '') query.set('project', filter.project)
  if (filter.starred) query.set('starred', 'on')
  if (filter.page > 1) query.set('page', String(filter.page))
  return query.size > 0 ? `/?${query.toString()}` : '/'
}

export interface ShownTask extends Omit<Task, 'project' | 'tags'> {
  readonly project?: Project
  readonly tags?: readonly Tag[]
  readonly starred: boolean
}

export interface TaskList {
  readonly tasks: readonly ShownTask[]
  readonly total: number
  /** The page that is shown. The last one if a later one was requested. */
  readonly page: number
  readonly lastPage: number
}

/** The maximum number of starred tasks in a query. With more stars, the newest tasks are found. */
const MAX_STARS = 1000
const newestFirst = { taskId: 'desc' } as const

/** One page of the matching tasks, the most urgent first, with the user's own stars. */
export async function findTasks(db: Database, userId: string, filter: TaskFilter): Promise<TaskList> {
  const stars = db.table(Star)
  const chosen = filter.starred && (await stars.findMany({ where: { userId }, orderBy: newestFirst, limit: MAX_STARS }))
  const where = {
    state: { $in: [...states[filter.state].finds] },
    ...(filter.text !== '' && { title: { $ilike: `%${filter.text.replace(/[\\%_]/g, '\\$&')}%` } }),
    ...(filter.project !== '' && { projectId: Number(filter.project) }),
    ...(chosen && { id: { $in: chosen.map((it) => it.taskId) } }),
  }
  const tasks = db.table(Task)
  const total = await tasks.count(where)
  const lastPage = Math.max(1, Math.ceil(total / pageSize))
  // After the last task of the last page is done, the page before it is shown.
  const page = Math.min(filter.page, lastPage)
  const found = await tasks.findMany({
    where,
    orderBy: { priority: 'asc', id: 'asc' },
    limit: pageSize,
    offset: (page - 1) * pageSize,
    with: { project: true, tags: true },
  })
  const own = await stars.findMany({ where: { userId, taskId: { $in: found.map((it) => it.id) } } })
  const starred = new Set(own.map((it) => it.taskId))
  return { tasks: found.map((it) => ({ ...it, starred: starred.has(it.id) })), total, page, lastPage }
}

/** The projects to choose from. */
export function listProjects(db: Database): Promise<Project[]> {
  return db.table(Project).findMany({ orderBy: { name: 'asc' }, limit: 200 })
}
