import type { Database } from '@portico/db'
import { Controller, Description, Get, Label } from '@portico/http'
import { Note } from './notes.portico.js'

/** How much there is to do. */
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
  @Description('How many notes are open, and how many are done.')
  async count(): Promise<Summary> {
    const notes = this.#db.table(Note)
    return { open: await notes.count({ done: false }), done: await notes.count({ done: true }) }
  }
}
