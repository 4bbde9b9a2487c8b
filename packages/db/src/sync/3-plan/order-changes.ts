/** Turns differences into changes, ordered so that each change finds what it needs. Pure. */
import type { ForeignKey } from '@portico/schema/model'
import type { CopiedColumn, CreateIndex, FillColumn, TableChange } from '../../contract/change.ts'
import type { ForeignKeySnapshot, TableSnapshot } from '../../contract/snapshot.ts'
import type { Capabilities } from '../../contract/storage.ts'
import type { PlanColumn, TablePlan } from '../../contract/table-plan.ts'
import { isSameTable, toTableName } from '../../values/table-name.ts'
import { backfillValue, needsRebuild } from '../2-diff/backfill.ts'
import { presenceAround } from '../2-diff/diff-objects.ts'
import type { DatabaseDifference, Difference, Presence, TableDifference } from '../2-diff/difference.ts'

type Of<Kind extends Difference['kind']> = Extract<Difference, { readonly kind: Kind }>

function pick<Kind extends Difference['kind']>(
  { differences }: TableDifference,
  ...kinds: readonly Kind[]
): Of<Kind>[] {
  return differences.filter((it): it is Of<Kind> => (kinds as readonly string[]).includes(it.kind))
}

/** Renames come first, so that all later changes use the declared names. */
export function orderChanges({ tables, dropped }: DatabaseDifference, supports: Capabilities): TableChange[] {
  const existingTables = tables.filter((it) => it.before)
  const missingTables = tables.filter((it) => !it.before)
  const { tables: created, later } = orderTables(
    missingTables.map((it) => it.plan),
    supports,
  )
  const droppedKeys = supports.alterColumn ? droppedForeignKeys(existingTables) : []
  return [
    ...schemasOf(tables),
    ...droppedKeys.map(
      ({ table, existing }): TableChange => ({
        kind: 'dropForeignKey',
        tableName: table.before!.tableName,
        name: existing.name!,
      }),
    ),
    ...existingTables.flatMap(dropIndexes),
    ...existingTables.flatMap((table) => renames(table, droppedKeys)),
    ...existingTables.flatMap((table) => (supports.alterColumn ? alterations(table) : rebuildOrAdd(table, supports))),
    ...created.map(({ plan, foreignKeys }): TableChange => ({ kind: 'createTable', plan, foreignKeys })),
    ...tables.flatMap((table) => createIndexes(table, supports)),
    ...(supports.alterColumn ? existingTables.flatMap((table) => addForeignKeys(table, droppedKeys)) : []),
    ...later.map(({ plan, foreignKey }): TableChange => ({ kind: 'addForeignKey', plan, foreignKey })),
    ...(supports.alterColumn ? dropped.flatMap(({ snapshot }) => dropForeignKeys(snapshot)) : []),
    ...dropped.map((it): TableChange => ({ kind: 'dropTable', tableName: it.snapshot.tableName })),
  ]
}

function schemasOf(tables: readonly TableDifference[]): TableChange[] {
  const placed = tables.filter((it) => pick(it, 'createTable', 'renameTable').length > 0)
  const schemas = new Set(placed.flatMap((it) => it.plan.tableName.schema ?? []))
  return [...schemas].map((schema) => ({ kind: 'createSchema', schema }))
}

/** A foreign key that is dropped: for good, or only while a column or key that it uses changes. */
interface DroppedForeignKey {
  readonly table: TableDifference
  readonly existing: ForeignKeySnapshot
}

function droppedForeignKeys(tables: readonly TableDifference[]): DroppedForeignKey[] {
  const changes = (table: TableDifference | undefined, columns: readonly string[]): boolean =>
    table !== undefined &&
    (pick(table, 'changeType').some((it) => columns.includes(it.column.name)) || pick(table, 'changeKey').length > 0)
  return tables.flatMap((table) =>
    table.before!.foreignKeys.flatMap((existing, index) => {
      const renamed = table.renamed!.foreignKeys[index]!
      const target = tables.find((it) => isSameTable(it.plan.tableName, renamed.tableName))
      const isDropped = pick(table, 'dropForeignKey').some((it) => it.foreignKey === renamed)
      const isHeld =
        isDeclared(table, renamed) && (changes(table, renamed.columns) || changes(target, renamed.references))
      return isDropped || isHeld ? [{ table, existing }] : []
    }),
  )
}

function isDeclared({ target }: TableDifference, foreignKey: ForeignKeySnapshot): boolean {
  return findDeclared(target, foreignKey) >= 0
}

function findDeclared({ foreignKeys }: TableSnapshot, { columns, tableName }: ForeignKeySnapshot): number {
  return foreignKeys.findIndex(
    (it) => isSameTable(it.tableName, tableName) && it.columns.join('\0') === columns.join('\0'),
  )
}

