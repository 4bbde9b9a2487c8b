/** Counts what a difference would touch. */
import type { ForeignKey } from '@portico/schema/model'
import type { Session } from '../../contract/adapter.ts'
import type { PlanColumn } from '../../contract/plan.ts'
import type { FilledColumn, RowQuery } from '../../contract/row-query.ts'
import { type ColumnSnapshot } from '../../contract/snapshot.ts'
import type { Capabilities } from '../../contract/storage.ts'
import { count } from '../../shared/count.ts'
import { EachUuid } from '../../values/each-uuid.ts'
import { isSameTable } from '../../values/table-name.ts'
import { classifyConversion } from '../2-diff/classify-conversion.ts'
import type { Difference, TableDifference } from '../2-diff/diff.ts'
import { type Presence, presenceAround } from '../2-diff/diff-objects.ts'
import { fillOf, needsRebuild } from '../2-diff/fill.ts'
import { countUnfitJson } from './check-values.ts'
import { countRows, tellOrphans } from './refuse.ts'
import type { Precheck, Touches } from './steps.ts'

export interface Asker {
  readonly ask: (query: RowQuery) => Promise<number>
  readonly session: Session
  readonly supports: Capabilities
  readonly allow: ReadonlySet<string>
  readonly all: readonly TableDifference[]
}

export interface Measured {
  readonly touches: Touches
  readonly precheck: readonly Precheck[]
  readonly problem?: string
}

const untouched: Measured = { touches: {}, precheck: [] }

export async function measure(difference: Difference, table: TableDifference, asker: Asker): Promise<Measured> {
  const { plan, before } = table
  if (!before) return untouched
  const rows = await asker.ask({ kind: 'rows', tableName: before.tableName })
  const rebuild = needsRebuild(difference, asker.supports) ? { rebuild: rows } : {}
  switch (difference.kind) {
    case 'addColumn': {
      const touches = { rows, ...rebuild }
      if (fillOf(difference.column) !== undefined) return { touches, precheck: [] }
      if (difference.after.nullable) return measureAdded(difference, table, asker, touches)
      const told = `column \`${difference.column.name}\` is required and has no default, and there are rows (${rows}) that would have no value. Declare it optional, sync, fill it in, and require it then; or declare a @db.default`
      return checked('rows', rows, touches, told)
    }
    case 'requireColumn':
      return measureRequired(difference, table, asker, { rows, ...rebuild })
    case 'changeType': {
      const unfit = await countUnfit(difference, table, asker)
      const told = `column \`${difference.column.name}\` has ${unfit} ${unfit === 1 ? 'value' : 'values'} that cannot be kept exactly as ${difference.after.storage}: change or clear them first`
      return checked('unconvertible', unfit, { rows, ...rebuild }, told)
    }
    case 'dropColumn': {
      const nulls = await asker.ask({ kind: 'nulls', tableName: before.tableName, column: difference.before.name })
      return { touches: { rows, values: rows - nulls, ...rebuild }, precheck: [] }
    }
    case 'changeKey':
      return measureUnique(
        plan.key,
        table,
        asker,
        { rows, ...rebuild },
        `the key (${plan.key.map((it) => it.name).join(', ')}) is not unique`,
      )
    case 'createIndex': {
      if (!difference.index.unique) return { touches: { rows }, precheck: [] }
      const columns = difference.index.columns.map((it) => plan.byPath.get(it.path)!)
      return measureUnique(
        columns,
        table,
        asker,
        { rows },
        `the unique index \`${difference.index.name}\` cannot be made`,
      )
    }
    case 'addForeignKey':
      return measureOrphans(difference, table, asker, { rows, ...rebuild })
    case 'requireInside':
      return measureInside(difference, table, asker, rows)
    case 'makeObject': {
      const found = await asker.ask(objectsQuestion(table, 'always', { none: asList(difference.was) }))
      return { touches: { rows, values: found }, precheck: [] }
    }
    default:
      return { touches: { rows, ...rebuild }, precheck: [] }
  }
}

function asList(presence: Presence): readonly string[] {
  return presence === 'always' ? [] : presence
}

/** Rows in which an object is there, of which a column may have no value. */
function objectsQuestion(
  { before }: TableDifference,
  within: Presence,
  more: { readonly lacks?: string; readonly none?: readonly string[] } = {},
): RowQuery {
  return { kind: 'objects', tableName: before!.tableName, ...(within !== 'always' && { any: within }), ...more }
}

/** A column that comes into an object which needs a value in it. */
async function measureAdded(
  { column }: Extract<Difference, { kind: 'addColumn' }>,
  table: TableDifference,
  { ask }: Asker,
  touches: Touches,
): Promise<Measured> {
  const { optional, allowsNull, path } = column.model
  const within = optional || allowsNull ? undefined : presenceAround(column, table)
  if (within === undefined) return { touches, precheck: [] }
  const found = await ask(objectsQuestion(table, within))
  const object = path.slice(0, path.lastIndexOf('.'))
  const told = `column \`${column.name}\` is required in \`${object}\` and has no default, and ${countRows(found, 'has', 'have')} that object. Declare it optional, sync, fill it in, and require it then; or declare a @db.default`
  return checked('objects', found, touches, told)
}

