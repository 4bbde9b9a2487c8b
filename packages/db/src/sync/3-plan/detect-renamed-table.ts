/**
 * Detects that a new table may be an undeclared one under a new name. Without the question, the program would start
 * with an empty table and no longer see its rows.
 */
import type { Session } from '../../contract/adapter.ts'
import type { TablePlan } from '../../contract/table-plan.ts'
import { count } from '../../shared/count.ts'
import { recordLabel, type TableRecord } from '../1-read/metadata-table.ts'
import type { DatabaseDifference } from '../2-diff/difference.ts'
import type { SyncStep } from './steps.ts'

interface RenameContext {
  readonly plans: readonly TablePlan[]
  readonly allow: ReadonlySet<string>
  readonly difference: DatabaseDifference
  readonly records: readonly TableRecord[]
}

/** The minimum share of the old columns in the new table, if the interface has the same name or another one. */
const SHARE_SAME_INTERFACE = 0.5
const SHARE_OTHER_INTERFACE = 2 / 3

/** Adds a hint to the step that creates the table, and requires consent if the old table has rows. */
export async function detectRenamedTable(
  step: SyncStep,
  plan: TablePlan,
  session: Session,
  context: RenameContext,
): Promise<SyncStep> {
  const former = findFormer(plan, context)
  if (!former) return step
  const hint = `did you mean \`@db.table.renamed '${former.record.table}'\` on \`${plan.name}\`?`
  const rows = former.isLikely
    ? await session.countRows({ kind: 'rows', tableName: former.record.snapshot.tableName })
    : 0
  if (rows === 0) return { ...step, hint }
  const consent = `create ${step.table}`
  const name = recordLabel(former.record)
  return {
    ...step,
    class: 'destructive',
    consent,
    isAllowed: context.allow.has(consent),
    hint: `${count(rows, 'row')} would stay in \`${name}\`: ${hint}`,
    suspected: 'rename',
    former: name,
  }
}

function findFormer(plan: TablePlan, context: RenameContext): { record: TableRecord; isLikely: boolean } | undefined {
  const { leftovers } = context.difference
  const own = leftovers.filter((it) => !belongsToOtherProgram(it, context))
  const namesake = own.find((it) => it.declaration === plan.name)
  if (namesake) return { record: namesake, isLikely: sharedPart(namesake, plan) >= SHARE_SAME_INTERFACE }
  const similar = own.find((it) => isSimilar(it, plan))
  if (similar) return { record: similar, isLikely: belongsToThisProgram(similar, context) }
  const equal = leftovers.find((it) => it.snapshot.columns.length === plan.columns.length && sharedPart(it, plan) === 1)
  return equal && { record: equal, isLikely: false }
}

/** For an interface with another name: most columns are the same, and at least two besides the key. */
function isSimilar(record: TableRecord, plan: TablePlan): boolean {
  const shared = sharedColumns(record, plan)
  const isEnough = shared.length >= 2 && shared.length >= (plan.columns.length - plan.key.length) / 2
  return isEnough && sharedPart(record, plan) >= SHARE_OTHER_INTERFACE
}

/** The share of the old columns in the new table. The key does not count, since most tables have an `id`. */
function sharedPart(record: TableRecord, plan: TablePlan): number {
  const all = columnsWithoutKey(record)
  return all.length === 0 ? 1 : sharedColumns(record, plan).length / all.length
}

/** Old columns that the new table has too, under the same name or with a declared renaming. */
function sharedColumns(record: TableRecord, plan: TablePlan): string[] {
  const isShared = (name: string): boolean =>
    plan.columns.some((it) => it.name === name || it.model.renamedFrom.includes(name))
  return columnsWithoutKey(record).filter(isShared)
}

function columnsWithoutKey({ snapshot }: TableRecord): string[] {
  return snapshot.columns.map((it) => it.name).filter((it) => !snapshot.key.includes(it))
}

/** The programs that created the existing declared tables. */
function programsOf({ difference: { tables } }: RenameContext): ReadonlySet<string> {
  return new Set(tables.flatMap(({ record }) => record?.program ?? []))
}

function belongsToThisProgram({ program }: TableRecord, context: RenameContext): boolean {
  return program !== undefined && programsOf(context).has(program)
}

/**
 * True if the table belongs to another program in the same database. A program with existing tables is recognized by
 * them. One without is another program, unless it declares at least half of the interfaces of the table's program.
 */
function belongsToOtherProgram(record: TableRecord, context: RenameContext): boolean {
  const { program } = record
  if (program === undefined) return false
  const programs = programsOf(context)
  if (programs.size > 0) return !programs.has(program)
  const own = context.records.filter((it) => it.program === program)
  const declared = own.filter((it) => context.plans.some((plan) => plan.name === it.declaration))
  return declared.length * 2 < own.length
}
