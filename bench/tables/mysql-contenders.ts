// The same work on MySQL and MariaDB, by each contender in the way its documentation recommends for speed.
import { mysql } from '@portico/db/mysql'
import mysql2 from 'mysql2'
import type { Pool, ResultSetHeader, RowDataPacket } from 'mysql2/promise'
import { peer } from './peer.ts'
import { openPortico } from './portico-contender.ts'
import { type Contender, columns, type FlatItem, flatten, mysqlTable, type NewItem, nest } from './work.ts'

// Peers are installed by the benchmark alone, so their types are not here to be checked against.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Untyped = any // oxlint-disable-line typescript/no-explicit-any

type Stored = Omit<FlatItem, 'active'> & { active: number }

const read = (row: Stored) => nest({ ...row, active: row.active === 1 })
const store = (item: NewItem) => ({ ...flatten(item), tags: JSON.stringify(item.tags) })

async function openPool(url: string): Promise<Pool> {
  const pool = mysql2.createPool({ uri: url, connectionLimit: 1 }).promise()
  for (const text of mysqlTable) await pool.query(text)
  return pool
}

/** By hand: prepared statements, rows as objects, as the driver's documentation shows. */
async function raw(url: string): Promise<Contender> {
  const pool = await openPool(url)
  const names = columns.map((it) => `\`${it}\``).join(', ')
  const insert = `INSERT INTO items (${names}) VALUES (${columns.map(() => '?').join(', ')})`
  const toValues = (item: NewItem): (string | number | boolean)[] => {
    const { name, email, groupId, active, score, tags, address } = item
    return [name, email, groupId, active, score, JSON.stringify(tags), address.city, address.zip]
  }
  const select = async (text: string, values: number[]): Promise<Stored[]> =>
    (await pool.execute<(Stored & RowDataPacket)[]>(text, values))[0]
  return {
    insertOne: async (item) => ({
      id: (await pool.execute<ResultSetHeader>(insert, toValues(item)))[0].insertId,
      ...item,
    }),
    insertMany: async (items) => {
      const [{ insertId }] = await pool.query<ResultSetHeader>(`INSERT INTO items (${names}) VALUES ?`, [
        items.map(toValues),
      ])
      return items.map((item, index) => ({ id: insertId + index, ...item }))
    },
    findById: async (id) => {
      const [row] = await select(`SELECT id, ${names} FROM items WHERE id = ?`, [id])
      return row && read(row)
    },
    findMany: async (groupId) =>
      (await select(`SELECT id, ${names} FROM items WHERE groupId = ?`, [groupId])).map(read),
    updateOne: (id, { name, active }) =>
      pool.execute('UPDATE items SET name = ?, active = ? WHERE id = ?', [name, active, id]),
    deleteOne: (id) => pool.execute('DELETE FROM items WHERE id = ?', [id]),
    clear: (afterId) => pool.execute('DELETE FROM items WHERE id > ?', [afterId]),
  }
}

const portico = (url: string): Promise<Contender> => openPortico(mysql({ url, maxConnections: 1 }))

async function drizzle(url: string): Promise<Contender> {
  const { drizzle: connect } = await peer<Untyped>('drizzle-orm/mysql2')
  const { mysqlTable: define, longtext, int, double, boolean, json } = await peer<Untyped>('drizzle-orm/mysql-core')
  const { eq, gt, sql } = await peer<Untyped>('drizzle-orm')
  const items = define('items', {
    id: int('id').primaryKey().autoincrement(),
    name: longtext('name').notNull(),
    email: longtext('email').notNull(),
    groupId: double('groupId').notNull(),
    active: boolean('active').notNull(),
    score: double('score').notNull(),
    tags: json('tags').notNull(),
    address__city: longtext('address__city').notNull(),
    address__zip: longtext('address__zip').notNull(),
  })
  const db = connect({ client: await openPool(url) })
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
  // MariaDB gives JSON as text to those that do not ask further.
  const readItem = (row: Untyped) =>
    nest({ ...row, tags: typeof row.tags === 'string' ? JSON.parse(row.tags) : row.tags })
  return {
    insertOne: async (item) => ({ ...item, id: (await db.insert(items).values(flatten(item)).$returningId())[0].id }),
    insertMany: async (list) => {
      const ids = await db.insert(items).values(list.map(flatten)).$returningId()
      return list.map((item, index) => ({ ...item, id: ids[index].id }))
    },
    findById: async (id) => {
      const [found] = await byId.execute({ id })
      return found && readItem(found)
    },
    findMany: async (groupId) => (await byGroup.execute({ groupId })).map(readItem),
    updateOne: async (id, change) => db.update(items).set(change).where(eq(items.id, id)),
    deleteOne: async (id) => db.delete(items).where(eq(items.id, id)),
    clear: async (afterId) => db.delete(items).where(gt(items.id, afterId)),
  }
}

async function kysely(url: string): Promise<Contender> {
  const { Kysely, MysqlDialect } = await peer<Untyped>('kysely')
  const pool = await openPool(url)
  const db = new Kysely({ dialect: new MysqlDialect({ pool: pool.pool }) })
  return {
    insertOne: async (item) => {
      const { insertId } = await db.insertInto('items').values(store(item)).executeTakeFirst()
      return { ...item, id: Number(insertId) }
    },
    insertMany: async (list) => {
      const { insertId } = await db.insertInto('items').values(list.map(store)).executeTakeFirst()
      return list.map((item, index) => ({ ...item, id: Number(insertId) + index }))
    },
    findById: async (id) => {
      const row = await db.selectFrom('items').selectAll().where('id', '=', id).executeTakeFirst()
      return row && read(row)
    },
    findMany: async (groupId) =>
      (await db.selectFrom('items').selectAll().where('groupId', '=', groupId).execute()).map(read),
    updateOne: (id, change) => db.updateTable('items').set(change).where('id', '=', id).execute(),
    deleteOne: (id) => db.deleteFrom('items').where('id', '=', id).execute(),
    clear: (afterId) => db.deleteFrom('items').where('id', '>', afterId).execute(),
  }
}

export const contenders = { raw, portico, drizzle, kysely }