/** A column that is there and becomes required in its object. */
async function measureInside(
  { column, present, group, within }: Extract<Difference, { kind: 'requireInside' }>,
  table: TableDifference,
  { ask }: Asker,
  rows: number,
): Promise<Measured> {
  const nulls = await ask(objectsQuestion(table, within, { lacks: present }))
  const told = `column \`${column.name}\` is declared as required in \`${group}\` and is NULL in ${countRows(nulls, 'that has', 'that have')} this object: fill them in, declare it optional, or declare a @db.default`
  // Without a default there is nothing to consent to.
  if (fillOf(column) === undefined) return checked('objects', nulls, { rows }, told)
  return { touches: { rows, nulls }, precheck: [{ kind: 'objects', found: nulls, holds: nulls === 0 }] }
}

/** Text that becomes JSON is read: engines differ in what they take for it, and none knows what its parts should be. */
async function countUnfit(
  difference: Extract<Difference, { kind: 'changeType' }>,
  table: TableDifference,
  { ask, session }: Asker,
): Promise<number> {
  const query = unfitQuestion(difference, table)
  if (!query) return 0
  const { before, after, column } = difference
  if (before.storage !== 'text' || after.storage !== 'json') return ask(query)
  return countUnfitJson(column, table, session)
}

/** How many values would have to be rounded or cut, where some might. */
export function unfitQuestion(
  { before, after, column }: Extract<Difference, { kind: 'changeType' }>,
  table: TableDifference,
): RowQuery | undefined {
  const conversion = classifyConversion(before, after)
  // Text stays text, but may have less room.
  if (conversion === 'impossible' || (conversion === 'same' && before.type === after.type)) return undefined
  const from = { ...before, name: presentName(table, column) }
  return { kind: 'unconvertible', tableName: table.before!.tableName, from, to: after }
}

function checked(kind: RowQuery['kind'], found: number, touches: Touches, told: string): Measured {
  const precheck = [{ kind, found, holds: found === 0 }]
  return { touches, precheck, ...(found > 0 && { problem: told }) }
}

async function measureRequired(
  { column }: Extract<Difference, { kind: 'requireColumn' }>,
  table: TableDifference,
  { ask }: Asker,
  touches: Touches,
): Promise<Measured> {
  const nulls = await ask({ kind: 'nulls', tableName: table.before!.tableName, column: presentName(table, column) })
  const told = `column \`${column.name}\` is declared as required and is NULL in ${nulls} of ${touches.rows} rows: fill them in, declare it optional, or declare a @db.default`
  // Without a default there is nothing to consent to.
  if (fillOf(column) === undefined) return checked('nulls', nulls, touches, told)
  // A declared default is no invention: with consent, it stands in for NULL.
  const { precheck } = checked('nulls', nulls, touches, told)
  const problem = nulls > 0 ? await findEqual(column, table, { ask }, nulls) : undefined
  return { touches: { ...touches, nulls }, precheck, ...(problem !== undefined && { problem }) }
}

/** A unique index that is there would find the values equal that stand in for NULL. One that comes is looked at by itself. */
async function findEqual(
  column: PlanColumn,
  table: TableDifference,
  { ask }: Pick<Asker, 'ask'>,
  rows: number,
): Promise<string | undefined> {
  for (const index of table.plan.declaration.indexes) {
    const isCreated = table.differences.some((it) => it.kind === 'createIndex' && it.index === index)
    if (!index.unique || isCreated || !index.columns.some((it) => it.column === column.name)) continue
    const columns = index.columns.map((it) => table.plan.byPath.get(it.path)!)
    const duplicates = (await countDuplicates(columns, table, ask, rows)) ?? 0
    if (duplicates > 0)
      return `${count(duplicates, 'row')} would have the same values as another in the unique index \`${index.name}\`, once the default stands in for NULL`
  }
  return undefined
}

async function measureUnique(
  columns: readonly PlanColumn[],
  table: TableDifference,
  { ask }: Asker,
  touches: Touches,
  told: string,
): Promise<Measured> {
  const duplicates = await countDuplicates(columns, table, ask, touches.rows ?? 0)
  if (duplicates === undefined) return { touches, precheck: [] }
  return checked(
    'duplicates',
    duplicates,
    { ...touches, duplicates },
    `${told}: ${countRows(duplicates, 'has', 'have')} the same values in it as another`,
  )
}

