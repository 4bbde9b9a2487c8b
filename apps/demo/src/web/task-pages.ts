import type { HttpReply } from '@portico/http'
import { html, Markup } from '../shared/html.ts'
import type { Project, Task } from '../tracker.portico.ts'
import { showDay } from './dates.ts'
import { answerPage, type Viewer } from './layout.ts'
import { addressOf, type ShownTask, states, type TaskFilter, type TaskList } from './task-filter.ts'

const stateLabels: Record<Task['state'], string> = { open: 'Open', doing: 'Doing', done: 'Done' }
const priorities = ['1, urgent', '2', '3', '4', '5, whenever']

/** The values of the form that adds a task. */
export interface TaskFields {
  readonly title: string
  readonly project: string
  readonly priority: string
  readonly dueOn: string
}

/** The values of the form on a task's own page. */
export interface TaskDraft extends TaskFields {
  readonly version: string
  readonly state: string
  readonly tags: string
}

const emptyFields: TaskFields = { title: '', project: '', priority: '3', dueOn: '' }

export interface ListPage {
  readonly viewer: Viewer
  readonly list: TaskList
  readonly filter: TaskFilter
  readonly projects: readonly Project[]
  /** The task that was just added. */
  readonly added?: Task | undefined
  /** The values of a form that was refused, and the reason. */
  readonly fields?: TaskFields | undefined
  readonly problem?: string | undefined
}

export function answerList(page: ListPage): HttpReply {
  const { viewer, list, filter, projects, added, fields = emptyFields, problem } = page
  return answerPage({
    title: 'Tasks',
    viewer,
    current: '/',
    status: problem === undefined ? 200 : 400,
    body: html`<div class="head"><h1>Tasks</h1>${problem === undefined && html`<button class="button primary" type="button" popovertarget="add">Add a task</button>`}</div>
<p class="lead">Everyone here shares the tasks. Only you see your stars.</p>
${added && html`<p class="note" role="status">Added <a href="/task/${added.id}"><bdi>${added.title}</bdi></a>.</p>`}${showProblem(problem)}
${showAddForm(fields, projects, problem === undefined)}
${showFilter(filter, projects)}
<div class="gap">${list.tasks.length > 0 ? html`<ul class="rows">${list.tasks.map((it) => showTask(it, filter))}</ul>` : showNothing(filter)}</div>
${showPages(list, filter)}`,
  })
}

/** A popover over the list. If the input was refused, it is part of the page, next to the reason. */
function showAddForm(fields: TaskFields, projects: readonly Project[], opensOver: boolean): Markup {
  return html`<form class="card sheet" id="add" method="post" action="/task" aria-label="Add a task"${opensOver && new Markup(' popover')}>
<h2>Add a task</h2>
<div class="fields">${titleField(fields)}${projectField(fields, projects)}</div>
<div class="fields">${priorityField(fields)}${dueField(fields)}</div>
<div class="actions"><button class="button primary">Add</button>${opensOver ? html`<button class="button" type="button" popovertarget="add" popovertargetaction="hide">Cancel</button>` : html`<a class="button" href="/">Cancel</a>`}</div>
</form>`
}

function showFilter(filter: TaskFilter, projects: readonly Project[]): Markup {
  const isNarrowed = filter.state !== 'todo' || filter.project !== '' || filter.starred
  return html`<form class="gap filters" method="get" action="/" role="search" aria-label="Filter tasks" data-apply-at-once>
<label>Search<input type="search" name="text" dir="auto" value="${filter.text}" maxlength="200"></label>
<details${isNarrowed && new Markup(' open')}><summary class="button">Filter</summary>
<div class="fields"><label>State<select name="state">${Object.entries(states).map(([value, { label }]) => option(value, label, filter.state))}</select></label>
<label>Project<select name="project">${option('', 'All', filter.project)}${projects.map(({ id, name }) => option(String(id), name, filter.project))}</select></label>
<label class="check"><input type="checkbox" name="starred"${filter.starred && new Markup(' checked')}>Starred</label></div></details>
<button class="button apply">Apply</button>
</form>`
}

function showNothing(filter: TaskFilter): Markup {
  if (addressOf({ ...filter, page: 1 }) === '/') return html`<p class="card empty">Nothing to do. Add a task above.</p>`
  const message = filter.starred ? 'None of your starred tasks match.' : 'No tasks match.'
  return html`<p class="card empty">${message} <a href="/">Clear the filter</a></p>`
}

function showTask(task: ShownTask, filter: TaskFilter): Markup {
  const { id, title, state, starred, project, tags = [] } = task
  const list = addressOf(filter)
  const back = html`<input type="hidden" name="back" value="${list}">`
  const query = list === '/' ? '' : `?${new URLSearchParams({ back: list }).toString()}`
  return html`<li id="task-${id}">
<form method="post" action="/task/${id}/star">${back}<button class="star" name="starred" value="${starred ? 'off' : 'on'}" aria-pressed="${String(starred)}" aria-label="Star ${title}">${starred ? '★' : '☆'}</button></form>
<div class="what ${state === 'done' && 'done'}"><a href="/task/${id}${query}"><bdi>${title}</bdi></a>
<p><bdi>${project?.name}</bdi>${showPriority(task)}${showDue(task)} ${tags.map(({ name }) => html`<span class="tag">${name}</span> `)}</p></div>
${showState(task, back)}
</li>`
}

