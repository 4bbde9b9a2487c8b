// The same work on SQLite, by each contender in the way its documentation recommends for speed.
import { sqlite } from '@portico/db/sqlite'
import Database from 'better-sqlite3'
import { peer } from './peer.ts'
import { openPortico } from './portico-contender.ts'
import { type Contender, columns, type NewItem, type StoredItem, sqliteTable } from './work.ts'

// Peers are installed by the benchmark alone, so their types are not here to be checked against.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Untyped = any // oxlint-disable-line typescript/no-explicit-any

function openRaw(file: string): Database.Database {
  const db = new Database(file)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  db.pragma('foreign_keys = ON')
  return db
}

function toRow(item: NewItem): unknown[] {
  const { name, email, groupId, active, score, tags, address } = item
  return [name, email, groupId, active ? 1 : 0, score, JSON.stringify(tags), address.city, address.zip]
}

type Row = [number, string, string, number, number, number, string, string, string]

function fromRow(row: Row): StoredItem {
  const [id, name, email, groupId, active, score, tags, city, zip] = row
  return { id, name, email, groupId, active: active === 1, score, tags: JSON.parse(tags), address: { city, zip } }
}

interface FlatItem extends Omit<StoredItem, 'address'> {
  address__city: string
  address__zip: string
}

const nest = ({ address__city: city, address__zip: zip, ...rest }: FlatItem): StoredItem => ({
  ...rest,
  address: { city, zip },
})
const flatten = ({ address, ...rest }: NewItem): Omit<FlatItem, 'id'> => ({
  ...rest,
  address__city: address.city,
  address__zip: address.zip,
})

/** By hand: prepared statements and positional rows. Nothing can be faster. */
async function raw(file: string): Promise<Contender> {
  const db = openRaw(file)
  db.exec(sqliteTable)
  const names = columns.map((it) => `"${it}"`).join(', ')
  const insert = db.prepare(`INSERT INTO items (${names}) VALUES (${columns.map(() => '?').join(', ')})`)
  const byId = db.prepare(`SELECT id, ${names} FROM items WHERE id = ?`).raw()
  const byGroup = db.prepare(`SELECT id, ${names} FROM items WHERE "groupId" = ?`).raw()
  const update = db.prepare('UPDATE items SET name = ?, active = ? WHERE id = ?')
  const remove = db.prepare('DELETE FROM items WHERE id = ?')
  const many = db.transaction((items: NewItem[]) => items.map((item) => insert.run(toRow(item)).lastInsertRowid))
  return {
    insertOne: (item) => ({ id: insert.run(toRow(item)).lastInsertRowid, ...item }),
    insertMany: (items) => many(items),
    findById: (id) => {
      const row = byId.get(id) as Row | undefined
      return row && fromRow(row)
    },
    findMany: (groupId) => (byGroup.all(groupId) as Row[]).map(fromRow),
    updateOne: (id, { name, active }) => update.run(name, active ? 1 : 0, id),
    deleteOne: (id) => remove.run(id),
    clear: (afterId) => db.exec(`DELETE FROM items WHERE id > ${afterId}`),
  }
}

const portico = (file: string): Promise<Contender> => openPortico(sqlite({ file }))

async function drizzleTables() {
  const { drizzle } = await peer<Untyped>('drizzle-orm/better-sqlite3')
  const { sqliteTable: table, text, integer, real, index } = await peer<Untyped>('drizzle-orm/sqlite-core')
  const operators = await peer<Untyped>('drizzle-orm')
  const items = table(
    'items',
    {
      id: integer('id').primaryKey({ autoIncrement: true }),
      name: text('name').notNull(),
      email: text('email').notNull(),
      groupId: real('groupId').notNull(),
      active: integer('active', { mode: 'boolean' }).notNull(),
      score: real('score').notNull(),
      tags: text('tags', { mode: 'json' }).notNull(),
      address__city: text('address__city').notNull(),
      address__zip: text('address__zip').notNull(),
    },
    (it: Untyped) => [index('items__groupId').on(it.groupId)],
  )
  return { drizzle, items, ...operators }
}

async function drizzle(file: string): Promise<Contender> {
  const { drizzle: connect, items, eq, gt } = await drizzleTables()
  const client = openRaw(file)
  client.exec(sqliteTable)
  const db = connect({ client })
  return {
    insertOne: (item) => nest(db.insert(items).values(flatten(item)).returning().get()),
    insertMany: (list) => db.insert(items).values(list.map(flatten)).returning().all().map(nest),
    findById: (id) => {
      const found = db.select().from(items).where(eq(items.id, id)).get()
      return found && nest(found)
    },
    findMany: (groupId) => db.select().from(items).where(eq(items.groupId, groupId)).all().map(nest),
    updateOne: (id, change) => db.update(items).set(change).where(eq(items.id, id)).run(),
    deleteOne: (id) => db.delete(items).where(eq(items.id, id)).run(),
    clear: (afterId) => db.delete(items).where(gt(items.id, afterId)).run(),
  }
}

