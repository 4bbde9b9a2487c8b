/**
 * MySQL's DDL cannot be rolled back, so a sync must not fail half-way. Before it starts, this finds statements that the
 * server would refuse, and objects that sync did not create and would drop or break.
 */
import type { ForeignKey } from '@portico/schema/model'
import type { AlterColumn, TableChange } from '../../contract/change.ts'
import { type SyncProblem } from '../../contract/sync-problem.ts'
import { type PlanColumn, type TableName, type TablePlan } from '../../contract/table-plan.ts'
import { declaredNameOf, formatTableName, toIndexName, toTableName } from '../../values/table-name.ts'
import { formerTableName, tableOfChange } from '../../values/table-of-change.ts'
import { needsConversion } from './convert.ts'
import { type DependentsReader, mentions, nameIn, readDependents, type TableDependents } from './dependents.ts'

type Of<Kind extends TableChange['kind']> = Extract<TableChange, { readonly kind: Kind }>

export async function preflightMysql(
  changes: readonly TableChange[],
  reader: DependentsReader,
): Promise<readonly SyncProblem[]> {
  const nameOf = nameIn(reader)
  const former = (change: TableChange): TableName => formerTableName(tableOfChange(change)!, changes)
  const tableNames = changes.filter((it) => changesExisting.has(it.kind)).map(former)
  const byTable = await readDependents([...new Map(tableNames.map((it) => [nameOf(it), it])).values()], reader)
  const problems: SyncProblem[] = []
  for (const change of changes) {
    const tableName = tableOfChange(change)
    const messages = [...refusalsOf(change), ...(await refuseLinks(change, changes, reader))]
    const dependents = changesExisting.has(change.kind) ? byTable.get(nameOf(former(change))) : undefined
    if (dependents) messages.push(...affectedObjects(change, dependents, new Context(changes, nameOf)))
    const table =
      'plan' in change ? declaredNameOf(change.plan) : formatTableName(tableName ?? { schema: undefined, table: '' })
    problems.push(...messages.map((it) => ({ table, message: it })))
  }
  return problems
}

const changesExisting: ReadonlySet<TableChange['kind']> = new Set([
  'dropColumn',
  'renameColumn',
  'alterColumn',
  'fillColumn',
  'dropKey',
  'dropTable',
  'renameTable',
] as const)

/** The other changes of the same sync. */
class Context {
  readonly #changes: readonly TableChange[]
  readonly #nameOf: (tableName: TableName) => string

  constructor(changes: readonly TableChange[], nameOf: (tableName: TableName) => string) {
    this.#changes = changes
    this.#nameOf = nameOf
  }

  formerColumn(plan: TablePlan, name: string): string {
    const isRenaming = (it: TableChange): it is Of<'renameColumn'> =>
      it.kind === 'renameColumn' && it.plan === plan && it.to === name
    return this.#changes.find(isRenaming)?.from ?? name
  }

  /** True if the sync itself drops the foreign key, or its table, first. */
  releases(tableName: TableName, name: string | undefined): boolean {
    return this.#changes.some(
      (it) =>
        (it.kind === 'dropForeignKey' && it.name === name && this.#isSame(it.tableName, tableName)) ||
        (it.kind === 'dropTable' && this.#isSame(it.tableName, tableName)),
    )
  }

  dropsIndex(tableName: TableName, name: string): boolean {
    return this.#changes.some(
      (it) =>
        (it.kind === 'dropIndex' && it.name === name && this.#isSame(it.tableName, tableName)) ||
        (it.kind === 'renameIndex' && it.from === name),
    )
  }

  #isSame(one: TableName, other: TableName): boolean {
    return this.#nameOf(one) === this.#nameOf(other)
  }
}

/** The most bytes of an index. */
const MAX_INDEX_BYTES = 3072

/** Problems that do not depend on existing objects: statements that the server refuses or ignores. */
function* refusalsOf(change: TableChange): Iterable<string> {
  if (change.kind === 'createTable') yield* change.foreignKeys.flatMap(refuseSetDefault)
  if (change.kind === 'addForeignKey') yield* refuseSetDefault(change.foreignKey)
  if (change.kind === 'createTable' || change.kind === 'addKey') yield* refuseOversized('the key', change.plan.key)
  if (change.kind !== 'createIndex') return
  const { plan, index } = change
  yield* refuseOversized(
    `the index \`${toIndexName(index.name, plan)}\``,
    index.columns.map((it) => plan.byPath.get(it.path)!),
  )
}

