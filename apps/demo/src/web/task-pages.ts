import type { HttpReply } from '@portico/http'
import type { Project, Tag, Task } from '../tracker.portico.ts'
import { html, Markup } from './html.ts'
import { answerPage, type Viewer } from './layout.ts'
import { addressOf, pageSize, type ShownTask, states, type TaskFilter, type TaskList } from './task-filter.ts'

const stateLabels: Record<Task['state'], string> = { open: 'Open', doing: 'Doing', done: 'Done' }
const nextState: Record<Task['state'], Task['state']> = { open: 'doing', doing: 'done', done: 'open' }
const priorities = ['1, urgent', '2', '3', '4', '5, whenever']

/** What stands in a form about a task. */
export interface TaskFields {
  readonly title: string
  readonly project: string
  readonly priority: string
  readonly dueOn: string
}

/** What stands in the form that changes a task. */
export interface TaskEntries extends TaskFields {
  readonly state: string
  readonly tags: string
}

export const emptyFields: TaskFields = { title: '', project: '', priority: '3', dueOn: '' }

export interface ListPage {
  readonly viewer: Viewer
  readonly list: TaskList
  readonly filter: TaskFilter
  readonly projects: readonly Project[]
  /** What is being added, and why it was not. */
  readonly fields?: TaskFields
  readonly problem?: string | undefined
}

export function answerList(page: ListPage): HttpReply {
  const { viewer, list, filter, projects, fields = emptyFields, problem } = page
  return answerPage({
    title: 'Tasks',
    viewer,
    current: '/',
    status: problem === undefined ? 200 : 400,
    body: html`<h1>Tasks</h1>
<p class="lead">${list.total === 1 ? 'One fits' : `${list.total} fit`} what you chose. Everybody here shares them; the stars are yours alone.</p>
${showProblem(problem)}
<details${problem !== undefined && new Markup(' open')}>
<summary class="button primary">Add a task</summary>
<form class="card" method="post" action="/task">
<div class="fields">${titleField(fields, 'What is there to do?')}${projectField(fields, projects)}</div>
<div class="fields">${priorityField(fields)}${dueField(fields)}<button class="button primary">Add</button></div>
</form>
</details>
<form class="gap fields" method="get" action="/" role="search" aria-label="Filter the tasks">
<label class="wide">Search<input type="search" name="text" value="${filter.text}" maxlength="200"></label>
<label>State<select name="state">${Object.entries(states).map(([value, { label }]) => option(value, label, filter.state))}</select></label>
<label>Project<select name="project">${option('', 'All', filter.project)}${projects.map(({ id, name }) => option(String(id), name, filter.project))}</select></label>
<label class="check"><input type="checkbox" name="starred"${filter.starred && new Markup(' checked')}>Starred</label>
<button class="button">Show</button>
</form>
<div class="gap">${list.tasks.length > 0 ? html`<ul class="rows">${list.tasks.map((it) => showTask(it, filter))}</ul>` : html`<p class="card empty">Nothing here. <a href="/">Show what is open</a></p>`}</div>
${showPages(list.total, filter)}`,
  })
}

function showTask(task: ShownTask, filter: TaskFilter): Markup {
  const { id, title, state, starred, project, tags = [] } = task
  const back = html`<input type="hidden" name="back" value="${addressOf(filter)}">`
  return html`<li>
<form method="post" action="/task/${id}/star">${back}<button class="star" name="starred" value="${starred ? 'off' : 'on'}" aria-pressed="${String(starred)}" aria-label="Star ${title}">${starred ? '★' : '☆'}</button></form>
<div class="what ${state === 'done' && 'done'}"><a href="/task/${id}">${title}</a>
<p>${project?.name}${showPriority(task)}${showDue(task)} ${tags.map(({ name }) => html`<span class="tag">${name}</span> `)}</p></div>
<form method="post" action="/task/${id}/state">${back}<button class="button slim state ${state}" name="state" value="${nextState[state]}" aria-label="${title} is ${state}; make it ${nextState[state]}">${stateLabels[state]}</button></form>
</li>`
}

