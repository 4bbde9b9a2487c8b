/** What has to change so that a database follows its declarations. Pure: knows snapshots and abilities, no engine. */
import type { ForeignKey, Index } from '@portico/schema/model'
import type { Abilities } from '../adapter.ts'
import type { PlanColumn, TablePlace, TablePlan } from '../table-plan.ts'
import { classifyConversion } from './convert.ts'
import { type KnownDatabase, labelOf, matchTables, type SyncProblem, type TableMatch } from './match.ts'
import type { TableRecord } from './registry.ts'
import {
  type ColumnSnapshot,
  describeTable,
  type ForeignKeySnapshot,
  type IndexSnapshot,
  isSamePlace,
  type TableSnapshot,
} from './snapshot.ts'

interface ColumnChange {
  readonly column: PlanColumn
  readonly before: ColumnSnapshot
  readonly after: ColumnSnapshot
}

/** One thing in which a table differs from its declaration. */
export type Difference =
  | { readonly kind: 'createTable' }
  | { readonly kind: 'adoptTable' }
  /** `movedFrom` is its former name where it moves to another schema, of which no annotation tells. */
  | { readonly kind: 'renameTable'; readonly from: TablePlace; readonly movedFrom?: string }
  | { readonly kind: 'addColumn'; readonly column: PlanColumn; readonly after: ColumnSnapshot }
  | { readonly kind: 'renameColumn'; readonly column: PlanColumn; readonly from: string }
  | ({ readonly kind: 'changeType' } & ColumnChange)
  | ({ readonly kind: 'requireColumn' } & ColumnChange)
  | ({ readonly kind: 'relaxColumn' } & ColumnChange)
  | ({ readonly kind: 'changeDefault' } & ColumnChange)
  | ({ readonly kind: 'changeCounting' } & ColumnChange)
  | { readonly kind: 'dropColumn'; readonly before: ColumnSnapshot }
  | { readonly kind: 'changeKey'; readonly before: readonly string[] }
  | { readonly kind: 'createIndex'; readonly index: Index }
  | { readonly kind: 'renameIndex'; readonly from: string; readonly to: string }
  | { readonly kind: 'dropIndex'; readonly name: string }
  | { readonly kind: 'addForeignKey'; readonly foreignKey: ForeignKey }
  | { readonly kind: 'renameForeignKey'; readonly from: string; readonly to: string }
  | { readonly kind: 'dropForeignKey'; readonly foreignKey: ForeignKeySnapshot }

/** A declared table beside what there is of it. */
export interface TableDifference {
  readonly plan: TablePlan
  readonly target: TableSnapshot
  /** The table as it is now. */
  readonly before: TableSnapshot | undefined
  /** The same, as it will be once everything has its new name. */
  readonly renamed: TableSnapshot | undefined
  /** Declared columns that are there, with their present names. */
  readonly columns: ReadonlyMap<PlanColumn, string>
  readonly record: TableRecord | undefined
  readonly differences: readonly Difference[]
}

export interface DatabaseDifference {
  readonly tables: readonly TableDifference[]
  /** Tables that sync made, that nothing declares any more, and that may be dropped. */
  readonly dropped: readonly TableRecord[]
  readonly problems: readonly SyncProblem[]
}

/** Compares a database with the tables that are declared. `allow` says which tables may be adopted and dropped. */
export function diffDatabase(
  plans: readonly TablePlan[],
  known: KnownDatabase,
  can: Abilities,
  allow: ReadonlySet<string>,
): DatabaseDifference {
  const { matches, problems } = matchTables(plans, known, can)
  const tables = matches.map((match) => diffTable(match, renameSnapshot(match, matches), { can, allow, problems }))
  const dropped = known.records.filter(
    (record) =>
      allow.has(`drop ${recordLabel(record)}`) &&
      !matches.some(({ plan, before }) => isSamePlace(before?.place ?? plan.place, record.snapshot.place)),
  )
  return { tables, dropped, problems }
}

export function recordLabel({ schema, table }: TableRecord): string {
  return schema === undefined ? table : `${schema}.${table}`
}

interface Context {
  readonly can: Abilities
  readonly allow: ReadonlySet<string>
  readonly problems: SyncProblem[]
}

/** A table with all names as they will be, those of the tables that it refers to included. */
function renameSnapshot(match: TableMatch, matches: readonly TableMatch[]): TableSnapshot | undefined {
  const { plan, before } = match
  if (!before) return undefined
  const nameOf = renamer(match)
  return {
    place: plan.place,
    columns: before.columns.map((it) => ({ ...recordedKind(it, match), name: nameOf(it.name) })),
    key: before.key.map(nameOf),
    ...(before.keyName !== undefined && { keyName: renameKey(before.keyName, before.place, plan.place) }),
    indexes: before.indexes.map((index) => ({
      ...index,
      columns: index.columns.map((it) => ({ ...it, name: nameOf(it.name) })),
    })),
    foreignKeys: before.foreignKeys.map((it) => {
      const target = matches.find((other) => other.before && isSamePlace(other.before.place, it.place))
      const columns = it.columns.map(nameOf)
      return target
        ? { ...it, columns, place: target.plan.place, references: it.references.map(renamer(target)) }
        : { ...it, columns }
    }),
  }
}

