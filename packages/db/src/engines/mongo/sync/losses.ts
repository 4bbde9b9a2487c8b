/** Finds indexes, validators and fields that sync did not create, and that a change would drop, break or overwrite. */
import type { TableChange } from '../../../contract/change.ts'
import type { SyncProblem } from '../../../contract/sync-problem.ts'
import type { PlanColumn, TablePlan } from '../../../contract/table-plan.ts'
import { DbError } from '../../../errors.ts'
import { count } from '../../../shared/count.ts'
import { declaredNameOf } from '../../../values/table-name.ts'
import { formerTableName } from '../../../values/table-of-change.ts'
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
import { declareIndex, describeEqualIndex, isOwnForm, listIndexes } from './indexes.ts'
import { isPresent } from './task.ts'

interface Changed {
  readonly before: readonly StoredColumn[]
  /** Columns that are dropped, moved, or converted. */
  readonly gone: readonly StoredColumn[]
  readonly moved: readonly StoredColumn[]
  readonly reformed: readonly StoredColumn[]
  /** The current indexes, except those that the sync drops. */
  readonly indexes: readonly IndexSpec[]
}

/** Refuses a change that would break objects that sync did not create, before it writes anything. */
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
  const problem =
    (await findLoss(db, table, { before, gone, moved, reformed, indexes })) ??
    (await findBlocked(db.collection(table), plan, {
      before,
      left: [...gone, ...moved].map((it) => it.at),
      moved: moved.map((it) => laterOf(it)!.at),
      added: plan.columns.filter((it) => fresh.some(({ name }) => name === it.name)),
    }))
  if (problem !== undefined) throw new DbError('SYNC_REFUSED', `table \`${table}\`: ${problem}`)
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
  readonly before: readonly StoredColumn[]
  /** Paths that columns leave. */
  readonly left: readonly string[]
  /** Paths that columns move to. */
  readonly moved: readonly string[]
  /** New columns. */
  readonly added: readonly PlanColumn[]
}

/** Finds undeclared values where a column will be stored: they would be overwritten, or read as the column. */
async function findBlocked(
  collection: MongoCollection,
  plan: TablePlan,
  { before, left, moved, added }: Coming,
): Promise<string | undefined> {
  const { pathOf } = layoutOf(plan)
  const known = new Set(before.map((it) => it.at))
  const around = new Set(before.flatMap((it) => parentsOf(it.at)))
  // Paths of existing columns and their parents hold nothing else.
  const isFree = (path: string): boolean => path !== '_id' && !known.has(path) && !around.has(path)
  const coming = [...moved, ...added.map(pathOf)].filter((path) => !parentsOf(path).some((it) => known.has(it)))
  const other = (await findArray(collection, left)) ?? (await findOtherParents(collection, coming))
  if (other !== undefined) return other
  for (const path of moved.filter(isFree)) {
    const taken = await collection.countDocuments(isPresent({ at: path, storage: 'json' }), {})
    if (taken === 0) continue
    const reason = `\`${path}\` has a value in ${count(taken, 'document')} that no column declares, where a renamed column will be stored`
    return `${reason}: rename or clear it first`
  }
  for (const column of added.filter((it) => isFree(pathOf(it)))) {
    const reason = await findUnlike(collection, column, pathOf(column))
    if (reason !== undefined) return reason
  }
  return (await findHiddenObject(collection, plan, (columns) => columns.every((it) => added.includes(it))))?.reason
}

/** Checks values that are already stored at the path of a new column: those that fit are taken over. */
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

/** MongoDB cannot remove or rename fields inside an array. */
async function findArray(collection: MongoCollection, paths: readonly string[]): Promise<string | undefined> {
  for (const path of new Set(paths.flatMap(parentsOf))) {
    const found = await collection.countDocuments({ [path]: { $type: 'array' } }, {})
    if (found > 0)
      return `\`${path}\` is an array in ${count(found, 'document')}, and a column has to be removed from it: change it first`
  }
  return undefined
}

function mentions(rule: unknown, name: string): boolean {
  return (JSON.stringify(rule) ?? '').includes(JSON.stringify(name))
}

function inTheWay(what: string): string {
  return `${what}, which sync did not create, uses a column that changes: drop it first`
}

/** Finds declared indexes that equal an existing or another declared one. */
export async function findEqualIndexes(db: MongoDatabase, changes: readonly TableChange[]): Promise<SyncProblem[]> {
  const problems: SyncProblem[] = []
  const known = new Map<TablePlan, IndexSpec[]>()
  for (const change of changes) {
    if (change.kind !== 'createIndex') continue
    const { plan, index } = change
    const present = known.get(plan) ?? (await listKept(db, formerTableName(plan.tableName, changes).table, changes))
    const spec = declareIndex(plan, index)
    const message = describeEqualIndex(spec, present)
    if (message !== undefined) problems.push({ table: declaredNameOf(plan), message })
    known.set(plan, [...present, spec])
  }
  return problems
}

function pathsOf(plan: TablePlan, name: string): string[] {
  return plan.columns.filter((it) => it.name === name).map(layoutOf(plan).pathOf)
}

/** The indexes of a table, except those that will be dropped. */
async function listKept(db: MongoDatabase, table: string, changes: readonly TableChange[]): Promise<IndexSpec[]> {
  const dropped = changes.flatMap((it) => (it.kind === 'dropIndex' && it.tableName.table === table ? [it.name] : []))
  return (await listIndexes(db, table)).filter((it) => !dropped.includes(it.name))
}

/** Finds losses for all changes of a plan, before the first one runs. */
export async function findLosses(db: MongoDatabase, changes: readonly TableChange[]): Promise<SyncProblem[]> {
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