/** The state of a task, and a menu that changes it. */
function showState({ id, title, state }: ShownTask, back: Markup): Markup {
  const others = Object.entries(stateLabels).filter(([value]) => value !== state)
  return html`<details class="menu" name="state"><summary class="button slim" aria-label="State of ${title}: ${stateLabels[state]}. Change it"><span class="dot ${state}"></span>${stateLabels[state]}</summary>
<form method="post" action="/task/${id}/state">${back}${others.map(([value, label]) => html`<button name="state" value="${value}"><span class="dot ${value}"></span>Change to ${label.toLowerCase()}</button>`)}</form></details>`
}

function showPriority({ priority, state }: ShownTask): Markup | false {
  return priority === 1 && state !== 'done' && html` · <span class="urgent">urgent</span>`
}

function showDue({ dueOn, state }: ShownTask): Markup | undefined {
  if (dueOn === undefined) return undefined
  const isLate = state !== 'done' && dueOn < new Date().toISOString().slice(0, 10)
  return html` · <span class="due ${isLate && 'late'}">due ${showDay(dueOn)}</span>`
}

function showPages({ total, page, lastPage }: TaskList, filter: TaskFilter): Markup | undefined {
  if (total === 0) return undefined
  const link = (to: number, text: string): Markup =>
    to >= 1 && to <= lastPage
      ? html`<a class="button slim" href="${addressOf({ ...filter, page: to })}">${text}</a>`
      : html`<span></span>`
  const where = lastPage === 1 ? '' : ` · page ${page} of ${lastPage}`
  return html`<nav class="pages" aria-label="Pages of tasks">${link(page - 1, 'Previous')}<span>${total === 1 ? '1 task' : `${total} tasks`}${where}</span>${link(page + 1, 'Next')}</nav>`
}

export interface TaskPage {
  readonly viewer: Viewer
  readonly id: number
  /** The stored title. The form may have another. */
  readonly title: string
  readonly draft: TaskDraft
  readonly projects: readonly Project[]
  /** The address of the list that the person came from. */
  readonly back: string
  readonly problem?: string | undefined
  readonly status?: number | undefined
}

export function answerTask({ viewer, id, title, draft, projects, back, problem, status }: TaskPage): HttpReply {
  return answerPage({
    title,
    viewer,
    status,
    body: html`<h1><bdi>${title}</bdi></h1>
<p class="lead"><a href="${back}">Back to the tasks</a></p>
${showProblem(problem)}
<form class="card" method="post" action="/task/${id}">
<input type="hidden" name="version" value="${draft.version}"><input type="hidden" name="back" value="${back}">
<div class="fields">${titleField(draft)}${projectField(draft, projects)}</div>
<div class="fields"><label>State<select name="state">${Object.entries(stateLabels).map(([value, label]) => option(value, label, draft.state))}</select></label>${priorityField(draft)}${dueField(draft)}</div>
<div class="fields"><label class="wide">Tags (comma-separated)<input name="tags" dir="auto" value="${draft.tags}" maxlength="200"></label></div>
<div class="actions"><button class="button primary">Save</button><a class="button" href="${back}">Cancel</a>
<details><summary class="button danger">Delete</summary><button class="button danger" formaction="/task/${id}/delete" formnovalidate>Delete for good</button></details></div>
</form>`,
  })
}

function showProblem(problem: string | undefined): Markup | undefined {
  return problem === undefined ? undefined : html`<p class="note bad" role="alert">${problem}</p>`
}

function option(value: string, label: string, chosen: string): Markup {
  return html`<option value="${value}"${value === chosen && new Markup(' selected')}>${label}</option>`
}

function titleField({ title }: TaskFields): Markup {
  return html`<label class="wide">Title<input name="title" dir="auto" value="${title}" required maxlength="200"></label>`
}

function projectField({ project }: TaskFields, projects: readonly Project[]): Markup {
  return html`<label>Project<input name="project" dir="auto" value="${project}" list="projects" required maxlength="100" autocomplete="off"></label>
<datalist id="projects">${projects.map(({ name }) => html`<option value="${name}">`)}</datalist>`
}

function priorityField({ priority }: TaskFields): Markup {
  return html`<label class="small">Priority<select name="priority">${priorities.map((label, index) => option(String(index + 1), label, priority))}</select></label>`
}

function dueField({ dueOn }: TaskFields): Markup {
  return html`<label class="small">Due<input type="date" name="dueOn" value="${dueOn}"></label>`
}