/** A key that is called after its table follows it to its new name. */
function renameKey(name: string, from: TablePlace, to: TablePlace): string {
  return name === `${from.table}_pkey` ? `${to.table}_pkey` : name
}

function renamer({ columns }: TableMatch): (name: string) => string {
  const renamed = new Map([...columns].map(([column, former]) => [former, column.name]))
  return (name) => renamed.get(name) ?? name
}

/**
 * Several kinds of values share one type: which of them a column holds is known from when sync made it. Of one that
 * sync did not make, and that has the declared type, it is taken to be what is declared.
 */
function recordedKind(column: ColumnSnapshot, { record, columns }: TableMatch): ColumnSnapshot {
  const made = record?.snapshot.columns.find((it) => it.name === column.name)
  const [declared] = [...columns].find(([, former]) => former === column.name) ?? []
  const kind = made ?? (declared && { ...declared.model, type: declared.storage.type })
  if (kind?.type !== column.type) return column
  const { storage: _, precision: __, ...rest } = column
  const { storage, precision } = kind
  return { ...rest, ...(storage !== undefined && { storage }), ...(precision && { precision }) }
}

function diffTable(match: TableMatch, renamed: TableSnapshot | undefined, context: Context): TableDifference {
  const { plan, before, record } = match
  const target = describeTable(plan, context.can)
  const found: Difference[] = []
  const difference = { plan, target, before, renamed, columns: match.columns, record, differences: found }
  if (!before || !renamed) {
    found.push({ kind: 'createTable' })
    return difference
  }
  const fail = (told: string): void => void context.problems.push({ table: labelOf(plan), told })
  const isAdopted = !record && context.allow.has(`adopt ${labelOf(plan)}`)
  const made = isAdopted
    ? adoptedParts(renamed, target)
    : ((record && renameRecord(record.snapshot, match)) ?? emptySnapshot(plan.place))
  if (!isSamePlace(before.place, plan.place)) {
    const isMoved = record !== undefined && record.schema !== plan.declaration.schema
    found.push({ kind: 'renameTable', from: before.place, ...(isMoved && { movedFrom: recordLabel(record) }) })
  }
  diffColumns(match, renamed, target, made, { found, fail })
  if (renamed.key.join('\0') !== target.key.join('\0')) found.push({ kind: 'changeKey', before: renamed.key })
  diffIndexes(plan, renamed, target, made, { found, fail, can: context.can })
  diffForeignKeys(plan, renamed, target, made, { found })
  if (found.length === 0 || record) return difference
  if (isAdopted) found.unshift({ kind: 'adoptTable' })
  else {
    const ways = `let sync take it over (\`adopt ${labelOf(plan)}\`), change it by hand, or change the declaration`
    fail(
      `sync did not make this table, so that it changes nothing in it, and it differs: ${describe(found)}. Either ${ways}`,
    )
    found.length = 0
  }
  return difference
}

/**
 * Who lets a table be taken over has said nothing about what hangs on it: of its indexes and foreign keys only those
 * that stand where declared ones should are replaced.
 */
function adoptedParts(renamed: TableSnapshot, { indexes, foreignKeys }: TableSnapshot): TableSnapshot {
  const columnsOf = (it: ForeignKeySnapshot): string => it.columns.join('\0')
  return {
    ...renamed,
    indexes: renamed.indexes.filter(({ name }) => indexes.some((it) => it.name === name)),
    foreignKeys: renamed.foreignKeys.filter((it) => foreignKeys.some((other) => columnsOf(other) === columnsOf(it))),
  }
}

function emptySnapshot(place: TablePlace): TableSnapshot {
  return { place, columns: [], key: [], indexes: [], foreignKeys: [] }
}

/** What sync made, in the new names. */
function renameRecord(snapshot: TableSnapshot, match: TableMatch): TableSnapshot {
  const nameOf = renamer(match)
  return {
    ...snapshot,
    columns: snapshot.columns.map((it) => ({ ...it, name: nameOf(it.name) })),
    foreignKeys: snapshot.foreignKeys.map((it) => ({ ...it, columns: it.columns.map(nameOf) })),
  }
}

/** The differences in few words, for a table that must not be touched. */
function describe(found: readonly Difference[]): string {
  const [first] = found
  const subject =
    first &&
    ('column' in first
      ? `column \`${first.column.name}\``
      : 'before' in first && 'name' in first.before
        ? `column \`${first.before.name}\``
        : first.kind)
  return `${subject}${found.length > 1 ? ` and ${found.length - 1} more` : ''}`
}

interface Found {
  readonly found: Difference[]
  readonly fail: (told: string) => void
}