async function drizzlePrepared(file: string): Promise<Contender> {
  const { drizzle: connect, items, eq, gt, sql } = await drizzleTables()
  const client = openRaw(file)
  client.exec(sqliteTable)
  const db = connect({ client })
  const slots = Object.fromEntries(columns.map((name) => [name, sql.placeholder(name)]))
  const insert = db.insert(items).values(slots).returning().prepare()
  const byId = db
    .select()
    .from(items)
    .where(eq(items.id, sql.placeholder('id')))
    .prepare()
  const byGroup = db
    .select()
    .from(items)
    .where(eq(items.groupId, sql.placeholder('groupId')))
    .prepare()
  const change = { name: sql`${sql.placeholder('name')}`, active: sql`${sql.placeholder('active')}` }
  const update = db
    .update(items)
    .set(change)
    .where(eq(items.id, sql.placeholder('id')))
    .prepare()
  const remove = db
    .delete(items)
    .where(eq(items.id, sql.placeholder('id')))
    .prepare()
  return {
    insertOne: (item) => nest(insert.get(flatten(item))),
    insertMany: (list) => db.insert(items).values(list.map(flatten)).returning().all().map(nest),
    findById: (id) => {
      const found = byId.get({ id })
      return found && nest(found)
    },
    findMany: (groupId) => byGroup.all({ groupId }).map(nest),
    updateOne: (id, { name, active }) => update.run({ id, name, active: active ? 1 : 0 }),
    deleteOne: (id) => remove.run({ id }),
    clear: (afterId) => db.delete(items).where(gt(items.id, afterId)).run(),
  }
}

async function kysely(file: string): Promise<Contender> {
  const { Kysely, SqliteDialect } = await peer<Untyped>('kysely')
  const database = openRaw(file)
  database.exec(sqliteTable)
  const db = new Kysely({ dialect: new SqliteDialect({ database }) })
  const store = (item: NewItem) => ({ ...flatten(item), active: item.active ? 1 : 0, tags: JSON.stringify(item.tags) })
  const load = (row: Untyped): StoredItem => nest({ ...row, active: row.active === 1, tags: JSON.parse(row.tags) })
  return {
    insertOne: async (item) => load(await db.insertInto('items').values(store(item)).returningAll().executeTakeFirst()),
    insertMany: async (list) =>
      (await db.insertInto('items').values(list.map(store)).returningAll().execute()).map(load),
    findById: async (id) => {
      const row = await db.selectFrom('items').selectAll().where('id', '=', id).executeTakeFirst()
      return row && load(row)
    },
    findMany: async (groupId) =>
      (await db.selectFrom('items').selectAll().where('groupId', '=', groupId).execute()).map(load),
    updateOne: (id, { name, active }) =>
      db
        .updateTable('items')
        .set({ name, active: active ? 1 : 0 })
        .where('id', '=', id)
        .execute(),
    deleteOne: (id) => db.deleteFrom('items').where('id', '=', id).execute(),
    clear: (afterId) => db.deleteFrom('items').where('id', '>', afterId).execute(),
  }
}

async function typeorm(file: string): Promise<Contender> {
  const { DataSource, EntitySchema, MoreThan } = await peer<Untyped>('typeorm')
  openRaw(file).exec(sqliteTable).close()
  const entity = new EntitySchema({
    name: 'items',
    columns: {
      id: { type: 'integer', primary: true, generated: 'increment' },
      name: { type: 'text' },
      email: { type: 'text' },
      groupId: { type: 'real' },
      active: { type: 'boolean' },
      score: { type: 'real' },
      tags: { type: 'simple-json' },
      address__city: { type: 'text' },
      address__zip: { type: 'text' },
    },
    indices: [{ name: 'items__groupId', columns: ['groupId'] }],
  })
  const source = new DataSource({ type: 'better-sqlite3', database: file, entities: [entity], enableWAL: true })
  await source.initialize()
  await source.query('PRAGMA synchronous = NORMAL')
  const items = source.getRepository(entity)
  return {
    insertOne: async (item) => nest((await items.insert(flatten(item))) && { id: 0, ...flatten(item) }),
    insertMany: (list) => items.insert(list.map(flatten)),
    findById: async (id) => {
      const found = await items.findOneBy({ id })
      return found && nest(found)
    },
    findMany: async (groupId) => (await items.findBy({ groupId })).map(nest),
    updateOne: (id, change) => items.update({ id }, change),
    deleteOne: (id) => items.delete({ id }),
    clear: (afterId) => items.delete({ id: MoreThan(afterId) }),
  }
}

async function prisma(file: string): Promise<Contender> {
  openRaw(file).exec(sqliteTable).close()
  const { PrismaClient } = await peer<Untyped>('./prisma-client/client.js')
  const { PrismaBetterSqlite3 } = await peer<Untyped>('@prisma/adapter-better-sqlite3')
  const client = new PrismaClient({ adapter: new PrismaBetterSqlite3({ url: `file:${file}` }) })
  await client.$queryRawUnsafe('PRAGMA synchronous = NORMAL')
  const { items } = client
  const store = (item: NewItem) => ({ ...flatten(item), tags: JSON.stringify(item.tags) })
  const load = (row: Untyped): StoredItem => nest({ ...row, tags: JSON.parse(row.tags) })
  return {
    insertOne: async (item) => load(await items.create({ data: store(item) })),
    insertMany: (list) => items.createMany({ data: list.map(store) }),
    findById: async (id) => {
      const row = await items.findUnique({ where: { id } })
      return row && load(row)
    },
    findMany: async (groupId) => (await items.findMany({ where: { groupId } })).map(load),
    updateOne: (id, change) => items.update({ where: { id }, data: change }),
    deleteOne: (id) => items.delete({ where: { id } }),
    clear: (afterId) => items.deleteMany({ where: { id: { gt: afterId } } }),
  }
}

export const contenders = { raw, portico, drizzlePrepared, drizzle, kysely, typeorm, prisma }
