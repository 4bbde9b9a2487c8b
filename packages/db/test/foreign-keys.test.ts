import { type Database, openDatabase } from '@portico/db'
import type { Adapter, Session } from '@portico/db/adapter'
import { type MongoDatabase, mongo } from '@portico/db/mongo'
import { type SqliteHandle, sqlite } from '@portico/db/sqlite'
import type { TableModel } from '@portico/schema/model'
import type { AnyTable } from '@portico/schema/runtime'
import BetterSqlite from 'better-sqlite3'
import fc from 'fast-check'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { heavy } from '../../../test/support/heavy.ts'
import { declareTable, integer, optional, refer } from './support/declare.ts'
import { hasMongo, useMongo, useRawMongo } from './support/mongo-databases.ts'

const id = integer('id', { key: true })

const Root = declareTable('roots', [id])
const Cascade = declareTable('cascades', [id, integer('root')], {
  foreignKeys: [refer('cascades', ['root'], 'roots', ['id'], 'cascade')],
})
const Deep = declareTable('deeps', [id, integer('cascade')], {
  foreignKeys: [refer('deeps', ['cascade'], 'cascades', ['id'], 'cascade')],
})
const Restrict = declareTable('restricts', [id, integer('deep')], {
  foreignKeys: [refer('restricts', ['deep'], 'deeps', ['id'], 'restrict')],
})
const Nulled = declareTable('nulleds', [id, integer('root', optional)], {
  foreignKeys: [refer('nulleds', ['root'], 'roots', ['id'], 'setNull')],
})
const Preset = declareTable('presets', [id, integer('root', { default: { kind: 'value', value: 1 } })], {
  foreignKeys: [refer('presets', ['root'], 'roots', ['id'], 'setDefault')],
})
const Node = declareTable('nodes', [id, integer('parent', optional)], {
  foreignKeys: [refer('nodes', ['parent'], 'nodes', ['id'], 'cascade')],
})
// Refers to records that go at the same time, and by a field that says which.
const Chain = declareTable('chains', [id, integer('before', optional)], {
  foreignKeys: [refer('chains', ['before'], 'chains', ['id'], 'setNull')],
})
const Pair = declareTable('pairs', [integer('a', { key: true }), integer('b', { key: true })])
// The other way round than the key.
const Link = declareTable('links', [id, integer('x', optional), integer('y', optional)], {
  foreignKeys: [refer('links', ['y', 'x'], 'pairs', ['b', 'a'], 'setNull')],
})
const one = { ...optional, default: { kind: 'value', value: 1 } } as const
const Spot = declareTable('spots', [id, integer('x', one), integer('y', one)], {
  foreignKeys: [refer('spots', ['y', 'x'], 'pairs', ['b', 'a'], 'setDefault')],
})
// May go with one record, and must not be left behind by another.
const Both = declareTable('boths', [id, integer('root'), integer('cascade')], {
  foreignKeys: [
    refer('boths', ['root'], 'roots', ['id'], 'cascade'),
    refer('boths', ['cascade'], 'cascades', ['id'], 'noAction'),
  ],
})
const tables = [Root, Cascade, Deep, Restrict, Nulled, Preset, Node, Chain, Pair, Link, Spot, Both]

/** SQLite with its own foreign keys switched off, so that the table layer looks after them. */
function withoutForeignKeys(declared: readonly AnyTable[]): Adapter {
  const handle = new BetterSqlite(':memory:')
  const inner = sqlite({ handle: handle as unknown as SqliteHandle })
  const tell = <S extends Session>(session: S): S =>
    Object.assign(session, {
      referrers: ({ table }: { table: string }) =>
        declared.filter((it) => it.foreignKeys.some(({ references }) => references.table === table)).map(describeTable),
    })
  return {
    ...inner,
    supports: { ...inner.supports, foreignKeys: false },
    async open() {
      const engine = await inner.open()
      return {
        session: tell(engine.session),
        async begin(options) {
          // A sync leaves them on.
          if (options.purpose === 'work') handle.pragma('foreign_keys = OFF')
          return tell(await engine.begin(options))
        },
        close: async () => void handle.close(),
      }
    },
  }
}

