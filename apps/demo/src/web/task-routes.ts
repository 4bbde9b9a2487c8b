import type { HttpReply, RouteDefinition } from '@portico/http'
import { safeRedirect } from '@portico/identity'
import { Task } from '../tracker.portico.ts'
import { addTask, changeTask, explain, gone, type Refusal, star } from './change-tasks.ts'
import { pageRoute, redirectTo, type Site, type Visit } from './page-route.ts'
import { answerWelcome } from './plain-pages.ts'
import { findTasks, listProjects, readFilter } from './task-filter.ts'
import { answerList, answerTask, type TaskEntries, type TaskFields } from './task-pages.ts'

/** The tasks: a list with filters and a form, and a page for each. */
export function taskRoutes(site: Site): RouteDefinition[] {
  const { db, address } = site
  const back = ({ field }: Visit): HttpReply => redirectTo(safeRedirect(field('back') || '/', address))
  return [
    pageRoute(site, {
      method: 'GET',
      path: '/',
      stranger: () => answerWelcome(address),
      handler: (visit) => showList(site, visit),
    }),
    pageRoute(site, { method: 'POST', path: '/task', handler: (visit) => add(site, visit) }),
    pageRoute(site, { method: 'GET', path: '/task/:id', handler: (visit) => showTask(site, visit) }),
    pageRoute(site, { method: 'POST', path: '/task/:id', handler: (visit) => change(site, visit) }),
    pageRoute(site, {
      method: 'POST',
      path: '/task/:id/state',
      async handler(visit) {
        const id = idOf(visit)
        const { matchedCount } = await db.table(Task).updateOne({ id, state: visit.field('state') as Task['state'] })
        if (matchedCount === 0) throw gone()
        return back(visit)
      },
    }),
    pageRoute(site, {
      method: 'POST',
      path: '/task/:id/star',
      async handler(visit) {
        await star(db, visit.viewer.userId, idOf(visit), visit.field('starred') === 'on')
        return back(visit)
      },
    }),
    pageRoute(site, {
      method: 'POST',
      path: '/task/:id/delete',
      async handler(visit) {
        await db.table(Task).deleteOne(idOf(visit))
        return redirectTo('/')
      },
    }),
  ]
}

async function showList({ db }: Site, { viewer, query }: Visit, wrong?: { fields: TaskFields; problem: string }) {
  const filter = readFilter(query)
  const [list, projects] = await Promise.all([findTasks(db, viewer.userId, filter), listProjects(db)])
  return answerList({ viewer, list, filter, projects, ...wrong })
}

async function add(site: Site, visit: Visit): Promise<HttpReply> {
  const fields = readFields(visit)
  try {
    await addTask(site.db, fields)
    return redirectTo('/')
  } catch (error) {
    const refusal = explain(error)
    if (!refusal) throw error
    return showList(site, visit, { fields, problem: refusal.problem })
  }
}

async function change(site: Site, visit: Visit): Promise<HttpReply> {
  const { field } = visit
  const id = idOf(visit)
  const entries = { ...readFields(visit), state: field('state'), tags: field('tags') }
  try {
    await changeTask(site.db, { ...entries, version: field('version'), id })
    return redirectTo('/')
  } catch (error) {
    const refusal = explain(error)
    if (!refusal) throw error
    // What somebody else saved is shown in place of what was entered; what was merely wrong can be mended there.
    return showTask(site, visit, { ...refusal, ...(refusal.status === 400 && { entries }) })
  }
}

async function showTask({ db }: Site, visit: Visit, wrong?: Refusal & { entries?: TaskEntries }): Promise<HttpReply> {
  const id = idOf(visit)
  const task = await db.table(Task).findOne({ where: { id }, with: { project: true, tags: true } })
  if (!task) throw gone()
  const { project, tags, ...plain } = task
  const page = {
    viewer: visit.viewer,
    task: plain,
    tags,
    project: project?.name ?? '',
    projects: await listProjects(db),
  }
  return answerTask({ ...page, ...wrong })
}

function readFields({ field }: Visit): TaskFields {
  return { title: field('title'), project: field('project'), priority: field('priority'), dueOn: field('dueOn') }
}

function idOf({ params }: Visit): number {
  if (!/^\d{1,15}$/.test(params['id'] ?? '')) throw gone()
  return Number(params['id'])
}
