import type { SignIn } from '@portico/auth-server'
import type { Database } from '@portico/db'
import type { AnyTable } from '@portico/schema/runtime'

/**
 * The database, in which something else happens once, right before this operation of this table is carried out: the first
 * time that `meanwhile` has something to do.
 */
export function interrupt(
  db: Database,
  declaration: AnyTable,
  operation: 'findById' | 'insertOne' | 'updateMany' | 'deleteMany',
  meanwhile: () => Promise<unknown> | undefined,
): Database {
  let isDone = false
  const before = async (): Promise<void> => {
    if (isDone) return
    isDone = true
    const work = meanwhile()
    isDone = work !== undefined
    await work
  }
  return wrap(db, 'table', (asked: AnyTable) => {
    const table = db.table(asked as typeof SignIn)
    if (asked !== declaration) return table
    const carryOut = table[operation].bind(table) as (...input: readonly unknown[]) => Promise<unknown>
    return wrap(table, operation, async (...input: readonly unknown[]) => {
      await before()
      return carryOut(...input)
    })
  })
}

/** The object with one of its methods replaced; the others still see the object itself. */
function wrap<T extends object>(object: T, name: keyof T, replacement: unknown): T {
  return new Proxy(object, {
    get(target, key) {
      if (key === name) return replacement
      const member: unknown = Reflect.get(target, key)
      return typeof member === 'function' ? (member.bind(target) as unknown) : member
    },
  })
}