function diffColumns(
  { plan, columns }: TableMatch,
  renamed: TableSnapshot,
  target: TableSnapshot,
  made: TableSnapshot,
  { found, fail }: Found,
): void {
  for (const [index, column] of plan.columns.entries()) {
    const after = target.columns[index]!
    const before = renamed.columns.find((it) => it.name === column.name)
    if (!before) {
      found.push({ kind: 'addColumn', column, after })
      continue
    }
    if (before.problem !== undefined) {
      fail(before.problem)
      continue
    }
    const former = columns.get(column)
    if (former !== undefined && former !== column.name) found.push({ kind: 'renameColumn', column, from: former })
    found.push(...diffColumn({ column, before, after }))
    if (classifyConversion(before, after) === 'impossible') {
      fail(
        `column \`${column.name}\` cannot become ${after.type} from ${before.type}: no value would keep its meaning. Declare another column beside it`,
      )
    }
  }
  for (const column of renamed.columns) {
    if (plan.columns.some((it) => it.name === column.name)) continue
    if (made.columns.some((it) => it.name === column.name)) found.push({ kind: 'dropColumn', before: column })
    else if (!column.nullable && column.default === undefined && !column.counted) {
      fail(
        `column \`${column.name}\` is not declared, sync did not make it, and it needs a value in every row: no insert would succeed`,
      )
    }
  }
}

function diffColumn(change: ColumnChange): Difference[] {
  const { before, after } = change
  const found: Difference[] = []
  if (classifyConversion(before, after) !== 'same' || before.type !== after.type)
    found.push({ kind: 'changeType', ...change })
  if (before.nullable !== after.nullable)
    found.push({ kind: after.nullable ? 'relaxColumn' : 'requireColumn', ...change })
  if (before.default !== after.default) found.push({ kind: 'changeDefault', ...change })
  if (before.counted !== after.counted) found.push({ kind: 'changeCounting', ...change })
  return found
}

function diffIndexes(
  plan: TablePlan,
  renamed: TableSnapshot,
  target: TableSnapshot,
  made: TableSnapshot,
  { found, fail, can }: Found & { readonly can: Abilities },
): void {
  const isMade = ({ name }: IndexSnapshot): boolean => made.indexes.some((it) => it.name === name)
  const spare = renamed.indexes.filter((it) => isMade(it) && !target.indexes.some(({ name }) => name === it.name))
  for (const [position, wanted] of target.indexes.entries()) {
    const index = plan.declaration.indexes[position]!
    const existing = renamed.indexes.find((it) => it.name === wanted.name)
    if (existing && isSameIndex(existing, wanted)) continue
    // What is left of a build that failed is no index yet, and nobody else builds one of this name.
    if (existing?.isValid && !isMade(existing)) {
      fail(
        `sync did not make the index \`${existing.name}\`, which is another one than declared: remove it, or name the declared one otherwise`,
      )
      continue
    }
    const twin = existing || !can.renameIndex ? -1 : spare.findIndex((it) => isSameIndex(it, wanted))
    if (twin >= 0) {
      const [from] = spare.splice(twin, 1)
      found.push({ kind: 'renameIndex', from: from!.name, to: wanted.name })
      continue
    }
    if (existing) found.push({ kind: 'dropIndex', name: existing.name })
    found.push({ kind: 'createIndex', index })
  }
  for (const { name } of spare) found.push({ kind: 'dropIndex', name })
}

function isSameIndex(one: IndexSnapshot, other: IndexSnapshot): boolean {
  const columnsOf = ({ columns }: IndexSnapshot): string => columns.map((it) => `${it.name} ${it.order}`).join('\0')
  return one.isValid === other.isValid && one.unique === other.unique && columnsOf(one) === columnsOf(other)
}

function diffForeignKeys(
  plan: TablePlan,
  renamed: TableSnapshot,
  target: TableSnapshot,
  made: TableSnapshot,
  { found }: Pick<Found, 'found'>,
): void {
  const left = [...renamed.foreignKeys]
  for (const [position, wanted] of target.foreignKeys.entries()) {
    const place = left.findIndex((it) => isSameForeignKey(it, wanted))
    const [existing] = place >= 0 ? left.splice(place, 1) : []
    if (!existing) found.push({ kind: 'addForeignKey', foreignKey: plan.declaration.foreignKeys[position]! })
    else if (existing.name !== undefined && existing.name !== wanted.name) {
      found.push({ kind: 'renameForeignKey', from: existing.name, to: wanted.name! })
    }
  }
  for (const foreignKey of left) {
    const isMade = made.foreignKeys.some((it) => it.columns.join('\0') === foreignKey.columns.join('\0'))
    if (isMade) found.unshift({ kind: 'dropForeignKey', foreignKey })
  }
}

function isSameForeignKey(one: ForeignKeySnapshot, other: ForeignKeySnapshot): boolean {
  return (
    isSamePlace(one.place, other.place) &&
    one.columns.join('\0') === other.columns.join('\0') &&
    one.references.join('\0') === other.references.join('\0') &&
    one.onDelete === other.onDelete &&
    one.onUpdate === other.onUpdate
  )
}
