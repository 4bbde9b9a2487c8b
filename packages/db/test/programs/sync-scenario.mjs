// A database with parents, children and grandchildren, and its next schema: tables renamed, rebuilt and altered in one sync.
import { compile } from '@portico/schema'

/** @param {string} text */
function models(text) {
  const { models: files } = compile([{ path: 'scenario.portico', text }])
  return files.flatMap((it) => it.declarations).flatMap((it) => it.table ?? [])
}

export const before = models(`
@db.table 'teams'
export interface Team {
  @meta.id @db.default.increment id: number
  name: string
  motto?: string
}
@db.table 'people'
export interface Person {
  @meta.id @db.default.increment id: number
  @db.index.unique email: string
  age?: number
  old?: string
  @db.rel.FK @db.rel.onDelete 'cascade' teamId: Team.id
}
@db.table 'notes'
export interface Note {
  @meta.id @db.default.increment id: number
  text: string
  done: boolean
  @db.rel.FK @db.rel.onDelete 'cascade' personId: Person.id
}`)

export const after = models(`
@db.table 'groups'
@db.table.renamed 'teams'
export interface Team {
  @meta.id @db.default.increment id: number
  @db.column.renamed 'name' @db.index.plain title?: string
  motto?: string
}
@db.table 'people'
export interface Person {
  @meta.id @db.default.increment id: number
  @db.column.renamed 'email' @db.index.unique mail?: string
  @db.default 18 age: number
  @db.rel.FK @db.rel.onDelete 'restrict' teamId: Team.id
}
@db.table 'notes'
export interface Note {
  @meta.id @db.default.increment id: number
  text: string
  done: string
  @db.rel.FK @db.rel.onDelete 'cascade' personId: Person.id
}
@db.table 'tags'
export interface Tag {
  @meta.id id: number
  @db.rel.FK noteId?: Note.id
}`)

export const allow = ['drop people.old', 'require people.age', 'convert notes.done']

/** Rows: 5 teams of 4 people each, who have 3 notes each. @param {(text: string) => Promise<unknown>} run */
export async function fill(run) {
  const list = (/** @type {number} */ count, /** @type {(n: number) => string} */ row) =>
    Array.from({ length: count }, (_, n) => row(n + 1)).join(', ')
  await run(`insert into teams (name) values ${list(5, (n) => `('team ${n}')`)}`)
  const age = (/** @type {number} */ n) => (n % 3 === 0 ? 'null' : n)
  await run(
    `insert into people (email, age, old, "teamId") values ${list(20, (n) => `('p${n}@x', ${age(n)}, 'old', ${(n % 5) + 1})`)}`,
  )
  await run(
    `insert into notes (text, done, "personId") values ${list(60, (n) => `('note ${n}', '${n % 2}', ${(n % 20) + 1})`)}`,
  )
}

/** The rows that are expected afterwards. */
export const expected = {
  groups: Array.from({ length: 5 }, (_, n) => ({ id: n + 1, title: `team ${n + 1}`, motto: null })),
  people: Array.from({ length: 20 }, (_, n) => ({
    id: n + 1,
    mail: `p${n + 1}@x`,
    age: (n + 1) % 3 === 0 ? 18 : n + 1,
    teamId: ((n + 1) % 5) + 1,
  })),
  notes: Array.from({ length: 60 }, (_, n) => ({
    id: n + 1,
    text: `note ${n + 1}`,
    done: (n + 1) % 2 === 1 ? 'true' : 'false',
    personId: ((n + 1) % 20) + 1,
  })),
}
