import { type Database, openDatabase } from '@portico/db'
import { postgres } from '@portico/db/postgres'
import { sqlite } from '@portico/db/sqlite'
import { Person, suiteTables, Team } from '@portico/db/testing'
import { defineTable, type TableDefinition } from '@portico/schema/runtime'
import { describe, expect, it } from 'vitest'
import { hasPostgres, usePostgres } from './support/engines.ts'

type Columns = TableDefinition['columns']

const idColumn: Columns[number] = {
  path: 'id',
  name: 'id',
  type: 'number',
  storage: 'integer',
  integer: true,
  key: true,
}
const nameColumn: Columns[number] = { path: 'name', name: 'name', type: 'string', storage: 'text' }
const parentColumn: Columns[number] = {
  path: 'parent',
  name: 'parent',
  type: 'number',
  storage: 'integer',
  integer: true,
}

function declare(changes: Partial<TableDefinition> = {}) {
  return defineTable<object, object, object, object, object>({
    name: 'Note',
    table: 'notes',
    key: ['id'],
    columns: [idColumn, nameColumn],
    jsonSchema: {},
    check: () => {},
    ...changes,
  })
}

const references = { declaration: 'Note', table: 'notes', paths: ['id'], columns: ['id'] }
const foreignKey = {
  name: 'parent',
  constraint: 'notes__parent__fk',
  paths: ['parent'],
  columns: ['parent'],
  references,
  onDelete: 'restrict',
  onUpdate: 'restrict',
} as const
const linked = { columns: [idColumn, nameColumn, parentColumn], foreignKeys: [foreignKey] }
const unlinked = { columns: [idColumn, nameColumn, parentColumn] }

type Case = [told: string, before: Partial<TableDefinition>, after: Partial<TableDefinition>, message: string]

const refusals: Case[] = [
  ['a missing column', { columns: [idColumn] }, {}, 'table `notes`: column `name` is missing'],
  [
    'another type',
    { columns: [idColumn, { ...nameColumn, type: 'number', storage: 'real' }] },
    {},
    'table `notes`: column `name` is ',
  ],
  [
    'a column that became required',
    { columns: [idColumn, { ...nameColumn, nullable: true, optional: true }] },
    {},
    'table `notes`: column `name` may be NULL, and is declared as required',
  ],
  [
    'a column that became optional',
    {},
    { columns: [idColumn, { ...nameColumn, nullable: true, optional: true }] },
    'table `notes`: column `name` is NOT NULL, and declared as optional',
  ],
  ['a column that is left over', unlinked, {}, 'table `notes`: column `parent` is not declared, but needs a value'],
  [
    'a renamed column',
    {},
    { columns: [idColumn, { ...nameColumn, name: 'title', renamedFrom: ['name'] }] },
    'table `notes`: column `title` was `name`, which is still there',
  ],
  ['a renamed table', {}, { table: 'memos', renamedFrom: ['notes'] }, 'table `memos`: it was `notes`, which is still'],
  ['a missing foreign key', unlinked, linked, 'table `notes`: foreign key `notes__parent__fk` is missing'],
  [
    'a foreign key with other actions',
    linked,
    { ...linked, foreignKeys: [{ ...foreignKey, onDelete: 'cascade' }] },
    'table `notes`: foreign key `notes__parent__fk` has other actions than declared',
  ],
]

describe('sync on SQLite', () => behaves(async () => openDatabase(sqlite({ file: ':memory:' }))))

describe.skipIf(!hasPostgres)('sync on PostgreSQL', () => {
  const databases = usePostgres()
  behaves(async () => openDatabase(postgres({ url: await databases.create() })))
})

function behaves(open: () => Promise<Database>): void {
  it.each(refusals)('refuses %s, and changes nothing', async (_, before, after, message) => {
    await using db = await open()
    await db.sync([declare(before)])
    const refused = db.sync([Team, declare(after)])
    await expect(refused).rejects.toMatchObject({ code: 'SYNC_REFUSED', message: expect.stringContaining(message) })
    await expect(refused).rejects.toThrow('change the table by hand, or the declaration')
    await expect(db.table(Team).count()).rejects.toMatchObject({ code: 'QUERY_FAILED' })
    expect(await db.sync([declare(before)])).toEqual({ steps: [] })
  })

  it('refuses a foreign key to a table that is neither listed nor there', async () => {
    await using db = await open()
    await expect(db.sync([Person])).rejects.toMatchObject({
      code: 'SYNC_REFUSED',
      message: expect.stringMatching(
        /^table `people`: foreign key `people__teamId__fk` refers to `(org__)?teams`, which is/,
      ),
    })
    await db.sync([Team])
    expect((await db.sync([Person])).steps).toMatchObject([{ kind: 'createTable', name: 'people' }])
  })

  it('names the table and the unique index that cannot be made', async () => {
    await using db = await open()
    await db.sync([declare()])
    await db.sql`insert into notes (id, name) values (1, 'a'), (2, 'a')`
    const index = {
      name: 'notes__name',
      unique: true,
      columns: [{ path: 'name', column: 'name', order: 'asc' }],
    } as const
    await expect(db.sync([declare({ indexes: [index] })])).rejects.toMatchObject({
      code: 'SYNC_REFUSED',
      message: 'table `notes`: the unique index `notes__name` cannot be made: some rows have the same values in it',
    })
  })

  it('takes tables as it made them, and columns beside the declared ones that need no value', async () => {
    await using db = await open()
    await db.sync(suiteTables)
    await db.sql`alter table people add column mine text`
    await db.sql`alter table people add column yours integer not null default 1`
    expect(await db.sync(suiteTables)).toEqual({ steps: [] })
  })
}
