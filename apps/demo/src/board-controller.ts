import type { Database } from '@portico/db'
import {
  Controller,
  type ControllerLike,
  Description,
  Get,
  Guard,
  Label,
  Optional,
  Query,
  Returns,
} from '@portico/http'
import { forCallers } from './api-docs.ts'
import { Project, Task } from './tracker.portico.ts'

/** A project with its number of tasks in each state. */
interface Column {
  readonly project: string
  readonly open: number
  readonly doing: number
  readonly done: number
}

/** Other projects can be requested by name. */
const MAX_PROJECTS = 50

const count = { type: 'integer', minimum: 0 }
const column = {
  type: 'object',
  properties: { project: { type: 'string' }, open: count, doing: count, done: count },
  required: ['project', 'open', 'doing', 'done'],
  additionalProperties: false,
}

/** Decorators run when a class is defined, so the class is defined here, where its guard is known. */
export function createBoardController(db: Database, guard: Guard): ControllerLike {
  @Controller('/board')
  @Label('Board')
  @forCallers('board')
  @Guard(guard)
  class BoardController {
    readonly #db: Database

    constructor(db: Database) {
      this.#db = db
    }

    @Get()
    @Label('Read the board')
    @Description(
      `The number of tasks of each project in each state: the first ${MAX_PROJECTS} projects by name, or the one requested.`,
    )
    @Returns([column])
    async read(@Query('project') @Optional() name?: string): Promise<Column[]> {
      const where = name === undefined ? {} : { name }
      const projects = await this.#db.table(Project).findMany({ where, orderBy: { name: 'asc' }, limit: MAX_PROJECTS })
      return Promise.all(projects.map((it) => this.#count(it)))
    }

    async #count({ id, name }: Project): Promise<Column> {
      const tasks = this.#db.table(Task)
      const count = (state: Task['state']): Promise<number> => tasks.count({ projectId: id, state })
      return { project: name, open: await count('open'), doing: await count('doing'), done: await count('done') }
    }
  }
  return new BoardController(db)
}
