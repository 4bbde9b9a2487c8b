/** What has to change so that a database follows its declarations. Pure: knows snapshots and abilities, no engine. */
import type { ForeignKey, Index } from '@portico/schema/model'
import type { PlanColumn, TableName, TablePlan } from '../../contract/plan.ts'
import { type SyncProblem } from '../../contract/problem.ts'
import { type ColumnSnapshot, type ForeignKeySnapshot, type TableSnapshot } from '../../contract/snapshot.ts'
import type { Capabilities } from '../../contract/storage.ts'
import { describeTable } from '../../table/describe-table.ts'
import { declaredNameOf, isSameTable } from '../../values/table-name.ts'
import { type KnownDatabase, matchTables, type TableMatch } from '../1-read/match-tables.ts'
import type { TableRecord } from '../1-read/metadata-table.ts'
import { isSameNote, rulesOf, type ValueRules } from '../1-read/table-facts.ts'
import { classifyConversion } from './classify-conversion.ts'
import { diffObjects, type Presence } from './diff-objects.ts'
import { diffForeignKeys, diffIndexes, hangingOn } from './diff-parts.ts'
import { canBeLeftOut, isHeldBy, type KeptPart, movingColumns } from './kept.ts'

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
  | { readonly kind: 'renameTable'; readonly from: TableName; readonly movedFrom?: string }
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
  | SoftDifference

/** What only the rows can tell whether it is a difference at all. */
export type SoftDifference =
  /** A column that has a value wherever its object is there. `present` is its name now. */
  | {
      readonly kind: 'requireInside'
      readonly column: PlanColumn
      readonly present: string
      readonly group: string
      readonly within: Presence
      /** Whether it was required before, and not declared since: NULL is from programs that do not know the column. */
      readonly isBack: boolean
    }
  /** An object that was optional, and is there in every row from now on. */
  | { readonly kind: 'makeObject'; readonly group: string; readonly was: Presence }
  /** A declaration says something else of a column's values than it did. */
  | {
      readonly kind: 'checkValues'
      readonly column: PlanColumn
      readonly before: ColumnSnapshot
      readonly after: ColumnSnapshot
      /** Nothing where nobody noted them. */
      readonly formerly: ValueRules | undefined
    }

export function isSoft(difference: Difference): difference is SoftDifference {
  return ['requireInside', 'makeObject', 'checkValues'].includes(difference.kind)
}

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
  /** What sync made, nothing declares any more, and stays. */
  readonly kept: readonly KeptPart[]
  /** Indexes and foreign keys for whose sake columns keep their types. Where one of them goes after all, they need not. */
  readonly holding: readonly KeptPart[]
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
  supports: Capabilities,
  allow: ReadonlySet<string>,
): DatabaseDifference {
  const { matches, problems } = matchTables(plans, known, supports)
  const dropped = known.records.filter(
    (record) =>
      allow.has(`drop ${recordLabel(record)}`) &&
      !matches.some(({ plan, before }) => isSameTable(before?.tableName ?? plan.tableName, record.snapshot.tableName)),
  )
  const released = new Set<string>()
  // What holds a column may turn out to go, which lets the column change: each round releases more, or is the last.
  for (;;) {
    const found = [...problems]
    const context = { supports, allow, released, problems: found }
    const compared = matches.map((match) => diffTable(match, renameSnapshot(match, matches), context))
    const tables = compared.map((table) => releaseKept(table, compared, dropped))
    const going = tables.flatMap(({ plan, holding, kept }) => {
      const staying = new Set(kept.map((it) => partKey(plan, it)))
      return holding.map((it) => partKey(plan, it)).filter((it) => !staying.has(it))
    })
    if (going.length === 0) return { tables, dropped, problems: found }
    for (const it of going) released.add(it)
  }
}

/** Identifies an index or a foreign key among those of all tables. */
function partKey(plan: TablePlan, part: KeptPart): string {
  const name = part.kind === 'foreignKey' ? part.name : part.kind === 'index' ? part.index.name : part.column.name
  return [declaredNameOf(plan), part.kind, name].join('\0')
}