/** InnoDB refuses SET DEFAULT, or accepts it and ignores it. */
function refuseSetDefault({ constraint, onDelete, onUpdate }: ForeignKey): string[] {
  const isRefused = onDelete === 'setDefault' || onUpdate === 'setDefault'
  return isRefused ? [`foreign key \`${constraint}\`: MySQL does not support \`setDefault\``] : []
}

/** Only InnoDB tables that are not partitioned can have foreign keys or be referenced. */
async function refuseLinks(
  change: TableChange,
  changes: readonly TableChange[],
  { read }: DependentsReader,
): Promise<string[]> {
  const links = change.kind === 'addForeignKey' ? [change.foreignKey] : []
  if (change.kind === 'createTable') links.push(...change.foreignKeys)
  const messages = new Set<string>()
  for (const { constraint, references } of links) {
    for (const tableName of [tableOfChange(change)!, toTableName(references, true)]) {
      const { schema = null, table } = formerTableName(tableName, changes)
      const [found] = (await read(kindText, [schema, table])) as [engine: string, isPartitioned: number][]
      const kind = found?.[1] ? 'is partitioned' : found && found[0] !== 'InnoDB' ? `is of ${found[0]}` : undefined
      if (kind) messages.add(`foreign key \`${constraint}\`: table \`${table}\` ${kind}, which allows no foreign keys`)
    }
  }
  return [...messages]
}

const kindText = `
SELECT ENGINE, CREATE_OPTIONS LIKE '%partitioned%' FROM information_schema.TABLES
WHERE TABLE_SCHEMA = coalesce(?, database()) AND TABLE_NAME = ? AND ENGINE IS NOT NULL`

function refuseOversized(what: string, columns: readonly PlanColumn[]): string[] {
  const size = columns.reduce((sum, it) => sum + sizeOf(it.storage.type), 0)
  if (size <= MAX_INDEX_BYTES) return []
  return [
    `${what} would take ${size} bytes, more than the limit of ${MAX_INDEX_BYTES}, and each text in it takes 1020: remove a text from it`,
  ]
}

/** The bytes that a column takes in an index. */
function sizeOf(type: string): number {
  const [, length] = /^VARCHAR\((\d+)\)$/.exec(type) ?? []
  if (length !== undefined) return Number(length) * 4
  const [, precision, scale] = /^DECIMAL\((\d+),(\d+)\)$/.exec(type)?.map(Number) ?? []
  if (precision !== undefined) return packed(precision - scale!) + packed(scale!)
  return type === 'INT' ? 4 : type === 'TINYINT(1)' ? 1 : 8
}

/** Nine digits take four bytes. */
function packed(digits: number): number {
  return Math.floor(digits / 9) * 4 + Math.ceil((digits % 9) / 2)
}

/** Objects that sync did not create and that the change would drop or break. */
function affectedObjects(change: TableChange, dependents: TableDependents, context: Context): string[] {
  switch (change.kind) {
    case 'dropColumn':
      return loseColumn(change.plan, context.formerColumn(change.plan, change.column), dependents, context)
    case 'renameColumn':
      return breakReaders(change.from, dependents, true)
    case 'alterColumn':
      return alterColumn(change, dependents, context)
    case 'fillColumn':
      return dependents.triggers.filter((it) => it.event === 'UPDATE').map((it) => describeRunning(it.name))
    case 'dropKey':
      return blockingForeignKeys(dependents, context)
    case 'dropTable':
      return [...blockingForeignKeys(dependents, context), ...dependents.views.map(describeBroken('view'))]
    case 'renameTable': {
      const isMoved = change.from.schema !== change.to.schema
      const triggers = isMoved
        ? dependents.triggers.map(({ name }) => describeDropped('trigger', name, 'its table'))
        : []
      return [...dependents.views.map(describeBroken('view')), ...triggers]
    }
    default:
      return []
  }
}

const describeDropped = (kind: string, name: string, what = 'a column'): string =>
  `the ${kind} \`${name}\`, which sync did not create, would be dropped with ${what}: drop it first`

