/**
 * Whether a table that is new may be one that nothing declares any more, under another name. A program that was not
 * asked would begin with an empty table, and its rows would be out of its sight.
 */
import type { Session } from '../../contract/adapter.ts'
import type { TablePlan } from '../../contract/plan.ts'
import { count } from '../../shared/count.ts'
import { declaredNameOf } from '../../values/table-name.ts'
import { type DatabaseDifference, recordLabel } from '../2-diff/diff.ts'
import type { SyncStep } from '../3-plan/steps.ts'
import type { TableRecord } from './metadata-table.ts'

interface Scene {
  readonly plans: readonly TablePlan[]
  readonly allow: ReadonlySet<string>
  readonly difference: DatabaseDifference
  readonly known: { readonly records: readonly TableRecord[] }
  readonly leftovers: readonly TableRecord[]
}

/** How much of a former table has to be in the new one: of one interface, and of another. */
const SAME_INTERFACE = 0.5
const OTHER_INTERFACE = 2 / 3

export async function askForTable(step: SyncStep, plan: TablePlan, session: Session, scene: Scene): Promise<SyncStep> {
  const former = findFormer(plan, scene)
  if (!former) return step
  const hint = `did you mean \`@db.table.renamed '${former.record.table}'\` on \`${plan.name}\`?`
  const rows = former.isLikely
    ? await session.countRows({ kind: 'rows', tableName: former.record.snapshot.tableName })
    : 0
  if (rows === 0) return { ...step, hint }
  const consent = `create ${step.table}`
  const left = `${count(rows, 'row')} of \`${recordLabel(former.record)}\` would stay there: ${hint}`
  return {
    ...step,
    class: 'destructive',
    consent,
    isAllowed: scene.allow.has(consent),
    hint: left,
    suspected: 'rename',
    former: recordLabel(former.record),
  }
}

function findFormer(plan: TablePlan, scene: Scene): { record: TableRecord; isLikely: boolean } | undefined {
  const own = scene.leftovers.filter((it) => !isOfOthers(it, scene))
  const namesake = own.find((it) => it.declaration === plan.name)
  if (namesake) return { record: namesake, isLikely: shareOf(namesake, plan) >= SAME_INTERFACE }
  const alike = own.find((it) => isAlike(it, plan))
  if (alike) return { record: alike, isLikely: isOfProgram(alike, scene) }
  const equal = scene.leftovers.find(
    (it) => it.snapshot.columns.length === plan.columns.length && shareOf(it, plan) === 1,
  )
  return equal && { record: equal, isLikely: false }
}

/** An interface of another name: most of the columns, and more than a key and a name, have to be the same. */
function isAlike(record: TableRecord, plan: TablePlan): boolean {
  const shared = sharedColumns(record, plan)
  const isMuch = shared.length >= 2 && shared.length >= (plan.columns.length - plan.key.length) / 2
  return isMuch && shareOf(record, plan) >= OTHER_INTERFACE
}

/** How much of a former table is in the new one, but for the key, which most tables have in common. */
function shareOf(record: TableRecord, plan: TablePlan): number {
  const all = ownColumns(record)
  return all.length === 0 ? 1 : sharedColumns(record, plan).length / all.length
}

/** Columns of a former table that the new one has, also under another declared name. */
function sharedColumns(record: TableRecord, plan: TablePlan): string[] {
  const isShared = (name: string): boolean =>
    plan.columns.some((it) => it.name === name || it.model.renamedFrom.includes(name))
  return ownColumns(record).filter(isShared)
}

function ownColumns({ snapshot }: TableRecord): string[] {
  return snapshot.columns.map((it) => it.name).filter((it) => !snapshot.key.includes(it))
}

/** The programs that made the declared tables which are there. */
function programsOf({ difference: { tables } }: Scene): ReadonlySet<string> {
  return new Set(tables.flatMap(({ record }) => record?.program ?? []))
}

function isOfProgram({ program }: TableRecord, scene: Scene): boolean {
  return program !== undefined && programsOf(scene).has(program)
}

/**
 * Whether a table belongs to another program that shares the database. A program whose tables are there is known by
 * them. One that has none yet is another, unless it declares at least half of the interfaces of the one that was there.
 */
function isOfOthers(record: TableRecord, scene: Scene): boolean {
  const { program } = record
  if (program === undefined) return false
  const programs = programsOf(scene)
  if (programs.size > 0) return !programs.has(program)
  const own = scene.known.records.filter((it) => it.program === program)
  const again = own.filter((it) => scene.plans.some((plan) => plan.name === it.declaration))
  return again.length * 2 < own.length
}

/** The mark of a program: that of its tables which are there, or else the name of its first one. */
export function programOf({ tables }: DatabaseDifference): string {
  const known = tables.flatMap(({ record }) => record?.program ?? [])[0]
  return known ?? (tables[0] ? declaredNameOf(tables[0].plan) : '')
}