/** The stored side of a table, as a database would keep it. */
function describeTable(table: AnyTable): TableModel {
  const { name, columns, key, renamedFrom, groups, indexes, foreignKeys, ignored } = table
  return { name, table: table.table, columns, key, renamedFrom, groups, indexes, foreignKeys, ignored, relations: [] }
}

const engines = [
  { name: 'SQLite, whose own are off', isThere: true },
  { name: 'MongoDB', isThere: hasMongo },
]

describe.skipIf(!hasMongo)('a cascade on MongoDB', () => {
  const createRaw = useRawMongo()
  const Tree = declareTable('trees', [id, integer('left', optional), integer('right', optional)], {
    foreignKeys: [
      refer('trees', ['left'], 'trees', ['id'], 'cascade'),
      refer('trees', ['right'], 'trees', ['id'], 'cascade'),
    ],
  })
  const Leaf = declareTable('leaves', [integer('tree')], {
    foreignKeys: [refer('leaves', ['tree'], 'trees', ['id'], 'cascade')],
  })

  interface Command {
    readonly collection: unknown
    /** The keys that it deletes. */
    readonly deleted: readonly number[]
  }

  async function open(commands: Command[]): Promise<Database> {
    const raw = createRaw()
    const client = new MongoClient(raw.client.options.hosts.map((it) => `mongodb://${it.toString()}`).join(), {
      monitorCommands: true,
    })
    const db = await openDatabase(mongo({ db: client.db(raw.databaseName) as unknown as MongoDatabase }))
    await db.sync([Tree, Leaf])
    client.on('commandStarted', ({ commandName, command }) => {
      const filters = ((command['deletes'] ?? []) as { q: { _id?: number | { $in: number[] } } }[]).map(
        (it) => it.q._id,
      )
      const deleted = filters.flatMap((it) => (typeof it === 'object' ? it.$in : (it ?? [])))
      commands.push({ collection: command[commandName], deleted })
    })
    const close = db.close.bind(db)
    const end = async (): Promise<void> => {
      await close()
      await client.close()
    }
    return Object.assign(db, { close: end, [Symbol.asyncDispose]: end })
  }

  it('sends one query per level, not per record, and reads the catalog once per table', async () => {
    const commands: Command[] = []
    await using db = await open(commands)
    // A binary tree of 9 levels: of each record, the one above is on its left or on its right.
    const count = 2 ** 9 - 1
    const nodes = Array.from({ length: count }, (_, index) => index + 1).map((it) =>
      it === 1 ? { id: 1 } : { id: it, [it % 2 === 0 ? 'left' : 'right']: Math.floor(it / 2) },
    )
    await db.table(Tree).insertMany(nodes)
    await db.table(Leaf).insertMany(nodes.map((it) => ({ tree: it.id })))
    commands.length = 0
    expect(await db.table(Tree).deleteOne({ id: 1 })).toEqual({ deletedCount: 1 })
    expect(await db.table(Tree).count()).toBe(0)
    expect(await db.table(Leaf).count()).toBe(0)
    expect(commands.filter((it) => it.collection === 'portico__catalog')).toHaveLength(2)
    // Three finds and two or three deletes for each level.
    expect(commands.length).toBeLessThan(9 * 6 + 10)
  })

  it('deletes referring records first, even if several paths lead to them', async () => {
    const commands: Command[] = []
    await using db = await open(commands)
    // 4 refers to 1 and to 3, which refers to 2, which refers to 1.
    const nodes = [{ id: 1 }, { id: 2, left: 1 }, { id: 3, left: 2 }, { id: 4, left: 1, right: 3 }, { id: 5, left: 4 }]
    await db.table(Tree).insertMany(nodes)
    commands.length = 0
    expect(await db.table(Tree).deleteOne({ id: 1 })).toEqual({ deletedCount: 1 })
    const keys = commands.flatMap(({ deleted }) => deleted)
    const places = [5, 4, 3, 2, 1].map((key) => keys.indexOf(key))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(await db.table(Tree).count()).toBe(0)
  })
})

