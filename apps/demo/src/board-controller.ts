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

/** A project with how much there is to do. */
interface Column {
  readonly project: string
  readonly open: number
  readonly doing: number
  readonly done: number
}

/** More are found by name. */
const mostProjects = 50

const count = { type: 'integer', minimum: 0 }
const column = {
  type: 'object',
  properties: { project: { type: 'string' }, open: count, doing: count, done: count },
  required: ['project', 'open', 'doing', 'done'],
  additionalProperties: false,
}

/** The board. Its class is made here, since its guard is known no sooner. */
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
    @Label('Look at the board')
    @Description(`How many tasks each project has in each state: the first ${mostProjects} by name, or the one named.`)
    @Returns([column])
    async look(@Query('project') @Optional() name?: string): Promise<Column[]> {
      const where = name === undefined ? {} : { name }
      const projects = await this.#db.table(Project).findMany({ where, orderBy: { name: 'asc' }, limit: mostProjects })
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
