import assert from 'node:assert/strict'
import { defineTable, type TableDeclaration, type TableDefinition } from '@portico/schema/runtime'
import type { Database } from '../database.ts'
import { type AdapterCase, expectCode } from './suite-case.ts'

type Fields = Record<string, unknown>
type ColumnDefinition = TableDefinition['columns'][number]

const id: ColumnDefinition = { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true }

function text(name: string, more: Partial<ColumnDefinition> = {}): ColumnDefinition {
  return { path: name, name, type: 'string', storage: 'text', ...more }
}

const optional = { nullable: true, optional: true }

/** A table that only the sync cases use. Each case drops it at the end. */
function declare(columns: readonly ColumnDefinition[], more: Partial<TableDefinition> = {}) {
  return defineTable<Fields, Fields, Fields, Fields, Fields>({
    name: 'Synced',
    table: 'synced',
    key: ['id'],
    columns: [id, ...columns],
    jsonSchema: {},
    check: () => {},
    ...more,
  })
}

type Synced = TableDeclaration<Fields, Fields, Fields, Fields, Fields>

/** Syncs, and checks that a second sync has no steps. */
async function sync(db: Database, table: Synced, allow: readonly string[] = []): Promise<string[]> {
  const { steps } = await db.sync([table], { allow })
  assert.deepEqual(await db.sync([table]), { steps: [] })
  return steps.map((it) => it.kind)
}

async function dropAfterwards(db: Database, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } finally {
    await db.sync([], { allow: ['drop synced', 'drop synced2'] })
  }
}

/** An engine may store a column differently once it is indexed. */
const isOfIndex = (kind: string): boolean => kind !== 'changeType'

const unique = { name: 'synced__a', unique: true, columns: [{ path: 'a', column: 'a', order: 'asc' }] } as const

