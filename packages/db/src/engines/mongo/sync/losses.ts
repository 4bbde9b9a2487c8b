/** What others made of a collection, and a change of its fields would take with it or leave without a meaning. */
import type { TableChange } from '../../../contract/change.ts'
import type { PlanColumn, TablePlan } from '../../../contract/plan.ts'
import type { SyncProblem } from '../../../contract/problem.ts'
import { DbError } from '../../../errors.ts'
import { count } from '../../../shared/count.ts'
import { formerTableName } from '../../../sync/4-apply/change-place.ts'
import { declaredNameOf } from '../../../values/table-name.ts'
import type { MongoCollection, MongoDatabase } from '../client/driver.ts'
import { layoutOf, parentsOf } from '../documents/document.ts'
import { type IndexSpec, readEntry, type StoredColumn, type Task } from './catalog.ts'
import {
  adviseOn,
  countUnreadable,
  describeKinds,
  describeUnreadable,
  findHiddenObject,
  findOtherParents,
  isKindOf,
  readKinds,
} from './check-documents.ts'
import { isSameForm } from './convert.ts'
import { readOptions } from './copy.ts'
import { declareIndex, isOwnForm, listIndexes, tellTwin } from './indexes.ts'
import { isPresent } from './task.ts'

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
  { before, after }: Task,
  indexes: readonly IndexSpec[],
  plan: TablePlan,
): Promise<void> {
  const laterOf = ({ name }: StoredColumn): StoredColumn | undefined => after.columns.find((it) => it.name === name)
  const gone = before.filter((it) => !laterOf(it))
  const moved = before.filter((it) => laterOf(it) && laterOf(it)!.at !== it.at)
  const reformed = before.filter((it) => laterOf(it) && !isSameForm(it, laterOf(it)!))
  const fresh = after.columns.filter((it) => !before.some(({ name }) => name === it.name))
  const told =
    (await findLoss(db, table, { before, gone, moved, reformed, indexes })) ??
    (await findBlocked(db.collection(table), plan, {
      before,
      left: [...gone, ...moved].map((it) => it.at),
      moved: moved.map((it) => laterOf(it)!.at),
      added: plan.columns.filter((it) => fresh.some(({ name }) => name === it.name)),
    }))
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

interface Coming {
  /** The columns as they are now. */
  readonly before: readonly StoredColumn[]
  /** Where columns move from, or are dropped. */
  readonly left: readonly string[]
  /** Where columns move to. */
  readonly moved: readonly string[]
  /** Columns that are new. */
  readonly added: readonly PlanColumn[]
}

/** What others stored where a column has to go: it would be overwritten, or read as a value of the column. */
async function findBlocked(
  collection: MongoCollection,
  plan: TablePlan,
  { before, left, moved, added }: Coming,
): Promise<string | undefined> {
  const { pathOf } = layoutOf(plan)
  const known = new Set(before.map((it) => it.at))
  const around = new Set(before.flatMap((it) => parentsOf(it.at)))
  // Where columns are, or objects around them, nothing is but what sync knows of.
  const isFree = (path: string): boolean => path !== '_id' && !known.has(path) && !around.has(path)
  const coming = [...moved, ...added.map(pathOf)].filter((path) => !parentsOf(path).some((it) => known.has(it)))
  const other = (await findArray(collection, left)) ?? (await findOtherParents(collection, coming))
  if (other !== undefined) return other
  for (const path of moved.filter(isFree)) {
    const taken = await collection.countDocuments(isPresent({ at: path, storage: 'json' }), {})
    if (taken === 0) continue
    const reason = `\`${path}\` has a value in ${count(taken, 'document')} that no column declares, and a renamed column has to go there`
    return `${reason}: rename or clear it first`
  }
  for (const column of added.filter((it) => isFree(pathOf(it)))) {
    const reason = await findUnlike(collection, column, pathOf(column))
    if (reason !== undefined) return reason
  }
  return (await findHiddenObject(collection, plan, (columns) => columns.every((it) => added.includes(it))))?.reason
}

/** Values of a new column that others stored before it was declared: those that fit become its own. */
async function findUnlike(collection: MongoCollection, column: PlanColumn, at: string): Promise<string | undefined> {
  const kinds = await readKinds(collection, { at })
  const others = new Map([...kinds].filter(([kind]) => !isKindOf(kind, column)))
  if (others.size > 0) {
    const reason = `column \`${column.name}\` cannot be added: documents have other values in its place, ${describeKinds(others)}`
    return `${reason}: ${adviseOn(others, { at })}`
  }
  const unreadable = kinds.size > 0 ? await countUnreadable(collection, { at }, column) : 0
  return unreadable > 0 ? describeUnreadable(column, unreadable) : undefined
}

/** Neither removes nor renames MongoDB what is inside of an array. */
async function findArray(collection: MongoCollection, paths: readonly string[]): Promise<string | undefined> {
  for (const path of new Set(paths.flatMap(parentsOf))) {
    const found = await collection.countDocuments({ [path]: { $type: 'array' } }, {})
    if (found > 0)
      return `\`${path}\` is an array in ${count(found, 'document')}, and a column leaves it: change it first`
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
export async function preflightTwins(db: MongoDatabase, changes: readonly TableChange[]): Promise<SyncProblem[]> {
  const problems: SyncProblem[] = []
  const known = new Map<TablePlan, IndexSpec[]>()
  for (const change of changes) {
    if (change.kind !== 'createIndex') continue
    const { plan, index } = change
    const present = known.get(plan) ?? (await listKept(db, formerTableName(plan.tableName, changes).table, changes))
    const spec = declareIndex(plan, index)
    const message = tellTwin(spec, present)
    if (message !== undefined) problems.push({ table: declaredNameOf(plan), message })
    known.set(plan, [...present, spec])
  }
  return problems
}

function pathsOf(plan: TablePlan, name: string): string[] {
  return plan.columns.filter((it) => it.name === name).map(layoutOf(plan).pathOf)
}

/** The indexes of a table but for those that go. */
async function listKept(db: MongoDatabase, table: string, changes: readonly TableChange[]): Promise<IndexSpec[]> {
  const dropped = changes.flatMap((it) => (it.kind === 'dropIndex' && it.tableName.table === table ? [it.name] : []))
  return (await listIndexes(db, table)).filter((it) => !dropped.includes(it.name))
}

/** What others made, for all changes of a plan, before the first. */
export async function preflightLosses(db: MongoDatabase, changes: readonly TableChange[]): Promise<SyncProblem[]> {
  const plans = new Set(changes.flatMap((it) => ('plan' in it && it.kind !== 'createTable' ? [it.plan] : [])))
  const problems: SyncProblem[] = []
  for (const plan of plans) {
    const own = changes.filter((it) => 'plan' in it && it.plan === plan)
    const { table } = formerTableName(plan.tableName, changes)
    const row = await readEntry(db, table)
    if (!row) continue
    const formerly = new Map(own.flatMap((it) => (it.kind === 'renameColumn' ? [[it.to, it.from] as const] : [])))
    const before = row.entry.columns
    const find = (name: string): StoredColumn[] => before.filter((it) => it.name === (formerly.get(name) ?? name))
    const gone = own.flatMap((it) => (it.kind === 'dropColumn' ? find(it.column) : []))
    const moved = own.flatMap((it) => (it.kind === 'renameColumn' ? find(it.to) : []))
    const blocked = await findBlocked(db.collection(table), plan, {
      before,
      left: [...gone, ...moved].map((it) => it.at),
      moved: own.flatMap((it) => (it.kind === 'renameColumn' ? pathsOf(plan, it.to) : [])),
      added: own.flatMap((it) => (it.kind === 'addColumn' ? [it.column] : [])),
    })
    if (blocked !== undefined) problems.push({ table: declaredNameOf(plan), message: blocked })
    const message = await findLoss(db, table, {
      before,
      gone,
      moved,
      reformed: own.flatMap((it) =>
        it.kind === 'alterColumn' && !isSameForm(it.before, it.after) ? find(it.column.name) : [],
      ),
      indexes: await listKept(db, table, changes),
    })
    if (message !== undefined) problems.push({ table: declaredNameOf(plan), message })
  }
  return problems
}
