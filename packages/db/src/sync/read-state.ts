/** Reads what a database has of the declared tables, and compares. */

import type { Inspection, Session } from '../contract/adapter.ts'
import { type TablePlace, type TablePlan } from '../contract/plan.ts'
import { type SyncProblem } from '../contract/problem.ts'
import type { Capabilities } from '../contract/storage.ts'
import { isSamePlace, labelOf, placeTable } from '../values/place.ts'
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
  readonly can: Capabilities
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
  const { plans, can, allow, registry, journal } = subject
  const targets = foreignTargets(subject)
  const places = [
    ...plans.map((plan) => plan.place),
    ...plans.flatMap((plan) => formerPlaces(plan, [], can)),
    ...targets.map((it) => it.place),
    registry.plan.place,
    journal.plan.place,
  ]
  const { tables: first, home } = await inspect(session, places, plans)
  const isThere = (place: TablePlace): boolean => first.some((it) => isSamePlace(it.place, place))
  const hasRegistry = isThere(registry.plan.place)
  const hasJournal = isThere(journal.plan.place)
  const records = hasRegistry ? readRecords(await registry.read(session), plans, home) : []
  const more = records.map((it) => it.snapshot.place).filter((place) => !places.some((it) => isSamePlace(it, place)))
  const others = more.length > 0 ? (await inspect(session, more, plans)).tables : []
  const known = { tables: [...first, ...others], records }
  const present = records.filter((it) => known.tables.some(({ place }) => isSamePlace(place, it.snapshot.place)))
  const difference = diffDatabase(plans, { ...known, records: present }, can, allow)
  const lost = targets.filter((it) => !isThere(it.place)).map((it) => it.problem)
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
  places: readonly TablePlace[],
  plans: readonly TablePlan[],
): Promise<Inspection> {
  const { tables, home } = await session.inspect(places, plans)
  if (home === undefined) return { tables }
  // The schema that needs no mention is left out, unless a declaration mentions it.
  const shorten = (place: TablePlace): TablePlace =>
    place.schema !== home || plans.some((it) => isSamePlace(it.place, place)) ? place : { ...place, schema: undefined }
  const shortened = tables.map((table) => ({
    ...table,
    foreignKeys: table.foreignKeys.map((it) => ({ ...it, place: shorten(it.place) })),
  }))
  return { tables: shortened, home }
}

/** Tables that foreign keys name and that are not listed: they have to be there already. */
function foreignTargets({ plans, can }: Subject): { place: TablePlace; problem: SyncProblem }[] {
  return plans.flatMap((plan) =>
    plan.declaration.foreignKeys.flatMap(({ constraint, references }) => {
      const place = placeTable(references, can.schemas)
      if (plans.some((it) => isSamePlace(it.place, place))) return []
      const told = `foreign key \`${constraint}\` refers to table \`${place.table}\`, which is neither in the database nor among the tables of this sync: add it to \`db.sync([…])\``
      return [{ place, problem: { table: labelOf(plan), told } }]
    }),
  )
}

function readRecords(
  notes: ReadonlyMap<string, unknown>,
  plans: readonly TablePlan[],
  home: string | undefined,
): TableRecord[] {
  // One table has two names: with the schema that needs no mention, and without. The declared one is taken.
  const spell = (place: TablePlace): TablePlace =>
    plans.find((it) => it.place.table === place.table && (it.place.schema ?? home) === (place.schema ?? home))?.place ??
    place
  return [...notes].map(([noted, it]) => {
    const { snapshot, ...rest } = it as TableRecord
    // JSON has no `undefined`.
    const placed = ({ schema, table }: TablePlace): TablePlace => ({ schema: schema ?? undefined, table })
    const foreignKeys = snapshot.foreignKeys.map((key) => ({ ...key, place: placed(key.place) }))
    return { ...rest, noted, snapshot: { ...snapshot, place: spell(placed(snapshot.place)), foreignKeys } }
  })
}

function leftoversOf(records: readonly TableRecord[], { tables, dropped }: DatabaseDifference): TableRecord[] {
  const isUsed = ({ snapshot }: TableRecord): boolean =>
    tables.some(({ before }) => before && isSamePlace(before.place, snapshot.place))
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
  const { steps, problems, warnings } = await planSteps(sight.difference, session, subject.can, subject.allow)
  const asked: SyncStep[] = []
  for (const step of steps) {
    const isNew = step.kind === 'createTable'
    const plan = subject.plans.find((it) => labelOf(it) === step.table)
    asked.push(isNew && plan ? await askForTable(step, plan, session, { ...subject, ...sight }) : step)
  }
  const leftovers = sight.leftovers.filter((it) => !isOfOthers(it, sight)).map(recordLabel)
  const parts = sight.difference.tables.flatMap(({ plan, kept }) => kept.map((it) => describeKept(it, plan)))
  const foreseen = (await session.foresee?.(orderChanges(sight.difference, subject.can))) ?? []
  return {
    steps: asked,
    problems: [...problems, ...foreseen],
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
