// The same work on PostgreSQL, by each contender in the way its documentation recommends for speed.
import { postgres } from '@portico/db/postgres'
import pg from 'pg'
import { peer } from './peer.ts'
import { openPortico } from './portico-contender.ts'
import { type Contender, columns, type FlatItem, flatten, type NewItem, nest, postgresTable } from './work.ts'

// Peers are installed by the benchmark alone, so their types are not here to be checked against.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Untyped = any // oxlint-disable-line typescript/no-explicit-any

async function openPool(url: string): Promise<pg.Pool> {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  await pool.query(postgresTable)
  return pool
}

/** By hand: statements prepared by name, rows as objects, as the driver's documentation shows. */
async function raw(url: string): Promise<Contender> {
  const pool = await openPool(url)
  const names = columns.map((it) => `"${it}"`).join(', ')
  const places = columns.map((_, index) => `$${index + 1}`).join(', ')
  const insert = `INSERT INTO items (${names}) VALUES (${places}) RETURNING id`
  const types = ['text', 'text', 'double precision', 'boolean', 'double precision', 'jsonb', 'text', 'text']
  const lists = types.map((type, index) => `$${index + 1}::${type}[]`).join(', ')
  const insertMany = `INSERT INTO items (${names}) SELECT * FROM unnest(${lists}) RETURNING id`
  const toValues = (item: NewItem): unknown[] => {
    const { name, email, groupId, active, score, tags, address } = item
    return [name, email, groupId, active, score, JSON.stringify(tags), address.city, address.zip]
  }
  const query = async (name: string, text: string, values: unknown[]): Promise<FlatItem[]> =>
    (await pool.query<FlatItem>({ name, text, values })).rows
  return {
    insertOne: async (item) => ({ id: Number((await query('insert', insert, toValues(item)))[0]!.id), ...item }),
    insertMany: async (items) => {
      const rows = items.map(toValues)
      return query(
        'many',
        insertMany,
        types.map((_, index) => rows.map((row) => row[index])),
      )
    },
    findById: async (id) => {
      const [row] = await query('byId', `SELECT id, ${names} FROM items WHERE id = $1`, [id])
      return row && nest(row)
    },
    findMany: async (groupId) =>
      (await query('byGroup', `SELECT id, ${names} FROM items WHERE "groupId" = $1`, [groupId])).map(nest),
    updateOne: (id, { name, active }) =>
      query('update', 'UPDATE items SET name = $1, active = $2 WHERE id = $3', [name, active, id]),
    deleteOne: (id) => query('delete', 'DELETE FROM items WHERE id = $1', [id]),
    clear: (afterId) => pool.query('DELETE FROM items WHERE id > $1', [afterId]),
  }
}

const portico = (url: string): Promise<Contender> => openPortico(postgres({ url, maxConnections: 1 }))

async function drizzle(url: string): Promise<Contender> {
  const { drizzle: connect } = await peer<Untyped>('drizzle-orm/node-postgres')
  const { pgTable, text, bigint, doublePrecision, boolean, jsonb } = await peer<Untyped>('drizzle-orm/pg-core')
  const { eq, gt, sql } = await peer<Untyped>('drizzle-orm')
  const items = pgTable('items', {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    name: text('name').notNull(),
    email: text('email').notNull(),
    groupId: doublePrecision('groupId').notNull(),
    active: boolean('active').notNull(),
    score: doublePrecision('score').notNull(),
    tags: jsonb('tags').notNull(),
    address__city: text('address__city').notNull(),
    address__zip: text('address__zip').notNull(),
  })
  const db = connect({ client: await openPool(url) })
  const byId = db
    .select()
    .from(items)
    .where(eq(items.id, sql.placeholder('id')))
    .prepare('byId')
  const byGroup = db
    .select()
    .from(items)
    .where(eq(items.groupId, sql.placeholder('groupId')))
    .prepare('byGroup')
  return {
    insertOne: async (item) => nest((await db.insert(items).values(flatten(item)).returning())[0]),
    insertMany: async (list) => (await db.insert(items).values(list.map(flatten)).returning()).map(nest),
    findById: async (id) => {
      const [found] = await byId.execute({ id })
      return found && nest(found)
    },
    findMany: async (groupId) => (await byGroup.execute({ groupId })).map(nest),
    updateOne: async (id, change) => db.update(items).set(change).where(eq(items.id, id)),
    deleteOne: async (id) => db.delete(items).where(eq(items.id, id)),
    clear: async (afterId) => db.delete(items).where(gt(items.id, afterId)),
  }
}

async function kysely(url: string): Promise<Contender> {
  const { Kysely, PostgresDialect } = await peer<Untyped>('kysely')
  const db = new Kysely({ dialect: new PostgresDialect({ pool: await openPool(url) }) })
  const store = (item: NewItem) => ({ ...flatten(item), tags: JSON.stringify(item.tags) })
  return {
    insertOne: async (item) => nest(await db.insertInto('items').values(store(item)).returningAll().executeTakeFirst()),
    insertMany: async (list) =>
      (await db.insertInto('items').values(list.map(store)).returningAll().execute()).map(nest),
    findById: async (id) => {
      const row = await db.selectFrom('items').selectAll().where('id', '=', id).executeTakeFirst()
      return row && nest(row)
    },
    findMany: async (groupId) =>
      (await db.selectFrom('items').selectAll().where('groupId', '=', groupId).execute()).map(nest),
    updateOne: (id, change) => db.updateTable('items').set(change).where('id', '=', id).execute(),
    deleteOne: (id) => db.deleteFrom('items').where('id', '=', id).execute(),
    clear: (afterId) => db.deleteFrom('items').where('id', '>', afterId).execute(),
  }
}

export const contenders = { raw, portico, drizzle, kysely }