/** A foreign key that could stay goes all the same where what it refers to goes, or changes. */
function releaseKept(
  table: TableDifference,
  tables: readonly TableDifference[],
  dropped: readonly TableRecord[],
): TableDifference {
  const isFreed = (part: KeptPart): part is Extract<KeptPart, { kind: 'foreignKey' }> => {
    if (part.kind !== 'foreignKey') return false
    const { tableName, references } = part.foreignKey
    if (dropped.some((it) => isSameTable(it.snapshot.tableName, tableName))) return true
    const target = tables.find((it) => isSameTable(it.plan.tableName, tableName))
    const isRekeyed = target?.differences.some((it) => it.kind === 'changeKey')
    const moving = movingColumns(target?.differences ?? [])
    return isRekeyed === true || references.some((it) => moving.has(it))
  }
  const freed = table.kept.filter(isFreed)
  if (freed.length === 0) return table
  const drops = freed.map(({ foreignKey }): Difference => ({ kind: 'dropForeignKey', foreignKey }))
  return {
    ...table,
    kept: table.kept.filter((it) => !isFreed(it)),
    differences: [...drops, ...table.differences],
  }
}

export function recordLabel({ schema, table }: TableRecord): string {
  return schema === undefined ? table : `${schema}.${table}`
}

interface Context {
  readonly supports: Capabilities
  readonly allow: ReadonlySet<string>
  /** Indexes and foreign keys that go, and so hold no column. */
  readonly released: ReadonlySet<string>
  readonly problems: SyncProblem[]
}

/** A table with all names as they will be, those of the tables that it refers to included. */
function renameSnapshot(match: TableMatch, matches: readonly TableMatch[]): TableSnapshot | undefined {
  const { plan, before } = match
  if (!before) return undefined
  const nameOf = renamer(match)
  return {
    tableName: plan.tableName,
    columns: before.columns.map((it) => ({ ...recordedKind(it, match), name: nameOf(it.name) })),
    key: before.key.map(nameOf),
    ...(before.keyName !== undefined && { keyName: renameKey(before.keyName, before.tableName, plan.tableName) }),
    indexes: before.indexes.map((index) => ({
      ...index,
      columns: index.columns.map((it) => ({ ...it, name: nameOf(it.name) })),
    })),
    foreignKeys: before.foreignKeys.map((it) => {
      const target = matches.find((other) => other.before && isSameTable(other.before.tableName, it.tableName))
      const columns = it.columns.map(nameOf)
      return target
        ? { ...it, columns, tableName: target.plan.tableName, references: it.references.map(renamer(target)) }
        : { ...it, columns }
    }),
  }
}