const describeRunning = (name: string): string =>
  `the trigger \`${name}\` would run for every converted or filled row: drop it first`

const describeBroken =
  (kind: string) =>
  ({ name }: { readonly name: string }): string =>
    `the ${kind} \`${name}\` would no longer work: drop it first, and create it again after the sync`

function loseColumn(plan: TablePlan, column: string, dependents: TableDependents, context: Context): string[] {
  return [
    ...foreignIndexes(plan, column, dependents, context).map((it) => describeDropped('index', it)),
    ...dependents.table.checks
      .filter((it) => mentions(it.clause, column))
      .map((it) => describeDropped('constraint', it.name)),
    ...blockingForeignKeys(dependents, context, column),
    ...breakReaders(column, dependents, false),
  ]
}

/** Views, triggers and generated columns that name a column. */
function breakReaders(
  column: string,
  { views, triggers, computed, table, isMariadb }: TableDependents,
  isRenamed: boolean,
): string[] {
  // MariaDB renames the column in check constraints, MySQL refuses.
  const checks = isRenamed && !isMariadb ? table.checks : []
  return [
    ...views.filter((it) => mentions(it.text, column)).map(describeBroken('view')),
    ...triggers.filter((it) => mentions(it.text, column)).map(describeBroken('trigger')),
    ...computed.filter((it) => mentions(it.text, column)).map(describeBroken('column')),
    ...checks.filter((it) => mentions(it.clause, column)).map(describeBroken('constraint')),
  ]
}

function alterColumn(change: AlterColumn, dependents: TableDependents, context: Context): string[] {
  const { plan, before, after, fill } = change
  const column = context.formerColumn(plan, change.column.name)
  const isConverted = needsConversion(before, after)
  const isOther = before.type !== after.type
  const isUnbound = isOther && after.type === 'LONGTEXT' && !before.type.includes('TEXT')
  const rules = dependents.table.checks.filter((it) => (it.isOfColumn || isConverted) && mentions(it.clause, column))
  const indexes = isConverted || isUnbound ? foreignIndexes(plan, column, dependents, context) : []
  const updates = isConverted || fill !== undefined ? dependents.triggers.filter((it) => it.event === 'UPDATE') : []
  return [
    ...rules.map((it) => describeDropped('constraint', it.name)),
    ...indexes.map((it) => `the index \`${it}\`, which sync did not create, cannot hold ${after.type}: drop it first`),
    ...updates.map((it) => describeRunning(it.name)),
    ...(isOther ? blockingForeignKeys(dependents, context, column) : []),
    ...(isOther ? dependents.computed.filter((it) => mentions(it.text, column)).map(describeBroken('column')) : []),
  ]
}

/** Foreign keys that sync did not create and that block the change of a column or, without one, of the table. */
function blockingForeignKeys({ table, referrers }: TableDependents, context: Context, column?: string): string[] {
  const own = column === undefined ? [] : table.foreignKeys.filter((it) => it.columns.includes(column))
  const held = [
    ...own.map((it) => ({ tableName: table.tableName, name: it.name! })),
    ...referrers.filter((it) => column === undefined || it.column === column),
  ].filter((it) => !context.releases(it.tableName, it.name))
  const names = held.map(({ tableName, name }) => `\`${name}\` of \`${formatTableName(tableName)}\``)
  return [...new Set(names)].map(
    (it) => `the foreign key ${it}, which sync did not create, blocks the change: drop it first`,
  )
}

/** Indexes over a column that sync neither created nor drops. The server creates one per foreign key and auto-increment. */
function foreignIndexes(
  plan: TablePlan,
  column: string,
  { table, indexes }: TableDependents,
  context: Context,
): string[] {
  const isCounter = (name: string): boolean => {
    const numbered = table.columns.find((it) => it.autoIncrement)?.name
    return table.indexes.some((it) => it.name === name && it.columns.length === 1 && it.columns[0]!.name === numbered)
  }
  const isOurs = (name: string): boolean =>
    plan.declaration.indexes.some((it) => toIndexName(it.name, plan) === name) ||
    context.dropsIndex(table.tableName, name) ||
    table.foreignKeys.some((it) => it.name === name) ||
    isCounter(name)
  return indexes.filter((it) => it.column === column && !isOurs(it.name)).map((it) => it.name)
}