function showPriority({ priority, state }: ShownTask): Markup | false {
  return priority === 1 && state !== 'done' && html` · <span class="urgent">urgent</span>`
}

function showDue({ dueOn, state }: ShownTask): Markup | undefined {
  if (dueOn === undefined) return undefined
  const isLate = state !== 'done' && dueOn < new Date().toISOString().slice(0, 10)
  return html` · <span class="${isLate && 'late'}">due ${dueOn}</span>`
}

function showPages(total: number, filter: TaskFilter): Markup | undefined {
  const last = Math.max(1, Math.ceil(total / pageSize))
  if (last === 1 && filter.page === 1) return undefined
  const link = (page: number, text: string): Markup =>
    page >= 1 && page <= last
      ? html`<a class="button slim" href="${addressOf({ ...filter, page })}">${text}</a>`
      : html`<span></span>`
  return html`<nav class="pages" aria-label="Pages of tasks">${link(filter.page - 1, 'Previous')}<span>Page ${filter.page} of ${last}</span>${link(filter.page + 1, 'Next')}</nav>`
}

export interface TaskPage {
  readonly viewer: Viewer
  readonly task: Task
  readonly tags: readonly Tag[]
  readonly project: string
  readonly projects: readonly Project[]
  /** What was entered instead, and why it was refused. */
  readonly entries?: TaskEntries
  readonly problem?: string | undefined
  readonly status?: number
}

export function answerTask(page: TaskPage): HttpReply {
  const { viewer, task, projects, problem, status } = page
  const { id, title, version } = task
  const entries = page.entries ?? entriesOf(page)
  return answerPage({
    title,
    viewer,
    ...(status !== undefined && { status }),
    body: html`<h1>${title}</h1>
<p class="lead"><a href="/">All tasks</a></p>
${showProblem(problem)}
<form class="card" method="post" action="/task/${id}">
<input type="hidden" name="version" value="${version}">
<div class="fields">${titleField(entries, 'Title')}${projectField(entries, projects)}</div>
<div class="fields"><label>State<select name="state">${Object.entries(stateLabels).map(([value, label]) => option(value, label, entries.state))}</select></label>${priorityField(entries)}${dueField(entries)}</div>
<div class="fields"><label class="wide">Tags, with commas between them<input name="tags" value="${entries.tags}" maxlength="200"></label></div>
<div class="actions"><button class="button primary">Save</button><a class="button" href="/">Cancel</a><button class="button danger" formaction="/task/${id}/delete" formnovalidate>Delete</button></div>
</form>`,
  })
}

function entriesOf({ task, tags, project }: TaskPage): TaskEntries {
  const { title, state, priority, dueOn = '' } = task
  return { title, project, state, priority: String(priority), dueOn, tags: tags.map(({ name }) => name).join(', ') }
}

function showProblem(problem: string | undefined): Markup | undefined {
  return problem === undefined ? undefined : html`<p class="note bad" role="alert">${problem}</p>`
}

function option(value: string, label: string, chosen: string): Markup {
  return html`<option value="${value}"${value === chosen && new Markup(' selected')}>${label}</option>`
}

function titleField({ title }: TaskFields, label: string): Markup {
  return html`<label class="wide">${label}<input name="title" value="${title}" required maxlength="200"></label>`
}

function projectField({ project }: TaskFields, projects: readonly Project[]): Markup {
  return html`<label>Project, known or new<input name="project" value="${project}" list="projects" required maxlength="100" autocomplete="off"></label>
<datalist id="projects">${projects.map(({ name }) => html`<option value="${name}">`)}</datalist>`
}

function priorityField({ priority }: TaskFields): Markup {
  return html`<label class="small">Priority<select name="priority">${priorities.map((label, index) => option(String(index + 1), label, priority))}</select></label>`
}

function dueField({ dueOn }: TaskFields): Markup {
  return html`<label class="small">Due<input type="date" name="dueOn" value="${dueOn}"></label>`
}