export const syncCases: readonly AdapterCase[] = [
  {
    name: 'sync > adds columns; existing rows get the default or NULL',
    run: ({ db }) =>
      dropAfterwards(db, async () => {
        await sync(db, declare([text('a')]))
        await db.table(declare([text('a')])).insertOne({ id: 1, a: 'x' })
        const after = declare([text('a'), text('b', optional), text('c', { default: { kind: 'value', value: 'new' } })])
        assert.deepEqual(await sync(db, after), ['addColumn', 'addColumn'])
        assert.deepEqual(await db.table(after).findMany(), [{ id: 1, a: 'x', c: 'new' }])
      }),
  },
  {
    name: 'sync > renames tables and columns with their rows, also when nullability changes',
    run: ({ db }) =>
      dropAfterwards(db, async () => {
        const before = declare([text('a')], { indexes: [unique] })
        await sync(db, before)
        await db.table(before).insertMany([
          { id: 1, a: 'x' },
          { id: 2, a: 'y' },
        ])
        const after = declare([text('b', { ...optional, renamedFrom: ['a'] })], {
          table: 'synced2',
          renamedFrom: ['synced'],
        })
        await sync(db, after)
        assert.deepEqual(await db.table(after).findMany({ orderBy: { id: 'asc' } as never }), [
          { id: 1, b: 'x' },
          { id: 2, b: 'y' },
        ])
      }),
  },
  {
    name: 'sync > converts values with consent, and refuses without',
    run: ({ db }) =>
      dropAfterwards(db, async () => {
        const before = declare([{ path: 'a', name: 'a', type: 'number', storage: 'real' }])
        await sync(db, before)
        await db.table(before).insertOne({ id: 1, a: 5 })
        const after = declare([text('a')])
        await expectCode('SYNC_REFUSED', db.sync([after]))
        assert.deepEqual(await sync(db, after, ['convert synced.a']), ['changeType'])
        assert.deepEqual(await db.table(after).findMany(), [{ id: 1, a: '5' }])
      }),
  },
  {
    name: 'sync > keeps a column that is no longer declared, and drops it with consent',
    run: ({ db }) =>
      dropAfterwards(db, async () => {
        const before = declare([text('a'), text('b', optional)])
        await sync(db, before)
        await db.table(before).insertOne({ id: 1, a: 'x', b: 'y' })
        const after = declare([text('a')])
        assert.deepEqual(await sync(db, after), [])
        const { kept } = await db.planSync([after])
        assert.deepEqual(
          kept.filter((it) => it.table === 'synced').map((it) => it.consent),
          ['drop synced.b'],
        )
        await db.table(after).insertOne({ id: 2, a: 'z' })
        assert.deepEqual(await db.table(before).findMany({ orderBy: { id: 'asc' } as never }), [
          { id: 1, a: 'x', b: 'y' },
          { id: 2, a: 'z' },
        ])
        assert.deepEqual(await sync(db, after, ['drop synced.b']), ['dropColumn'])
        assert.deepEqual(await sync(db, before), ['addColumn'])
        assert.deepEqual(await db.table(before).findMany({ orderBy: { id: 'asc' } as never }), [
          { id: 1, a: 'x' },
          { id: 2, a: 'z' },
        ])
      }),
  },
  {
    name: 'sync > refuses to keep an undeclared column that inserts require',
    run: ({ db }) =>
      dropAfterwards(db, async () => {
        await sync(db, declare([text('a'), text('b')]))
        const error = await expectCode('SYNC_REFUSED', db.sync([declare([text('a')])]))
        assert.match(error.message, /allow 'drop synced\.b'/)
      }),
  },
  {
    name: 'sync > fills a default inside an optional object only in rows with the object',
    run: ({ db }) =>
      dropAfterwards(db, async () => {
        const inner = text('o.b', { name: 'o__b', nullable: true })
        const groups = [{ path: 'o', optional: true, presence: 'o__b' }]
        const before = declare([inner], { groups })
        await sync(db, before)
        await db.table(before).insertMany([{ id: 1, o: { b: 'x' } }, { id: 2 }])
        const added = text('o.a', { name: 'o__a', nullable: true, default: { kind: 'value', value: 'n' } })
        const after = declare([added, inner], { groups: [{ path: 'o', optional: true, presence: 'o__a' }] })
        await sync(db, after)
        assert.deepEqual(await db.table(after).findMany({ orderBy: { id: 'asc' } as never }), [
          { id: 1, o: { a: 'n', b: 'x' } },
          { id: 2 },
        ])
      }),
  },
  {
    name: 'sync > creates and drops indexes, and refuses a unique one over duplicates',
    run: ({ db }) =>
      dropAfterwards(db, async () => {
        const plain = declare([text('a')])
        const indexed = declare([text('a')], { indexes: [unique] })
        await sync(db, plain)
        await db.table(plain).insertMany([
          { id: 1, a: 'x' },
          { id: 2, a: 'x' },
        ])
        await expectCode('SYNC_REFUSED', db.sync([indexed]))
        await db.table(plain).deleteOne({ id: 2 })
        assert.deepEqual((await sync(db, indexed)).filter(isOfIndex), ['createIndex'])
        await expectCode('UNIQUE_VIOLATION', db.table(indexed).insertOne({ id: 3, a: 'x' }))
        assert.deepEqual((await sync(db, plain)).filter(isOfIndex), [])
        assert.deepEqual((await sync(db, plain, ['drop synced__a'])).filter(isOfIndex), ['dropIndex'])
      }),
  },
  {
    name: 'sync > never invents a value for a required column',
    run: ({ db }) =>
      dropAfterwards(db, async () => {
        await sync(db, declare([text('a', optional)]))
        await db.table(declare([text('a', optional)])).insertOne({ id: 1 })
        await expectCode('SYNC_REFUSED', db.sync([declare([text('a')])], { allow: ['require synced.a'] }))
        await expectCode('SYNC_REFUSED', db.sync([declare([text('a', optional), text('b')])]))
      }),
  },
  {
    name: 'sync > plans without changing anything, and lists what is no longer declared',
    run: ({ db }) =>
      dropAfterwards(db, async () => {
        const table = declare([text('a')])
        assert.deepEqual(
          (await db.planSync([table])).steps.map((it) => it.kind),
          ['createTable'],
        )
        assert.deepEqual(
          (await db.planSync([table])).steps.map((it) => it.kind),
          ['createTable'],
        )
        await sync(db, table)
        assert.ok((await db.planSync([])).leftovers.includes('synced'))
      }),
  },
]
