/** Adopts tables whose column types sync never creates. */
import { openDatabase } from '@portico/db'
import { mysql } from '@portico/db/mysql'
import { postgres } from '@portico/db/postgres'
import { describe, expect, it } from 'vitest'
import { hasPostgres, mysqlEngine, usePostgres } from './support/engines.ts'
import { tableOf } from './support/statements.ts'
import { notes, run, syncWhole } from './support/sync.ts'

const uuid = '0190a0b0-0000-7000-8000-000000000001'

describe.skipIf(!hasPostgres)('adopting a table on PostgreSQL', () => {
  const databases = usePostgres()
  const open = async () => openDatabase(postgres({ url: await databases.create(), maxConnections: 2 }))

  it('keeps every value, and columns that are not declared', async () => {
    await using db = await open()
    await run(
      db,
      `create table notes (id bigint primary key, a varchar(50) not null default 'x', b char(3), c real, d json, e uuid,
        f numeric, g varchar, extra text, more int not null default 3)`,
    )
    await run(
      db,
      `insert into notes values (1, 'one', 'ab', 1.5, '["x"]', '${uuid}', 12.5, 'any', 'kept', 4), (2, 'two', null, null, null, null, null, null, null, 5)`,
    )
    const declared = notes(
      "@db.default 'x' a: string",
      'b?: string',
      'c?: number',
      'd?: string[]',
      'e?: string.uuid',
      'f?: decimal',
      'g?: string',
    )
    const plan = await db.planSync(declared, { allow: ['adopt notes'] })
    expect(plan.problems).toEqual([])
    const changed = plan.steps.filter((it) => it.kind === 'changeType')
    expect(Object.fromEntries(changed.map((it) => [it.name, it.class]))).toEqual({
      'notes.a': 'widening',
      'notes.b': 'widening',
      'notes.c': 'widening',
      'notes.d': 'widening',
      'notes.e': 'widening',
      'notes.f': 'destructive',
      'notes.g': 'widening',
    })
    expect(plan.steps.some((it) => it.kind === 'dropColumn')).toBe(false)
    expect(plan.kept.map((it) => it.name)).toEqual(['notes.extra', 'notes.more'])
    await syncWhole(db, declared, { allow: ['adopt notes', 'narrow notes.f'] })
    expect(await db.table(tableOf(declared[0]!)).findMany({ orderBy: { id: 'asc' } as never })).toEqual([
      { id: 1, a: 'one', b: 'ab', c: 1.5, d: ['x'], e: uuid, f: '12.5', g: 'any' },
      { id: 2, a: 'two' },
    ])
    expect(await db.sql`select extra, more from notes order by id`).toEqual([
      { extra: 'kept', more: 4 },
      { extra: null, more: 5 },
    ])
  })

  it('refuses numerics that do not fit the decimal, and types without a conversion', async () => {
    await using db = await open()
    await run(db, 'create table notes (id bigint primary key, f numeric, t timestamptz)')
    await run(db, 'insert into notes values (1, 0.12345678901, now())')
    const allow = ['adopt notes', 'narrow notes.f']
    await expect(db.sync(notes('f?: decimal'), { allow })).rejects.toThrow('`f` has 1 value that cannot be kept')
    await expect(db.sync(notes('t?: string'), { allow })).rejects.toThrow(
      'column `t` cannot change from TIMESTAMP WITH TIME ZONE to TEXT: no conversion',
    )
  })

  it('converts other text types to types besides text', async () => {
    await using db = await open()
    await run(db, 'create table notes (id bigint primary key, a varchar(9), b char(4))')
    await run(db, "insert into notes values (1, '12', 'true')")
    const allow = ['adopt notes', 'narrow notes.a', 'narrow notes.b']
    await syncWhole(db, notes('a?: number', 'b?: boolean'), { allow })
    expect(await db.sql`select a, b from notes`).toEqual([{ a: 12, b: true }])
  })
})

describe.skipIf(!mysqlEngine.isThere)('adopting a table on MySQL', () => {
  const databases = mysqlEngine.use()

  it('keeps every value, and columns that are not declared', async () => {
    await using db = await openDatabase(mysql({ url: await databases.create(), maxConnections: 2 }))
    await run(
      db,
      "create table notes (id int primary key, a varchar(50) not null default 'x', c float, e enum('p', 'q'), extra text) charset utf8mb4",
    )
    await run(db, "insert into notes values (1, 'one', 1.5, 'q', 'kept')")
    const declared = notes("@db.default 'x' a: string", 'c?: number', 'e?: string')
    await syncWhole(db, declared, { allow: ['adopt notes'] })
    expect(await db.table(tableOf(declared[0]!)).findMany()).toEqual([{ id: 1, a: 'one', c: 1.5, e: 'q' }])
    expect(await db.sql`select extra from notes`).toEqual([{ extra: 'kept' }])
  })

  it('needs consent to store an integer in a smaller type', async () => {
    await using db = await openDatabase(mysql({ url: await databases.create(), maxConnections: 2 }))
    await run(db, 'create table notes (id bigint primary key)')
    const { steps } = await db.planSync(notes(), { allow: ['adopt notes'] })
    expect(steps).toContainEqual(expect.objectContaining({ kind: 'changeType', consent: 'narrow notes.id' }))
  })
})
