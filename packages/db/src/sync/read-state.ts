/** Reads what a database has of the declared tables, and compares. */

import type { Inspection, Session } from '../contract/adapter.ts'
import { type TableName, type TablePlan } from '../contract/plan.ts'
import { type SyncProblem } from '../contract/problem.ts'
import type { Capabilities } from '../contract/storage.ts'
import { declaredNameOf, isSameTable, toTableName } from '../values/table-name.ts'
import { formerPlaces, type KnownDatabase } from './1-read/match-tables.ts'
import type { Notes, TableRecord } from './1-read/metadata-table.ts'
import { askForTable } from './1-read/renamed-table.ts'
import { isNoted } from './1-read/table-facts.ts'
import { type DatabaseDifference, diffDatabase, recordLabel } from './2-diff/diff.ts'
import { describeKept, describeLeftover, type Kept } from './2-diff/kept.ts'
import { orderChanges } from './3-plan/order-changes.ts'
import { planSteps, type SyncPlan } from './3-plan/plan.ts'
import type { SyncStep } from './3-plan/steps.ts'

export interface Subject {
  readonly plans: readonly TablePlan[]
  readonly supports: Capabilities
  readonly allow: ReadonlySet<string>
  readonly registry: Notes
  readonly journal: Notes
}

/** What a look at the database has shown. */
export interface Sight {
  readonly known: KnownDatabase
  readonly difference: DatabaseDifference
  readonly hasRegistry: boolean
  readonly hasJournal: boolean
  /** What a sync that did not come to its end has noted. */
  readonly pending: readonly string[]
  /** Tables that sync made and nothing declares any more. */
  readonly leftovers: readonly TableRecord[]
}

export async function look(session: Session, subject: Subject): Promise<Sight> {
  const { plans, supports, allow, registry, journal } = subject
  const targets = foreignTargets(subject)
  const tableNames = [
    ...plans.map((plan) => plan.tableName),
    ...plans.flatMap((plan) => formerPlaces(plan, [], supports)),
    ...targets.map((it) => it.tableName),
    registry.plan.tableName,
    journal.plan.tableName,
  ]
  const { tables: first, home } = await inspect(session, tableNames, plans)
  const isThere = (tableName: TableName): boolean => first.some((it) => isSameTable(it.tableName, tableName))
  const hasRegistry = isThere(registry.plan.tableName)
  const hasJournal = isThere(journal.plan.tableName)
  const records = hasRegistry ? readRecords(await registry.read(session), plans, home) : []
  const more = records
    .map((it) => it.snapshot.tableName)
    .filter((tableName) => !tableNames.some((it) => isSameTable(it, tableName)))
  const others = more.length > 0 ? (await inspect(session, more, plans)).tables : []
  const known = { tables: [...first, ...others], records }
  const present = records.filter((it) =>
    known.tables.some(({ tableName }) => isSameTable(tableName, it.snapshot.tableName)),
  )
  const difference = diffDatabase(plans, { ...known, records: present }, supports, allow)
  const lost = targets.filter((it) => !isThere(it.tableName)).map((it) => it.problem)
  return {
    known: { ...known, records: present },
    difference: { ...difference, problems: [...difference.problems, ...lost] },
    hasRegistry,
    hasJournal,
    pending: hasJournal ? [...(await journal.read(session)).keys()] : [],
    leftovers: leftoversOf(present, difference),
  }
}

async function inspect(
  session: Session,
  tableNames: readonly TableName[],
  plans: readonly TablePlan[],
): Promise<Inspection> {
  const { tables, home } = await session.inspect(tableNames, plans)
  if (home === undefined) return { tables }
  // The schema that needs no mention is left out, unless a declaration mentions it.
  const shorten = (tableName: TableName): TableName =>
    tableName.schema !== home || plans.some((it) => isSameTable(it.tableName, tableName))
      ? tableName
      : { ...tableName, schema: undefined }
  const shortened = tables.map((table) => ({
    ...table,
    foreignKeys: table.foreignKeys.map((it) => ({ ...it, tableName: shorten(it.tableName) })),
  }))
  return { tables: shortened, home }
}

