import type { Database } from '@portico/db'
import { Controller, Description, Get, Label } from '@portico/http'
import { Note } from './notes.portico.js'

/** The number of open and done notes. */
export interface Summary {
  readonly open: number
  readonly done: number
}

@Controller('/summary')
export class SummaryController {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  @Get()
  @Label('Count the notes')
  @Description('The number of open and done notes.')
  async count(): Promise<Summary> {
    const notes = this.#db.table(Note)
    return { open: await notes.count({ done: false }), done: await notes.count({ done: true }) }
  }
}
