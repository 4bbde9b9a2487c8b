/** Reads the declared tables from the database, along with the records that sync keeps about them. */
import type { Inspection, Session } from '../../contract/adapter.ts'
import type { TablePlace, TablePlan } from '../../contract/plan.ts'
import type { SyncProblem } from '../../contract/problem.ts'
import type { TableSnapshot } from '../../contract/snapshot.ts'
import { isSamePlace, labelOf, placeTable } from '../../values/place.ts'
import { formerPlaces } from './match-tables.ts'
import type { TableRecord } from './metadata-table.ts'
import type { SyncContext } from './sync-context.ts'

export interface DatabaseState {
  /** The declared tables under their current or former names, and every table that has a record. */
  readonly tables: readonly TableSnapshot[]
  /** The records of tables that still exist. */
  readonly records: readonly TableRecord[]
  readonly hasRegistry: boolean
  readonly hasJournal: boolean
  /** Journal entries of a sync that did not finish. */
  readonly pending: readonly string[]
  /** Foreign keys to tables that neither exist nor are declared. */
  readonly missingTargets: readonly SyncProblem[]
}

export async function readState(session: Session, context: SyncContext): Promise<DatabaseState> {
  const { plans, supports, registry, journal } = context
  const targets = undeclaredTargets(context)
  const places = [
    ...plans.map((plan) => plan.place),
    ...plans.flatMap((plan) => formerPlaces(plan, [], supports)),
    ...targets.map((it) => it.place),
    registry.plan.place,
    journal.plan.place,
  ]
  const { tables: first, home } = await inspect(session, places, plans)
  const exists = (place: TablePlace): boolean => first.some((it) => isSamePlace(it.place, place))
  const hasRegistry = exists(registry.plan.place)
  const hasJournal = exists(journal.plan.place)
  const records = hasRegistry ? readRecords(await registry.read(session), plans, home) : []
  const more = records.map((it) => it.snapshot.place).filter((place) => !places.some((it) => isSamePlace(it, place)))
  const others = more.length > 0 ? (await inspect(session, more, plans)).tables : []
  const tables = [...first, ...others]
  return {
    tables,
    records: records.filter((it) => tables.some(({ place }) => isSamePlace(place, it.snapshot.place))),
    hasRegistry,
    hasJournal,
    pending: hasJournal ? [...(await journal.read(session)).keys()] : [],
    missingTargets: targets.filter((it) => !exists(it.place)).map((it) => it.problem),
  }
}

async function inspect(
  session: Session,
  places: readonly TablePlace[],
  plans: readonly TablePlan[],
): Promise<Inspection> {
  const { tables, home } = await session.inspect(places, plans)
  if (home === undefined) return { tables }
  // Foreign keys to the default schema omit it, unless a declaration names it.
  const shorten = (place: TablePlace): TablePlace =>
    place.schema !== home || plans.some((it) => isSamePlace(it.place, place)) ? place : { ...place, schema: undefined }
  const shortened = tables.map((table) => ({
    ...table,
    foreignKeys: table.foreignKeys.map((it) => ({ ...it, place: shorten(it.place) })),
  }))
  return { tables: shortened, home }
}

/** Tables that foreign keys refer to and that are not part of this sync. They have to exist already. */
function undeclaredTargets({ plans, supports }: SyncContext): { place: TablePlace; problem: SyncProblem }[] {
  return plans.flatMap((plan) =>
    plan.declaration.foreignKeys.flatMap(({ constraint, references }) => {
      const place = placeTable(references, supports.schemas)
      if (plans.some((it) => isSamePlace(it.place, place))) return []
      const message = `foreign key \`${constraint}\` refers to table \`${place.table}\`, which neither exists in the database nor is part of this sync: add it to \`db.sync([…])\``
      return [{ place, problem: { table: labelOf(plan), told: message } }]
    }),
  )
}

function readRecords(
  stored: ReadonlyMap<string, unknown>,
  plans: readonly TablePlan[],
  home: string | undefined,
): TableRecord[] {
  // A table in the default schema can be named with or without it: follow the declaration.
  const spell = (place: TablePlace): TablePlace =>
    plans.find((it) => it.place.table === place.table && (it.place.schema ?? home) === (place.schema ?? home))?.place ??
    place
  return [...stored].map(([key, it]) => {
    const { snapshot, ...rest } = it as TableRecord
    // JSON has no `undefined`.
    const placed = ({ schema, table }: TablePlace): TablePlace => ({ schema: schema ?? undefined, table })
    const foreignKeys = snapshot.foreignKeys.map((link) => ({ ...link, place: placed(link.place) }))
    return { ...rest, key, snapshot: { ...snapshot, place: spell(placed(snapshot.place)), foreignKeys } }
  })
}