/** Tables that foreign keys name and that are not listed: they have to be there already. */
function foreignTargets({ plans, supports }: Subject): { tableName: TableName; problem: SyncProblem }[] {
  return plans.flatMap((plan) =>
    plan.declaration.foreignKeys.flatMap(({ constraint, references }) => {
      const tableName = toTableName(references, supports.schemas)
      if (plans.some((it) => isSameTable(it.tableName, tableName))) return []
      const told = `foreign key \`${constraint}\` refers to table \`${tableName.table}\`, which is neither in the database nor among the tables of this sync: add it to \`db.sync([…])\``
      return [{ tableName, problem: { table: declaredNameOf(plan), message: told } }]
    }),
  )
}

function readRecords(
  notes: ReadonlyMap<string, unknown>,
  plans: readonly TablePlan[],
  home: string | undefined,
): TableRecord[] {
  // One table has two names: with the schema that needs no mention, and without. The declared one is taken.
  const spell = (tableName: TableName): TableName =>
    plans.find(
      (it) => it.tableName.table === tableName.table && (it.tableName.schema ?? home) === (tableName.schema ?? home),
    )?.tableName ?? tableName
  return [...notes].map(([noted, it]) => {
    const { snapshot, ...rest } = it as TableRecord
    // JSON has no `undefined`.
    const placed = ({ schema, table }: TableName): TableName => ({ schema: schema ?? undefined, table })
    const foreignKeys = snapshot.foreignKeys.map((key) => ({ ...key, tableName: placed(key.tableName) }))
    return { ...rest, noted, snapshot: { ...snapshot, tableName: spell(placed(snapshot.tableName)), foreignKeys } }
  })
}

function leftoversOf(records: readonly TableRecord[], { tables, dropped }: DatabaseDifference): TableRecord[] {
  const isUsed = ({ snapshot }: TableRecord): boolean =>
    tables.some(({ before }) => before && isSameTable(before.tableName, snapshot.tableName))
  return records.filter((it) => !isUsed(it) && !dropped.includes(it))
}

/** Whether there is nothing to do. */
export function isSettled(sight: Sight): boolean {
  const { tables, dropped, problems } = sight.difference
  const { pending } = sight
  const isSame = problems.length + dropped.length + pending.length === 0
  return isSame && tables.every((it) => it.differences.length === 0) && !isUnnoted(sight)
}

/** Whether something is declared otherwise than it was noted, of which the database itself has nothing. */
export function isUnnoted({ difference: { tables } }: Sight): boolean {
  return tables.some(({ plan, record }) => record !== undefined && !isNoted(plan, record.facts))
}

export async function makePlan(session: Session, subject: Subject, sight: Sight): Promise<SyncPlan> {
  const { steps, problems, warnings } = await planSteps(sight.difference, session, subject.supports, subject.allow)
  const asked: SyncStep[] = []
  for (const step of steps) {
    const isNew = step.kind === 'createTable'
    const plan = subject.plans.find((it) => declaredNameOf(it) === step.table)
    asked.push(isNew && plan ? await askForTable(step, plan, session, { ...subject, ...sight }) : step)
  }
  const leftovers = sight.leftovers.filter((it) => !isOfOthers(it, sight)).map(recordLabel)
  const parts = sight.difference.tables.flatMap(({ plan, kept }) => kept.map((it) => describeKept(it, plan)))
  const preflight = (await session.preflight?.(orderChanges(sight.difference, subject.supports))) ?? []
  return {
    steps: asked,
    problems: [...problems, ...preflight],
    warnings,
    kept: [...parts, ...leftovers.map(describeLeftover)].map((it) => suspect(it, asked)),
    leftovers,
  }
}

/**
 * Whether a table belongs to another program in the same database: it is not this one's to name or to drop. A program
 * that has given all of its tables other names is known by the names of its interfaces.
 */
function isOfOthers({ program, declaration }: TableRecord, { difference: { tables } }: Sight): boolean {
  const own = new Set(tables.flatMap(({ record }) => record?.program ?? []))
  const isDeclared = tables.some(({ plan }) => plan.name === declaration)
  return own.size > 0 && program !== undefined && !own.has(program) && !isDeclared
}

function suspect(kept: Kept, steps: readonly SyncStep[]): Kept {
  return steps.some((it) => it.former === kept.name && !it.isAllowed) ? { ...kept, suspected: 'rename' } : kept
}