/** Rows that have the same values as another; `undefined` where that cannot be, since they will be NULL. */
async function countDuplicates(
  columns: readonly PlanColumn[],
  table: TableDifference,
  ask: Asker['ask'],
  rows: number,
): Promise<number | undefined> {
  const present = columns.flatMap((it) => table.columns.get(it) ?? [])
  const added = columns.filter((it) => !table.columns.has(it))
  const isDistinct = (it: PlanColumn): boolean => fillOf(it) === undefined || fillOf(it) instanceof EachUuid
  if (columns.length === 0 || added.some(isDistinct)) return undefined
  // All rows get the same value in a column that is not there yet.
  if (present.length === 0) return Math.max(rows - 1, 0)
  const filled = columns.flatMap((it) => filledColumn(it, table))
  return ask({
    kind: 'duplicates',
    tableName: table.before!.tableName,
    columns: present,
    ...(filled.length > 0 && { filled }),
  })
}

/** What stands in for NULL in a column that becomes required. */
function filledColumn(column: PlanColumn, { differences, columns }: TableDifference): FilledColumn[] {
  const isRequired = differences.some((it) => it.kind === 'requireColumn' && it.column === column)
  // Values of another type are compared by the engine, when the index is made.
  const isOther = differences.some(
    (it) => it.kind === 'changeType' && it.column === column && it.before.storage !== it.after.storage,
  )
  const value = fillOf(column)
  if (!isRequired || isOther || value === undefined || value instanceof EachUuid) return []
  return [{ column: columns.get(column) ?? column.name, type: column.storage.type, value }]
}

async function measureOrphans(
  { foreignKey }: Extract<Difference, { kind: 'addForeignKey' }>,
  table: TableDifference,
  { ask, all, supports }: Asker,
  touches: Touches,
): Promise<Measured> {
  const wanted = table.target.foreignKeys.find((it) => it.name === foreignKey.constraint)!
  const other = all.find((it) => isSameTable(it.plan.tableName, wanted.tableName))
  const declared = foreignKey.paths.map((path) => table.plan.byPath.get(path)!)
  const here = declared.map((it) => findSame(table, it))
  const there = foreignKey.references.paths.map((path) => other && findSame(other, other.plan.byPath.get(path)))
  if (other && !other.before && here.length === 1 && here[0]) {
    const nulls = await ask({ kind: 'nulls', tableName: table.before!.tableName, column: here[0].name })
    return checkOrphans(foreignKey, touches.rows! - nulls, touches)
  }
  const isThere = other?.before && here.every((it, index) => it && there[index])
  const isComparable = isThere && here.every((it, index) => there[index]?.type === it?.type)
  if (isThere && !isComparable) {
    const orphans = await countConverted(foreignKey, table, other, { ask })
    return orphans === undefined ? { touches, precheck: [] } : checkOrphans(foreignKey, orphans, touches)
  }
  // Where the engine itself looks, it does so when the key is added. A table that is not listed stays as it is.
  const isStaying = here.every((it, index) => it && (other || it.type === declared[index]!.storage.type))
  const isUnseen = !supports.foreignKeys && !other?.before && isStaying
  if (!isComparable && !isUnseen) return { touches, precheck: [] }
  const orphans = await ask({
    kind: 'orphans',
    tableName: table.before!.tableName,
    columns: here.map((it) => it!.name),
    target: other?.before?.tableName ?? wanted.tableName,
    references: there.map((it, index) => it?.name ?? wanted.references[index]!),
  })
  return checkOrphans(foreignKey, orphans, touches)
}

/**
 * Orphans among values that get the type of what they refer to in the same sync. Nothing where some of them do not fit,
 * which is reported by itself, or where what they refer to gets another type too.
 */
async function countConverted(
  foreignKey: ForeignKey,
  table: TableDifference,
  other: TableDifference,
  { ask }: Pick<Asker, 'ask'>,
): Promise<number | undefined> {
  const converted: ({ from: ColumnSnapshot; to: ColumnSnapshot } | undefined)[] = []
  for (const path of foreignKey.paths) {
    const column = table.plan.byPath.get(path)!
    const change = table.differences.find((it) => it.kind === 'changeType' && it.column === column)
    if (change?.kind !== 'changeType') converted.push(undefined)
    else {
      const query = unfitQuestion(change, table)
      if (!query || (await ask(query)) > 0) return undefined
      converted.push({ from: { ...change.before, name: presentName(table, column) }, to: change.after })
    }
  }
  const target = foreignKey.references.paths.map((path) => other.plan.byPath.get(path)!)
  if (other.differences.some((it) => it.kind === 'changeType' && target.includes(it.column))) return undefined
  return ask({
    kind: 'orphans',
    tableName: table.before!.tableName,
    columns: foreignKey.paths.map((path) => presentName(table, table.plan.byPath.get(path)!)),
    target: other.before!.tableName,
    references: target.map((it) => presentName(other, it)),
    converted,
  })
}

function checkOrphans(foreignKey: ForeignKey, orphans: number, touches: Touches): Measured {
  return checked('orphans', orphans, touches, tellOrphans(foreignKey, orphans))
}

/** What a declared column is now, under its present name. */
function findSame({ before, columns }: TableDifference, column: PlanColumn | undefined) {
  const name = column && columns.get(column)
  return before?.columns.find((it) => it.name === name)
}

function presentName({ columns }: TableDifference, column: PlanColumn): string {
  return columns.get(column) ?? column.name
}
