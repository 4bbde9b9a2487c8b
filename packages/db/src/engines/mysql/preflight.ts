/**
 * What would go wrong in the middle of a sync, whose steps cannot be taken back: a statement that the server would
 * refuse, and things of others that it would drop or break together with a column.
 */
import type { ForeignKey } from '@portico/schema/model'
import type { AlterColumn, TableChange } from '../../contract/change.ts'
import { type PlanColumn, type TableName, type TablePlan } from '../../contract/plan.ts'
import { type SyncProblem } from '../../contract/problem.ts'
import { formerTableName, tableNameOf } from '../../sync/4-apply/change-place.ts'
import { declaredNameOf, formatTableName, toIndexName, toTableName } from '../../values/table-name.ts'
import { needsConversion } from './convert.ts'
import { lookAround, mentions, nameIn, type Scene, type SceneTools } from './dependents.ts'

type Of<Kind extends TableChange['kind']> = Extract<TableChange, { readonly kind: Kind }>

export async function preflightMysql(
  changes: readonly TableChange[],
  tools: SceneTools,
): Promise<readonly SyncProblem[]> {
  const nameOf = nameIn(tools)
  const former = (change: TableChange): TableName => formerTableName(tableNameOf(change)!, changes)
  const tableNames = changes.filter((it) => changesWhatIsThere.has(it.kind)).map(former)
  const scenes = await lookAround([...new Map(tableNames.map((it) => [nameOf(it), it])).values()], tools)
  const problems: SyncProblem[] = []
  for (const change of changes) {
    const tableName = tableNameOf(change)
    const told = [...refusalsOf(change), ...(await refuseLinks(change, changes, tools))]
    const scene = changesWhatIsThere.has(change.kind) ? scenes.get(nameOf(former(change))) : undefined
    if (scene) told.push(...troubles(change, scene, new Context(changes, nameOf)))
    const table =
      'plan' in change ? declaredNameOf(change.plan) : formatTableName(tableName ?? { schema: undefined, table: '' })
    problems.push(...told.map((it) => ({ table, message: it })))
  }
  return problems
}

const changesWhatIsThere: ReadonlySet<TableChange['kind']> = new Set([
  'dropColumn',
  'renameColumn',
  'alterColumn',
  'fillColumn',
  'dropKey',
  'dropTable',
  'renameTable',
] as const)

/** The other changes, which a change relies on. */
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

  /** Whether sync drops a foreign key, or its table, before it could be in the way. */
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

/** How many bytes an index may have. */
const MOST_BYTES = 3072

/** What the server would refuse, or take and not do, whatever is there. */
function* refusalsOf(change: TableChange): Iterable<string> {
  if (change.kind === 'createTable') yield* change.foreignKeys.flatMap(refuseSetDefault)
  if (change.kind === 'addForeignKey') yield* refuseSetDefault(change.foreignKey)
  if (change.kind === 'createTable' || change.kind === 'addKey') yield* refuseLong('the key', change.plan.key)
  if (change.kind !== 'createIndex') return
  const { plan, index } = change
  yield* refuseLong(
    `the index \`${toIndexName(index.name, plan)}\``,
    index.columns.map((it) => plan.byPath.get(it.path)!),
  )
}

/** InnoDB takes the words, or refuses them, but never does what they say. */
function refuseSetDefault({ constraint, onDelete, onUpdate }: ForeignKey): string[] {
  const isRefused = onDelete === 'setDefault' || onUpdate === 'setDefault'
  return isRefused ? [`foreign key \`${constraint}\`: MySQL has no \`setDefault\``] : []
}

/** Only tables of InnoDB that are in one piece can refer to others, or be referred to. */
async function refuseLinks(
  change: TableChange,
  changes: readonly TableChange[],
  { read }: SceneTools,
): Promise<string[]> {
  const links = change.kind === 'addForeignKey' ? [change.foreignKey] : []
  if (change.kind === 'createTable') links.push(...change.foreignKeys)
  const told = new Set<string>()
  for (const { constraint, references } of links) {
    for (const tableName of [tableNameOf(change)!, toTableName(references, true)]) {
      const { schema = null, table } = formerTableName(tableName, changes)
      const [found] = (await read(kindText, [schema, table])) as [engine: string, isPartitioned: number][]
      const kind = found?.[1] ? 'is partitioned' : found && found[0] !== 'InnoDB' ? `is of ${found[0]}` : undefined
      if (kind) told.add(`foreign key \`${constraint}\`: table \`${table}\` ${kind}, which allows no foreign keys`)
    }
  }
  return [...told]
}

const kindText = `
SELECT ENGINE, CREATE_OPTIONS LIKE '%partitioned%' FROM information_schema.TABLES
WHERE TABLE_SCHEMA = coalesce(?, database()) AND TABLE_NAME = ? AND ENGINE IS NOT NULL`

function refuseLong(what: string, columns: readonly PlanColumn[]): string[] {
  const size = columns.reduce((sum, it) => sum + sizeOf(it.storage.type), 0)
  if (size <= MOST_BYTES) return []
  return [`${what} would take ${size} bytes, and ${MOST_BYTES} are the most: leave a text out of it, which takes 1020`]
}

/** How many bytes of an index a column takes. */
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