/** A key that is called after its table follows it to its new name. */
function renameKey(name: string, from: TableName, to: TableName): string {
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
  const target = describeTable(plan, context.supports)
  const found: Difference[] = []
  const kept: KeptPart[] = []
  const holding: KeptPart[] = []
  const difference = {
    plan,
    target,
    before,
    renamed,
    columns: match.columns,
    record,
    differences: found,
    kept,
    holding,
  }
  if (!before || !renamed) {
    found.push({ kind: 'createTable' })
    return difference
  }
  const fail = (message: string): void => void context.problems.push({ table: declaredNameOf(plan), message })
  const isAdopted = !record && context.allow.has(`adopt ${declaredNameOf(plan)}`)
  const made = isAdopted
    ? adoptedParts(renamed, target)
    : ((record && renameRecord(record.snapshot, match)) ?? emptySnapshot(plan.tableName))
  if (!isSameTable(before.tableName, plan.tableName)) {
    const isMoved = record !== undefined && record.schema !== plan.declaration.schema
    found.push({ kind: 'renameTable', from: before.tableName, ...(isMoved && { movedFrom: recordLabel(record) }) })
  }
  const into: Found = { found, kept, fail, allow: context.allow, supports: context.supports }
  holding.push(
    ...hangingOn(renamed, target, made, declaredNameOf(plan), context.allow).filter(
      (it) => !context.released.has(partKey(plan, it)),
    ),
  )
  diffColumns(match, renamed, target, made, { ...into, holding })
  if (renamed.key.join('\0') !== target.key.join('\0')) found.push({ kind: 'changeKey', before: renamed.key })
  diffIndexes(plan, renamed, target, made, into)
  diffForeignKeys(plan, renamed, target, made, into)
  if (record || isAdopted) found.push(...diffObjects(match), ...diffValues(match, renamed, target))
  if (record || (found.length === 0 && !isAdopted)) return difference
  if (isAdopted) found.unshift({ kind: 'adoptTable' })
  else {
    kept.length = 0
    holding.length = 0
    const ways = `let sync take it over (\`adopt ${declaredNameOf(plan)}\`), change it by hand, or change the declaration`
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

function emptySnapshot(tableName: TableName): TableSnapshot {
  return { tableName, columns: [], key: [], indexes: [], foreignKeys: [] }
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

export interface Found {
  readonly found: Difference[]
  readonly kept: KeptPart[]
  readonly fail: (told: string) => void
  readonly allow: ReadonlySet<string>
  readonly supports: Capabilities
}

function diffColumns(
  { plan, columns }: TableMatch,
  renamed: TableSnapshot,
  target: TableSnapshot,
  made: TableSnapshot,
  { found, kept, fail, allow, holding }: Found & Pick<TableDifference, 'holding'>,
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
    // What is kept needs the room that the column has: an engine may give an indexed one less.
    const isHeld = before.storage === after.storage && isHeldBy(holding, column.name)
    found.push(...diffColumn({ column, before, after: isHeld ? { ...after, type: before.type } : after }))
    if (classifyConversion(before, after) === 'impossible') {
      fail(
        `column \`${column.name}\` cannot become ${after.type} from ${before.type}: sync knows no conversion that keeps what the values mean. Declare another column beside it`,
      )
    }
  }
  for (const column of renamed.columns) {
    if (plan.columns.some((it) => it.name === column.name)) continue
    if (made.columns.some((it) => it.name === column.name)) {
      if (allow.has(`drop ${declaredNameOf(plan)}.${column.name}`) || !canBeLeftOut(column)) {
        found.push({ kind: 'dropColumn', before: column })
      } else kept.push({ kind: 'column', column })
    } else if (!canBeLeftOut(column)) {
      fail(
        `column \`${column.name}\` is not declared, sync did not make it, and it needs a value in every row: no insert would succeed`,
      )
    }
  }
}

/** Columns of whose values the declaration says something else than what was noted. */
function diffValues(
  { plan, record, columns }: TableMatch,
  renamed: TableSnapshot,
  target: TableSnapshot,
): Difference[] {
  return plan.columns.flatMap((column, index) => {
    const before = renamed.columns.find((it) => it.name === column.name)
    const present = columns.get(column)
    // A column that cannot be used at all has been reported.
    if (!before || before.problem !== undefined || present === undefined) return []
    const noted = record?.facts?.rules ?? {}
    const formerly = Object.hasOwn(noted, present) ? noted[present] : undefined
    const after = target.columns[index]!
    return formerly && isSameNote(formerly, rulesOf(column))
      ? []
      : [{ kind: 'checkValues', column, before, after, formerly } as const]
  })
}

function diffColumn(change: ColumnChange): Difference[] {
  const { before, after } = change
  const found: Difference[] = []
  if (classifyConversion(before, after) !== 'same' || before.type !== after.type)
    found.push({ kind: 'changeType', ...change })
  if (before.nullable !== after.nullable)
    found.push({ kind: after.nullable ? 'relaxColumn' : 'requireColumn', ...change })
  if (before.default !== after.default) found.push({ kind: 'changeDefault', ...change })
  if (before.autoIncrement !== after.autoIncrement) found.push({ kind: 'changeCounting', ...change })
  return found
}
