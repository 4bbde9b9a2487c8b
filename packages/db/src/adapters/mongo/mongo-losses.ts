/** What others made of a collection, and a change of its fields would take with it or leave without a meaning. */
import type { TableChange } from '../../change.ts'
import { DbError } from '../../errors.ts'
import { formerPlace } from '../../sync/change-place.ts'
import type { SyncProblem } from '../../sync/match.ts'
import { labelOf } from '../../sync/match.ts'
import type { TablePlan } from '../../table-plan.ts'
import { type IndexSpec, readEntry, type StoredColumn, type Task } from './mongo-catalog.ts'
import { isSameForm } from './mongo-convert.ts'
import { readOptions } from './mongo-copy.ts'
import { parentsOf } from './mongo-document.ts'
import type { MongoDatabase } from './mongo-driver.ts'
import { declareIndex, isOwnForm, listIndexes, tellTwin } from './mongo-indexes.ts'

interface Changed {
  /** The columns as they are now. */
  readonly before: readonly StoredColumn[]
  /** Those of them that go, that get another place, and whose values get another form. */
  readonly gone: readonly StoredColumn[]
  readonly moved: readonly StoredColumn[]
  readonly reformed: readonly StoredColumn[]
  /** The indexes as they are now, but for those of sync that go. */
  readonly indexes: readonly IndexSpec[]
}

/** Refuses, before a change writes anything, to break what sync did not make. */
export async function refuseLosses(
  db: MongoDatabase,
  table: string,
  { before, after, fill }: Task,
  indexes: readonly IndexSpec[],
): Promise<void> {
  const laterOf = ({ name }: StoredColumn): StoredColumn | undefined => after.columns.find((it) => it.name === name)
  const gone = before.filter((it) => !laterOf(it))
  const moved = before.filter((it) => laterOf(it) && laterOf(it)!.at !== it.at)
  const reformed = before.filter((it) => laterOf(it) && !isSameForm(it, laterOf(it)!))
  const filled = after.columns.filter((it) => it.name === fill?.column)
  const told =
    (await findLoss(db, table, { before, gone, moved, reformed, indexes })) ??
    (await findBlocked(db, table, before, [...moved.map((it) => laterOf(it)!), ...filled]))
  if (told !== undefined) throw new DbError('SYNC_REFUSED', `table \`${table}\`: ${told}`)
}

async function findLoss(db: MongoDatabase, table: string, changed: Changed): Promise<string | undefined> {
  const { before, gone, moved, reformed, indexes } = changed
  const away = [...gone, ...moved]
  const held = indexes.find(
    (index) =>
      gone.some(({ at }) => index.keys.some(([path]) => path === at)) ||
      (!isOwnForm(index, before) && away.some(({ at }) => mentions(index.options, at))),
  )
  if (held) return inTheWay(`the index \`${held.name}\``)
  const ruled = [...away, ...reformed]
  if (ruled.length === 0) return undefined
  const { validator } = await readOptions(db, table)
  const isRuled = ruled.some(({ at }) => [at, at.split('.').at(-1)!].some((it) => mentions(validator, it)))
  return isRuled ? inTheWay('the validator') : undefined
}

/** Where values would have to go into something that is no object, which others stored. */
async function findBlocked(
  db: MongoDatabase,
  table: string,
  before: readonly StoredColumn[],
  coming: readonly StoredColumn[],
): Promise<string | undefined> {
  const parents = new Set(coming.flatMap(({ at }) => parentsOf(at)))
  for (const path of parents) {
    if (before.some((it) => it.at === path)) continue
    const isOther = [{ [path]: { $exists: true, $not: { $type: 'object' } } }, { [path]: { $type: 'array' } }]
    const [found] = await db.collection(table).find({ $or: isOther }, { limit: 1 }).toArray()
    if (found)
      return `\`${path}\` is no object in some documents, and a column has to go into it: change or clear it first`
  }
  return undefined
}

function mentions(rule: unknown, name: string): boolean {
  return (JSON.stringify(rule) ?? '').includes(JSON.stringify(name))
}

function inTheWay(what: string): string {
  return `${what}, which sync did not make, speaks of a column that changes: drop it first`
}

/** Indexes that could not be made beside those that are there, or that come with them. */
export async function foreseeTwins(db: MongoDatabase, changes: readonly TableChange[]): Promise<SyncProblem[]> {
  const problems: SyncProblem[] = []
  const known = new Map<TablePlan, IndexSpec[]>()
  for (const change of changes) {
    if (change.kind !== 'createIndex') continue
    const { plan, index } = change
    const present = known.get(plan) ?? (await listKept(db, formerPlace(plan.place, changes).table, changes))
    const spec = declareIndex(plan, index)
    const told = tellTwin(spec, present)
    if (told !== undefined) problems.push({ table: labelOf(plan), told })
    known.set(plan, [...present, spec])
  }
  return problems
}

/** The indexes of a table but for those that go. */
async function listKept(db: MongoDatabase, table: string, changes: readonly TableChange[]): Promise<IndexSpec[]> {
  const dropped = changes.flatMap((it) => (it.kind === 'dropIndex' && it.place.table === table ? [it.name] : []))
  return (await listIndexes(db, table)).filter((it) => !dropped.includes(it.name))
}

/** What others made, for all changes of a plan, before the first. */
export async function foreseeLosses(db: MongoDatabase, changes: readonly TableChange[]): Promise<SyncProblem[]> {
  const plans = new Set(changes.flatMap((it) => ('plan' in it && it.kind !== 'createTable' ? [it.plan] : [])))
  const problems: SyncProblem[] = []
  for (const plan of plans) {
    const own = changes.filter((it) => 'plan' in it && it.plan === plan)
    const { table } = formerPlace(plan.place, changes)
    const row = await readEntry(db, table)
    if (!row) continue
    const formerly = new Map(own.flatMap((it) => (it.kind === 'renameColumn' ? [[it.to, it.from] as const] : [])))
    const before = row.entry.columns
    const find = (name: string): StoredColumn[] => before.filter((it) => it.name === (formerly.get(name) ?? name))
    const told = await findLoss(db, table, {
      before,
      gone: own.flatMap((it) => (it.kind === 'dropColumn' ? find(it.column) : [])),
      moved: own.flatMap((it) => (it.kind === 'renameColumn' ? find(it.to) : [])),
      reformed: own.flatMap((it) =>
        it.kind === 'alterColumn' && !isSameForm(it.before, it.after) ? find(it.column.name) : [],
      ),
      indexes: await listKept(db, table, changes),
    })
    if (told !== undefined) problems.push({ table: labelOf(plan), told })
  }
  return problems
}
