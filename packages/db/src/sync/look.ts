/** Reads what a database has of the declared tables, and compares. */
import type { Abilities, Inspection, Session } from '../adapter.ts'
import { placeTable, type TablePlace, type TablePlan } from '../table-plan.ts'
import { type DatabaseDifference, diffDatabase, recordLabel } from './diff.ts'
import { formerPlaces, type KnownDatabase, labelOf, type SyncProblem } from './match.ts'
import { orderChanges } from './order.ts'
import { planSteps, type SyncPlan } from './plan.ts'
import { count } from './refuse.ts'
import type { Notes, TableRecord } from './registry.ts'
import { isSamePlace } from './snapshot.ts'
import type { SyncStep } from './steps.ts'

export interface Subject {
  readonly plans: readonly TablePlan[]
  readonly can: Abilities
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
      const told = `foreign key \`${constraint}\` refers to \`${place.table}\`, which is not there: list it too`
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
export function isSettled({ difference: { tables, dropped, problems }, pending }: Sight): boolean {
  return problems.length + dropped.length + pending.length === 0 && tables.every((it) => it.differences.length === 0)
}

export async function makePlan(session: Session, subject: Subject, sight: Sight): Promise<SyncPlan> {
  const { steps, problems } = await planSteps(sight.difference, session, subject.can, subject.allow)
  const asked: SyncStep[] = []
  for (const step of steps) {
    asked.push(step.kind === 'createTable' ? await askForRename(step, session, subject, sight) : step)
  }
  const foreseen = (await session.foresee?.(orderChanges(sight.difference, subject.can))) ?? []
  return { steps: asked, problems: [...problems, ...foreseen], leftovers: sight.leftovers.map(recordLabel) }
}

/**
 * A declaration that was another table before has most likely given it another name. Where all of that table is
 * declared again, and it has rows, a program would lose them from sight: that needs consent. Under another name of the
 * declaration too, the same columns are only a reason to ask.
 */
async function askForRename(
  step: SyncStep,
  session: Session,
  { plans, allow }: Subject,
  { leftovers }: Sight,
): Promise<SyncStep> {
  const plan = plans.find((it) => labelOf(it) === step.table)!
  const holdsAll = ({ snapshot }: TableRecord): boolean =>
    snapshot.columns.every(({ name, type }) => plan.columns.some((it) => it.name === name && it.storage.type === type))
  const namesake = leftovers.find((it) => it.declaration === plan.name)
  const former = namesake ?? leftovers.find((it) => it.snapshot.columns.length === plan.columns.length && holdsAll(it))
  if (!former) return step
  const hint = `did you mean \`@db.table.renamed '${former.table}'\` on \`${plan.name}\`?`
  const isMeant = former === namesake && holdsAll(former)
  const rows = isMeant ? await session.ask({ ask: 'rows', place: former.snapshot.place }) : 0
  if (rows === 0) return { ...step, hint }
  const consent = `create ${step.table}`
  const left = `${count(rows, 'row')} of \`${recordLabel(former)}\` would stay there: ${hint}`
  return { ...step, class: 'destructive', consent, isAllowed: allow.has(consent), hint: left }
}