describe.each(engines)('foreign keys enforced by the table layer on $name', ({ name, isThere }) => {
  describe.skipIf(!isThere)('', () => {
    const databases = name === 'MongoDB' ? useMongo() : undefined
    let db: Database
    /** SQLite, which knows what is right. */
    let oracle: Database
    beforeAll(async () => {
      db = await openDatabase(databases ? mongo({ url: databases.create() }) : withoutForeignKeys(tables))
      oracle = await openDatabase(sqlite({ file: ':memory:' }))
      for (const it of [db, oracle]) await it.sync(tables)
    })
    beforeEach(async () => {
      for (const it of [db, oracle]) for (const table of tables.toReversed()) await it.table(table).deleteMany({})
    })
    afterAll(async () => {
      for (const it of [db, oracle]) await it?.close()
    })

    const contents = async (of: Database): Promise<unknown> => {
      const all: Record<string, unknown> = {}
      for (const table of tables) {
        const order = Object.fromEntries(table.key.map((path) => [path, 'asc' as const]))
        all[table.name] = await of.table(table).findMany({ orderBy: order })
      }
      return all
    }

    it('an indirect restrict refuses the whole delete, and nothing is written', async () => {
      await db.table(Root).insertMany([{ id: 1 }, { id: 2 }])
      await db.table(Cascade).insertOne({ id: 1, root: 1 })
      await db.table(Deep).insertOne({ id: 1, cascade: 1 })
      await db.table(Restrict).insertOne({ id: 1, deep: 1 })
      await db.table(Nulled).insertOne({ id: 1, root: 1 })
      const before = await contents(db)
      await expect(db.table(Root).deleteMany({})).rejects.toMatchObject({ code: 'FOREIGN_KEY_VIOLATION' })
      expect(await contents(db)).toEqual(before)
    })

    it('reports the fields of a missing reference', async () => {
      await expect(db.table(Cascade).insertOne({ id: 1, root: 7 })).rejects.toMatchObject({
        code: 'FOREIGN_KEY_VIOLATION',
        fields: ['root'],
      })
      await expect(db.table(Link).upsertOne({ id: 1, x: 1, y: 2 })).rejects.toMatchObject({ fields: ['y', 'x'] })
    })

    it('rows of one insert may refer to each other, and cycles terminate', async () => {
      await db.table(Node).insertMany([
        { id: 1, parent: 2 },
        { id: 2, parent: 1 },
        { id: 3, parent: 3 },
      ])
      expect(await db.table(Node).deleteOne({ id: 1 })).toEqual({ deletedCount: 1 })
      expect(await db.table(Node).findMany()).toEqual([{ id: 3, parent: 3 }])
    })

    it('deletes all matching records, even if they refer to each other by the filtered column', async () => {
      const chain = [{ id: 1 }, { id: 2, before: 1 }, { id: 3, before: 2 }, { id: 4, before: 3 }]
      await db.table(Chain).insertMany(chain)
      expect(await db.table(Chain).deleteMany({ before: { $gte: 2 } } as never)).toEqual({ deletedCount: 2 })
      expect(await db.table(Chain).findMany()).toEqual(chain.slice(0, 2))
      expect(await db.table(Chain).deleteMany({ before: { $null: true } })).toEqual({ deletedCount: 1 })
      expect(await db.table(Chain).findMany()).toEqual([{ id: 2 }])
    })

    it('counts every matching record, including those that a cascade deletes', async () => {
      const tree = [{ id: 1 }, { id: 2, parent: 1 }, { id: 3, parent: 1 }, { id: 4, parent: 3 }]
      await db.table(Node).insertMany(tree)
      expect(await db.table(Node).deleteMany({ id: { $lte: 2 } } as never)).toEqual({ deletedCount: 2 })
      expect(await db.table(Node).count()).toBe(0)
    })

    it('setDefault is refused if its target is deleted too, whatever the order of the columns', async () => {
      const pairs = [
        { a: 1, b: 1 },
        { a: 1, b: 2 },
      ]
      await db.table(Pair).insertMany(pairs)
      await db.table(Spot).insertOne({ id: 1, x: 1, y: 2 })
      await expect(db.table(Pair).deleteMany({})).rejects.toMatchObject({ code: 'FOREIGN_KEY_VIOLATION' })
      expect(await db.table(Pair).deleteOne(pairs[1]!)).toEqual({ deletedCount: 1 })
      expect(await db.table(Spot).findMany()).toEqual([{ id: 1, x: 1, y: 1 }])
    })

    const number = fc.integer({ min: 1, max: 4 })
    const maybe = fc.option(number)
    const target = fc.constantFrom(...tables.map((it) => it.name))
    /** Values for the columns of all tables. Each call uses those of its table. */
    const record = fc.record({
      id: number,
      root: number,
      cascade: number,
      deep: number,
      parent: maybe,
      before: maybe,
      a: number,
      b: number,
      x: maybe,
      y: maybe,
    })
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ kind: fc.constant('insertOne' as const), table: target, record }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('upsertOne' as const), table: target, record }) },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('updateOne' as const), table: target, record }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('updateMany' as const), table: target, record }) },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('deleteOne' as const), table: target, record }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('deleteMany' as const), table: target, record }) },
    )
    type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

    async function run(of: Database, { kind, table: name, record: given }: Step): Promise<unknown> {
      const table = tables.find((it) => it.name === name)!
      const own = Object.fromEntries(
        Object.entries(given).filter(([path]) => table.columns.some((it) => it.path === path)),
      )
      const key = Object.fromEntries(table.key.map((path) => [path, own[path]]))
      const rest = Object.fromEntries(Object.entries(own).filter(([path]) => !table.key.includes(path)))
      const [path] = table.key
      const some = { [path!]: { $lte: own[path!] as number } }
      const operations = of.table(table)
      const call = {
        insertOne: () => operations.insertOne(own),
        upsertOne: () => operations.upsertOne(own),
        updateOne: () => operations.updateOne({ ...key, ...rest }),
        updateMany: () => operations.updateMany(some, rest),
        deleteOne: () => operations.deleteOne(key),
        deleteMany: () => operations.deleteMany(some),
      }[kind]
      const outcome: unknown = await call().catch(({ code }: { code: string }) =>
        // A write that violates both may be refused with either code.
        code.replace('UNIQUE_VIOLATION', 'FOREIGN_KEY_VIOLATION'),
      )
      // SQLite does not count a row that went with another one of the same table.
      return kind === 'deleteMany' && table === Node ? undefined : outcome
    }

    it('random operations have the same result as on an engine with foreign keys', { timeout: 180_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40 }), async (steps) => {
          for (const it of [db, oracle]) for (const table of tables.toReversed()) await it.table(table).deleteMany({})
          for (const it of [db, oracle]) {
            await it.table(Root).insertMany([{ id: 1 }, { id: 2 }, { id: 3 }])
            await it.table(Pair).insertMany([
              { a: 1, b: 2 },
              { a: 2, b: 1 },
            ])
            await it.table(Cascade).insertMany([
              { id: 1, root: 1 },
              { id: 2, root: 2 },
            ])
          }
          for (const it of steps) expect(await run(db, it)).toEqual(await run(oracle, it))
          expect(await contents(db)).toEqual(await contents(oracle))
        }),
        { numRuns: heavy(100) },
      )
    })
  })
})
