import { type Database, openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import { type App, createApp } from '@portico/http'
import { type SpecControllerOptions, specController } from '@portico/spec'
import { Author, Book, Loan } from '../library.portico.ts'
import { mediumControllers, mediumOptions } from './apps.ts'

export interface LibraryApp extends AsyncDisposable {
  readonly app: App
  readonly db: Database
}

/** The library with a few books in memory, served where its description is. */
export async function openLibrary(options: SpecControllerOptions = {}): Promise<LibraryApp> {
  const db = await openDatabase(sqlite({ file: ':memory:' }))
  await db.sync([Author, Book, Loan])
  const { servers: _, ...described } = mediumOptions
  const app = createApp().register(...mediumControllers(db), specController({ ...described, ...options }))
  const [ursula] = await db.table(Author).insertMany([{ name: 'Ursula K. Le Guin' }, { name: 'Italo Calvino' }])
  await db.table(Book).insertOne({ title: 'The Dispossessed', kind: 'novel', tags: ['far'], authorId: ursula!.id })
  return {
    app,
    db,
    async [Symbol.asyncDispose]() {
      await app.close()
      await db.close()
    },
  }
}