/** Drop mutual foreign keys first; otherwise neither table can be dropped. */
function dropForeignKeys({ tableName, foreignKeys }: TableSnapshot): TableChange[] {
  return foreignKeys.flatMap(({ name }) => (name === undefined ? [] : [{ kind: 'dropForeignKey', tableName, name }]))
}

function dropIndexes(table: TableDifference): TableChange[] {
  return pick(table, 'dropIndex').map(({ name }) => ({ kind: 'dropIndex', tableName: table.before!.tableName, name }))
}

function renames(table: TableDifference, droppedKeys: readonly DroppedForeignKey[]): TableChange[] {
  const { plan } = table
  const { tableName } = plan
  const exists = (name: string): boolean => !droppedKeys.some((it) => it.table === table && it.existing.name === name)
  return [
    ...pick(table, 'renameTable').map(
      ({ from }): TableChange => ({ kind: 'renameTable', from, to: tableName, keyName: table.before!.keyName }),
    ),
    ...pick(table, 'renameColumn').map(
      ({ from, column }): TableChange => ({ kind: 'renameColumn', plan, from, to: column.name }),
    ),
    ...pick(table, 'renameIndex').map(({ from, to }): TableChange => ({ kind: 'renameIndex', tableName, from, to })),
    ...pick(table, 'renameForeignKey')
      .filter(({ from }) => exists(from))
      .map(({ from, to }): TableChange => ({ kind: 'renameForeignKey', tableName, from, to })),
  ]
}

const columnChanges = ['changeType', 'requireColumn', 'allowNull', 'changeDefault', 'changeAutoIncrement'] as const

/** Changes in place, for engines that can alter columns. */
function alterations(table: TableDifference): TableChange[] {
  const { plan, renamed } = table
  const { tableName } = plan
  const isRekeyed = pick(table, 'changeKey').length > 0
  const altered = new Map(pick(table, ...columnChanges).map((it) => [it.column, it]))
  return [
    ...(isRekeyed && renamed!.key.length > 0 ? [{ kind: 'dropKey', tableName, name: renamed!.keyName } as const] : []),
    ...pick(table, 'addColumn').map(
      ({ column }): TableChange => ({ kind: 'addColumn', plan, column, ...fillingAll(column, table) }),
    ),
    ...[...altered.values()].map(({ column, before, after }): TableChange => {
      const isRequired = before.nullable && !after.nullable
      return { kind: 'alterColumn', plan, column, before, after, ...(isRequired && filling(column)) }
    }),
    ...fillObjects(table),
    ...pick(table, 'dropColumn').map(({ before }): TableChange => ({ kind: 'dropColumn', plan, column: before.name })),
    ...(isRekeyed ? [{ kind: 'addKey', plan } as const] : []),
  ]
}

/** The value of a new column in all rows. Columns of optional objects are filled later, only in rows with the object. */
function fillingAll(column: PlanColumn, table: TableDifference): { fill?: unknown } {
  return presenceAround(column, table) === undefined ? filling(column) : {}
}

/** Fills defaults into columns of optional objects, in rows that have the object. Uses the new names. */
function fillObjects(table: TableDifference): FillColumn[] {
  const { plan } = table
  const added = pick(table, 'addColumn').flatMap(({ column }) =>
    fillWithin(table, column, presenceAround(column, table)),
  )
  const required = pick(table, 'requireInObject').flatMap(({ column, within }) => fillWithin(table, column, within))
  return [...added, ...required].map(({ column, ...it }) => ({ kind: 'fillColumn', plan, column, ...it }))
}

function fillWithin(
  { columns }: TableDifference,
  column: PlanColumn,
  presence: Presence | undefined,
): { column: PlanColumn; fill: unknown; within?: readonly string[] }[] {
  const fill = backfillValue(column)
  if (fill === undefined || presence === undefined || presence.length === 0) return []
  if (presence === 'always') return [{ column, fill }]
  const renamed = new Map([...columns].map(([it, former]) => [former, it.name]))
  return [{ column, fill, within: presence.map((it) => renamed.get(it) ?? it) }]
}

function filling(column: PlanColumn): { fill?: unknown } {
  const fill = backfillValue(column)
  return fill === undefined ? {} : { fill }
}

