/** What others made of a collection, and a change of its fields would take with it or leave without a meaning. */
import { DbError } from '../../errors.ts'
import type { CatalogEntry, IndexSpec, StoredColumn } from './mongo-catalog.ts'
import { isSameForm } from './mongo-convert.ts'
import { readOptions } from './mongo-copy.ts'
import type { MongoDatabase } from './mongo-driver.ts'
import { isOwnForm } from './mongo-indexes.ts'

interface Changed {
  /** The columns as they are now, under the names that they will have. */
  readonly before: readonly StoredColumn[]
  readonly after: CatalogEntry
  /** The indexes as they are now. Those of sync that go are gone already. */
  readonly indexes: readonly IndexSpec[]
}

/** Refuses, before anything is written, to break what sync did not make. */
export async function refuseLosses(db: MongoDatabase, table: string, changed: Changed): Promise<void> {
  const { before, after, indexes } = changed
  const laterOf = ({ name }: StoredColumn): StoredColumn | undefined => after.columns.find((it) => it.name === name)
  const gone = before.filter((it) => !laterOf(it))
  const moved = before.filter((it) => laterOf(it)?.at !== it.at)
  for (const index of indexes) {
    const isKey = gone.some(({ at }) => index.keys.some(([path]) => path === at))
    const isNamed = !isOwnForm(index, before) && moved.some(({ at }) => mentions(index.options, at))
    if (isKey || isNamed) throw refusal(table, `the index \`${index.name}\`, which sync did not make,`)
  }
  const reformed = before.filter((it) => laterOf(it) && !isSameForm(it, laterOf(it)!))
  if (moved.length + reformed.length === 0) return
  const { validator } = await readOptions(db, table)
  const isRuled = [...moved, ...reformed].some(({ at }) =>
    [at, at.split('.').at(-1)!].some((it) => mentions(validator, it)),
  )
  if (isRuled) throw refusal(table, 'the validator, which sync did not make,')
}

function mentions(rule: unknown, name: string): boolean {
  return (JSON.stringify(rule) ?? '').includes(JSON.stringify(name))
}

function refusal(table: string, what: string): DbError {
  return new DbError('SYNC_REFUSED', `table \`${table}\`: ${what} speaks of a column that changes: drop it first`)
}
