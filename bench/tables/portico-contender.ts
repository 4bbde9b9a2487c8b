import { openDatabase } from '@portico/db'
import { type Adapter } from '@portico/db/adapter'
import { Item } from './items.portico.ts'
import type { Contender } from './work.ts'

/** The same on every engine. */
export async function openPortico(adapter: Adapter): Promise<Contender> {
  const db = await openDatabase(adapter)
  await db.sync([Item])
  const items = db.table(Item)
  return {
    insertOne: (item) => items.insertOne(item),
    insertMany: (list) => items.insertMany(list),
    findById: (id) => items.findById(id),
    findMany: (groupId) => items.findMany({ where: { groupId } }),
    updateOne: (id, { name, active }) => items.updateOne({ id, name, active }),
    deleteOne: (id) => items.deleteOne(id),
    clear: (afterId) => items.deleteMany({ id: { $gt: afterId } }),
  }
}