/** What a change would do to things of others. */
function troubles(change: TableChange, scene: Scene, context: Context): string[] {
  switch (change.kind) {
    case 'dropColumn':
      return loseColumn(change.plan, context.formerColumn(change.plan, change.column), scene, context)
    case 'renameColumn':
      return breakReaders(change.from, scene, true)
    case 'alterColumn':
      return alterColumn(change, scene, context)
    case 'fillColumn':
      return scene.triggers.filter((it) => it.event === 'UPDATE').map((it) => tellRunning(it.name))
    case 'dropKey':
      return holders(scene, context)
    case 'dropTable':
      return [...holders(scene, context), ...scene.views.map(tellBroken('view'))]
    case 'renameTable': {
      const isMoved = change.from.schema !== change.to.schema
      const triggers = isMoved ? scene.triggers.map(({ name }) => tellGone('trigger', name, 'its table')) : []
      return [...scene.views.map(tellBroken('view')), ...triggers]
    }
    default:
      return []
  }
}

const tellGone = (kind: string, name: string, what = 'a column'): string =>
  `the ${kind} \`${name}\`, which sync did not make, would go with ${what}: drop it first`

const tellRunning = (name: string): string =>
  `the trigger \`${name}\` would run for every row that is converted or filled: drop it first`

const tellBroken =
  (kind: string) =>
  ({ name }: { readonly name: string }): string =>
    `the ${kind} \`${name}\` would no longer work: drop it first, and make it again after the sync`

function loseColumn(plan: TablePlan, column: string, scene: Scene, context: Context): string[] {
  return [
    ...strangeIndexes(plan, column, scene, context).map((it) => tellGone('index', it)),
    ...scene.table.checks.filter((it) => mentions(it.clause, column)).map((it) => tellGone('constraint', it.name)),
    ...holders(scene, context, column),
    ...breakReaders(column, scene, false),
  ]
}

/** Views, triggers and computed columns that name a column. */
function breakReaders(
  column: string,
  { views, triggers, computed, table, isMariadb }: Scene,
  isRenamed: boolean,
): string[] {
  // MariaDB gives rules the new name, MySQL refuses to.
  const checks = isRenamed && !isMariadb ? table.checks : []
  return [
    ...views.filter((it) => mentions(it.text, column)).map(tellBroken('view')),
    ...triggers.filter((it) => mentions(it.text, column)).map(tellBroken('trigger')),
    ...computed.filter((it) => mentions(it.text, column)).map(tellBroken('column')),
    ...checks.filter((it) => mentions(it.clause, column)).map(tellBroken('constraint')),
  ]
}

function alterColumn(change: AlterColumn, scene: Scene, context: Context): string[] {
  const { plan, before, after, fill } = change
  const column = context.formerColumn(plan, change.column.name)
  const isConverted = needsConversion(before, after)
  const isOther = before.type !== after.type
  const isUnbound = isOther && after.type === 'LONGTEXT' && !before.type.includes('TEXT')
  const rules = scene.table.checks.filter((it) => (it.isOfColumn || isConverted) && mentions(it.clause, column))
  const indexes = isConverted || isUnbound ? strangeIndexes(plan, column, scene, context) : []
  const updates = isConverted || fill !== undefined ? scene.triggers.filter((it) => it.event === 'UPDATE') : []
  return [
    ...rules.map((it) => tellGone('constraint', it.name)),
    ...indexes.map((it) => `the index \`${it}\`, which sync did not make, cannot hold ${after.type}: drop it first`),
    ...updates.map((it) => tellRunning(it.name)),
    ...(isOther ? holders(scene, context, column) : []),
    ...(isOther ? scene.computed.filter((it) => mentions(it.text, column)).map(tellBroken('column')) : []),
  ]
}

/** Foreign keys of others that hold a column, or, without one, the table. */
function holders({ table, referrers }: Scene, context: Context, column?: string): string[] {
  const own = column === undefined ? [] : table.foreignKeys.filter((it) => it.columns.includes(column))
  const held = [
    ...own.map((it) => ({ tableName: table.tableName, name: it.name! })),
    ...referrers.filter((it) => column === undefined || it.column === column),
  ].filter((it) => !context.releases(it.tableName, it.name))
  const told = held.map(({ tableName, name }) => `\`${name}\` of \`${formatTableName(tableName)}\``)
  return [...new Set(told)].map((it) => `the foreign key ${it}, which sync did not make, is in the way: drop it first`)
}

/** Indexes over a column that sync neither made nor drops. The server makes one for each foreign key and counter. */
function strangeIndexes(plan: TablePlan, column: string, { table, indexes }: Scene, context: Context): string[] {
  const isCounter = (name: string): boolean => {
    const counted = table.columns.find((it) => it.autoIncrement)?.name
    return table.indexes.some((it) => it.name === name && it.columns.length === 1 && it.columns[0]!.name === counted)
  }
  const isOurs = (name: string): boolean =>
    plan.declaration.indexes.some((it) => toIndexName(it.name, plan) === name) ||
    context.dropsIndex(table.tableName, name) ||
    table.foreignKeys.some((it) => it.name === name) ||
    isCounter(name)
  return indexes.filter((it) => it.column === column && !isOurs(it.name)).map((it) => it.name)
}
