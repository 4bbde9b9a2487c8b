import type { HttpReply, RouteDefinition } from '@portico/http'
import { safeRedirect } from '@portico/identity'
import { Task } from '../tracker.portico.ts'
import { addTask, changeTask, explain, gone, type Refusal, star } from './change-tasks.ts'
import { pageRoute, redirectTo, type Site, type Visit } from './page-route.ts'
import { answerWelcome } from './plain-pages.ts'
import { findTasks, listProjects, readFilter } from './task-filter.ts'
import { answerList, answerTask, type TaskDraft, type TaskFields } from './task-pages.ts'

/** The tasks: a list with filters and a form, and a page for each. */
export function taskRoutes(site: Site): RouteDefinition[] {
  const { db, address } = site
  /** Back to the list, at the task that was changed. */
  const back = (visit: Visit): HttpReply => redirectTo(`${readBack(site, visit)}#task-${idOf(visit)}`)
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
        return redirectTo(readBack(site, visit))
      },
    }),
  ]
}

async function showList({ db }: Site, { viewer, query }: Visit, wrong?: { fields: TaskFields; problem: string }) {
  const filter = readFilter(query)
  const id = (query as { added?: unknown }).added
  const [list, projects, added] = await Promise.all([
    findTasks(db, viewer.userId, filter),
    listProjects(db),
    isId(id) ? db.table(Task).findOne({ where: { id: Number(id) } }) : undefined,
  ])
  return answerList({ viewer, list, filter, projects, added: added ?? undefined, ...wrong })
}

async function add(site: Site, visit: Visit): Promise<HttpReply> {
  const fields = readFields(visit)
  try {
    return redirectTo(`/?added=${await addTask(site.db, fields)}`)
  } catch (error) {
    const refusal = explain(error)
    if (refusal === undefined) throw error
    return showList(site, visit, { fields, problem: refusal.problem })
  }
}

async function change(site: Site, visit: Visit): Promise<HttpReply> {
  const { field } = visit
  const draft = { ...readFields(visit), version: field('version'), state: field('state'), tags: field('tags') }
  try {
    await changeTask(site.db, { ...draft, id: idOf(visit) })
    return redirectTo(readBack(site, visit))
  } catch (error) {
    const refusal = explain(error)
    if (refusal === undefined) throw error
    return showTask(site, visit, { refusal, draft })
  }
}

interface Refused {
  readonly refusal: Refusal
  readonly draft: TaskDraft
}

async function showTask(site: Site, visit: Visit, refused?: Refused): Promise<HttpReply> {
  const { db } = site
  const id = idOf(visit)
  const task = await db.table(Task).findOne({ where: { id }, with: { project: true, tags: true } })
  if (!task) throw gone()
  const { title, state, priority, dueOn = '', version, project, tags } = task
  const kept: TaskDraft = {
    title,
    project: project?.name ?? '',
    priority: String(priority),
    dueOn,
    version: String(version),
    state,
    tags: tags.map(({ name }) => name).join(', '),
  }
  // A concurrent change has to be seen before it is overwritten. Other mistakes can be fixed in the form.
  const draft = refused?.refusal.status === 400 ? refused.draft : kept
  const projects = await listProjects(db)
  const page = { viewer: visit.viewer, id, title, draft, projects, back: readBack(site, visit) }
  return answerTask({ ...page, ...refused?.refusal })
}

/** The list that the user came from. */
function readBack({ address }: Site, { query, field }: Visit): string {
  const { back } = query as { back?: unknown }
  return safeRedirect(field('back') || (typeof back === 'string' ? back : '/'), address)
}

function readFields({ field }: Visit): TaskFields {
  return { title: field('title'), project: field('project'), priority: field('priority'), dueOn: field('dueOn') }
}

function idOf({ params }: Visit): number {
  if (!isId(params['id'])) throw gone()
  return Number(params['id'])
}

function isId(text: unknown): text is string {
  return typeof text === 'string' && /^\d{1,15}$/.test(text)
}