/** Rebuilds the table, unless new columns can be added in place. */
function rebuildOrAdd(table: TableDifference, supports: Capabilities): TableChange[] {
  const { plan, renamed, target, differences } = table
  if (!differences.some((it) => needsRebuild(it, supports))) {
    const added = pick(table, 'addColumn').map(({ column }): TableChange => ({ kind: 'addColumn', plan, column }))
    return [...added, ...fillObjects(table)]
  }
  const inside = fillObjects(table)
  const copies = plan.columns.map((column, index): CopiedColumn => {
    const before = renamed!.columns.find((it) => it.name === column.name)
    const after = target.columns[index]!
    const isFilled = before ? before.nullable && !after.nullable : presenceAround(column, table) === undefined
    const { fill, within } = inside.find((it) => it.column === column) ?? {}
    if (fill !== undefined) return { column, before, after, fill, ...(within && { within }) }
    return { column, before, after, ...(isFilled && filling(column)) }
  })
  const droppedColumns = pick(table, 'dropColumn').map((it) => it.before)
  const droppedKeys = pick(table, 'dropForeignKey').map((it) => it.foreignKey)
  const kept = {
    columns: renamed!.columns.filter(
      (it) => !droppedColumns.includes(it) && !plan.columns.some(({ name }) => name === it.name),
    ),
    foreignKeys: renamed!.foreignKeys.filter((it) => !droppedKeys.includes(it) && findDeclared(target, it) < 0),
  }
  return [{ kind: 'rebuildTable', plan, before: renamed!, copies, kept, ownIndexes: ownIndexes(table) }]
}

/** Indexes that a rebuild does not copy, because other changes create or drop them. */
function ownIndexes({ record, target, kept }: TableDifference): string[] {
  const isKept = (name: string): boolean => kept.some((it) => it.kind === 'index' && it.index.name === name)
  return [...(record?.snapshot.indexes ?? []), ...target.indexes].map((it) => it.name).filter((it) => !isKept(it))
}

function createIndexes(table: TableDifference, supports: Capabilities): CreateIndex[] {
  const { plan, before, differences } = table
  const wanted = pick(table, 'createIndex').map((it) => it.index)
  const isRebuilt = before !== undefined && differences.some((it) => needsRebuild(it, supports))
  const indexes = before === undefined || isRebuilt ? plan.declaration.indexes : wanted
  return indexes.map((index) => ({ kind: 'createIndex', plan, index }))
}

function addForeignKeys(table: TableDifference, droppedKeys: readonly DroppedForeignKey[]): TableChange[] {
  const { plan, target, renamed, before } = table
  const back = droppedKeys.flatMap(({ table: owner, existing }) => {
    if (owner !== table) return []
    const declared = findDeclared(target, renamed!.foreignKeys[before!.foreignKeys.indexOf(existing)]!)
    return declared < 0 ? [] : [plan.declaration.foreignKeys[declared]!]
  })
  const added = new Set([...pick(table, 'addForeignKey').map((it) => it.foreignKey), ...back])
  return [...added].map((foreignKey) => ({ kind: 'addForeignKey', plan, foreignKey }))
}

interface OrderedTables {
  readonly tables: readonly { readonly plan: TablePlan; readonly foreignKeys: readonly ForeignKey[] }[]
  /** Foreign keys of circular references, added after all tables exist. */
  readonly later: readonly { readonly plan: TablePlan; readonly foreignKey: ForeignKey }[]
}

/** Orders tables after those that they refer to. */
function orderTables(plans: readonly TablePlan[], supports: Capabilities): OrderedTables {
  // An engine that checks references only when rows are written accepts tables in any order.
  if (supports.forwardReferences) {
    return { tables: plans.map((plan) => ({ plan, foreignKeys: plan.declaration.foreignKeys })), later: [] }
  }
  const tables: { plan: TablePlan; foreignKeys: ForeignKey[] }[] = []
  const later: { plan: TablePlan; foreignKey: ForeignKey }[] = []
  const waiting = new Map(plans.map((plan) => [placeName(plan.tableName), plan]))
  const visiting = new Set<TablePlan>()
  const visit = (plan: TablePlan): void => {
    visiting.add(plan)
    waiting.delete(placeName(plan.tableName))
    const foreignKeys: ForeignKey[] = []
    for (const foreignKey of plan.declaration.foreignKeys) {
      const name = placeName(toTableName(foreignKey.references, supports.schemas))
      const target = waiting.get(name)
      if (target) visit(target)
      const isOpen = [...visiting].some((it) => it !== plan && placeName(it.tableName) === name)
      if (isOpen) later.push({ plan, foreignKey })
      else foreignKeys.push(foreignKey)
    }
    visiting.delete(plan)
    tables.push({ plan, foreignKeys })
  }
  for (const plan of plans) if (waiting.has(placeName(plan.tableName))) visit(plan)
  return { tables, later }
}

function placeName({ schema, table }: TablePlan['tableName']): string {
  return JSON.stringify([schema, table])
}
