/** Makes a plan of what differs: counts the rows that each step would touch, and asks for consent where it is needed. */
import type { ForeignKey } from '@portico/schema/model'
import type { Abilities, Session } from '../adapter.ts'
import { defaultOf, encodeColumn } from '../row-mapping.ts'
import type { PlanColumn } from '../table-plan.ts'
import { classifyConversion } from './convert.ts'
import { classOf, consentOf, describeStep } from './describe-step.ts'
import { type DatabaseDifference, type Difference, recordLabel, type TableDifference } from './diff.ts'
import { labelOf, type SyncProblem } from './match.ts'
import type { Question } from './question.ts'
import { countRows, tellOrphans } from './refuse.ts'
import type { TableRecord } from './registry.ts'
import { isSamePlace } from './snapshot.ts'
import { type Precheck, type SyncStep, stepClasses, type Touches } from './steps.ts'

/** What a sync would do, as plain data. */
export interface SyncPlan {
  readonly steps: readonly SyncStep[]
  /** Why it would be refused, whatever is allowed. */
  readonly problems: readonly SyncProblem[]
  /** Tables that sync made and nothing declares any more: `drop <table>` drops them. */
  readonly leftovers: readonly string[]
}

interface Asker {
  readonly ask: (question: Question) => Promise<number>
  readonly can: Abilities
  readonly allow: ReadonlySet<string>
  readonly all: readonly TableDifference[]
}

/** Counts what the steps would touch. Nothing is changed. */
export async function planSteps(
  { tables, dropped, problems }: DatabaseDifference,
  session: Session,
  can: Abilities,
  allow: ReadonlySet<string>,
): Promise<Omit<SyncPlan, 'leftovers'>> {
  const answers = new Map<string, number>()
  const ask = async (question: Question): Promise<number> => {
    const text = JSON.stringify(question)
    const known = answers.get(text) ?? (await session.ask(question))
    answers.set(text, known)
    return known
  }
  const found: SyncProblem[] = [...problems]
  const steps: SyncStep[] = []
  const schemas = new Set<string>()
  for (const table of tables) {
    const { schema } = table.plan.place
    const isMoved = table.differences.some((it) => it.kind === 'createTable' || it.kind === 'renameTable')
    if (schema !== undefined && isMoved && !schemas.has(schema)) schemas.add(schema)
    for (const difference of table.differences) {
      const planned = await planStep(difference, table, { ask, can, allow, all: tables })
      steps.push(planned.step)
      if (planned.problem !== undefined) found.push({ table: labelOf(table.plan), told: planned.problem })
    }
  }
  for (const record of dropped) steps.push(await planDrop(record, ask))
  found.push(...ambiguousConsents(steps))
  return { steps: [...[...schemas].map(schemaStep), ...steps], problems: found }
}

/** `drop auth.users` is a column of `auth`, and a table of the schema `auth`: who allows one must not lose the other. */
function ambiguousConsents(steps: readonly SyncStep[]): SyncProblem[] {
  const asking = steps.filter((it) => it.consent !== undefined && it.isAllowed)
  return asking.flatMap(({ table, consent, told }, index) => {
    const other = asking.slice(0, index).find((it) => it.consent === consent)
    if (!other) return []
    const both = `'${consent}' would allow to ${other.told} as well as to ${told}`
    return [{ table, told: `${both}: drop one of them by hand` }]
  })
}

function schemaStep(schema: string): SyncStep {
  return {
    kind: 'createSchema',
    class: 'additive',
    table: schema,
    name: schema,
    told: `create schema ${schema} where there is none`,
    isAllowed: true,
    touches: {},
    precheck: [],
    postcheck: { table: schema, is: 'there' },
  }
}

async function planDrop(record: TableRecord, ask: Asker['ask']): Promise<SyncStep> {
  const table = recordLabel(record)
  const rows = await ask({ ask: 'rows', place: record.snapshot.place })
  return {
    kind: 'dropTable',
    class: 'destructive',
    table,
    name: table,
    told: `drop table ${table}`,
    consent: `drop ${table}`,
    isAllowed: true,
    touches: { rows, values: rows * record.snapshot.columns.length },
    precheck: [],
    postcheck: { table, is: 'gone' },
  }
}

async function planStep(
  difference: Difference,
  table: TableDifference,
  asker: Asker,
): Promise<{ step: SyncStep; problem: string | undefined }> {
  const { touches, precheck, problem } = await measure(difference, table, asker)
  const stepClass = classOf(difference, touches)
  const { name, told, postcheck } = describeStep(difference, table.plan)
  const isMove = difference.kind === 'renameTable' && difference.movedFrom !== undefined
  const consent = stepClasses[stepClass].needsConsent || isMove ? consentOf(difference, stepClass, name) : undefined
  const hint = hintOf(difference, table)
  const step: SyncStep = {
    kind: difference.kind,
    class: stepClass,
    table: labelOf(table.plan),
    name,
    told,
    ...(consent !== undefined && { consent }),
    isAllowed: consent === undefined || asker.allow.has(consent),
    ...(hint !== undefined && { hint }),
    touches,
    precheck,
    postcheck,
  }
  return { step, problem }
}

interface Measured {
  readonly touches: Touches
  readonly precheck: readonly Precheck[]
  readonly problem?: string
}

const untouched: Measured = { touches: {}, precheck: [] }

async function measure(difference: Difference, table: TableDifference, asker: Asker): Promise<Measured> {
  const { plan, before } = table
  if (!before) return untouched
  const rows = await asker.ask({ ask: 'rows', place: before.place })
  const rebuild = needsRebuild(difference, asker.can) ? { rebuild: rows } : {}
  switch (difference.kind) {
    case 'addColumn': {
      const touches = { rows, ...rebuild }
      if (difference.after.nullable || fillOf(difference.column) !== undefined) return { touches, precheck: [] }
      const told = `column \`${difference.column.name}\` is required and has no default, and there are rows (${rows}) that would have no value. Declare it optional, sync, fill it in, and require it then; or declare a @db.default`
      return checked('rows', rows, touches, told)
    }
    case 'requireColumn':
      return measureRequired(difference, table, asker, { rows, ...rebuild })
    case 'changeType': {
      const question = unfitQuestion(difference, table)
      const unfit = question ? await asker.ask(question) : 0
      const told = `column \`${difference.column.name}\` has ${unfit} ${unfit === 1 ? 'value' : 'values'} that cannot be kept exactly as ${difference.after.storage}: change or clear them first`
      return checked('unfit', unfit, { rows, ...rebuild }, told)
    }
    case 'dropColumn': {
      const nulls = await asker.ask({ ask: 'nulls', place: before.place, column: difference.before.name })
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
    default:
      return { touches: { rows, ...rebuild }, precheck: [] }
  }
}

/** How many values would have to be rounded or cut, where some might. */
export function unfitQuestion(
  { before, after, column }: Extract<Difference, { kind: 'changeType' }>,
  table: TableDifference,
): Question | undefined {
  const conversion = classifyConversion(before, after)
  // Text stays text, but may have less room.
  if (conversion === 'impossible' || (conversion === 'same' && before.type === after.type)) return undefined
  const from = { ...before, name: presentName(table, column) }
  return { ask: 'unfit', place: table.before!.place, from, to: after }
}

function checked(ask: Question['ask'], found: number, touches: Touches, told: string): Measured {
  const precheck = [{ ask, found, holds: found === 0 }]
  return { touches, precheck, ...(found > 0 && { problem: told }) }
}

async function measureRequired(
  { column }: Extract<Difference, { kind: 'requireColumn' }>,
  table: TableDifference,
  { ask }: Asker,
  touches: Touches,
): Promise<Measured> {
  const nulls = await ask({ ask: 'nulls', place: table.before!.place, column: presentName(table, column) })
  const told = `column \`${column.name}\` is declared as required and is NULL in ${nulls} of ${touches.rows} rows: fill them in, declare it optional, or declare a @db.default`
  // Without a default there is nothing to consent to.
  if (fillOf(column) === undefined) return checked('nulls', nulls, touches, told)
  // A declared default is no invention: with consent, it stands in for NULL.
  const { precheck } = checked('nulls', nulls, touches, told)
  return { touches: { ...touches, nulls }, precheck }
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
  if (columns.length === 0 || added.some((it) => fillOf(it) === undefined)) return undefined
  // All rows get the same value in a column that is not there yet.
  if (present.length === 0) return Math.max(rows - 1, 0)
  return ask({ ask: 'duplicates', place: table.before!.place, columns: present })
}

async function measureOrphans(
  { foreignKey }: Extract<Difference, { kind: 'addForeignKey' }>,
  table: TableDifference,
  { ask, all, can }: Asker,
  touches: Touches,
): Promise<Measured> {
  const wanted = table.target.foreignKeys.find((it) => it.name === foreignKey.constraint)!
  const other = all.find((it) => isSamePlace(it.plan.place, wanted.place))
  const declared = foreignKey.paths.map((path) => table.plan.byPath.get(path)!)
  const here = declared.map((it) => findSame(table, it))
  const there = foreignKey.references.paths.map((path) => other && findSame(other, other.plan.byPath.get(path)))
  if (other && !other.before && here.length === 1 && here[0]) {
    const nulls = await ask({ ask: 'nulls', place: table.before!.place, column: here[0].name })
    return checkOrphans(foreignKey, touches.rows! - nulls, touches)
  }
  const isComparable = other?.before && here.every((it, index) => it && there[index]?.type === it.type)
  // Where the engine itself looks, it does so when the key is added. A table that is not listed stays as it is.
  const isStaying = here.every((it, index) => it && (other || it.type === declared[index]!.storage.type))
  const isUnseen = !can.foreignKeys && !other?.before && isStaying
  if (!isComparable && !isUnseen) return { touches, precheck: [] }
  const orphans = await ask({
    ask: 'orphans',
    place: table.before!.place,
    columns: here.map((it) => it!.name),
    target: other?.before?.place ?? wanted.place,
    references: there.map((it, index) => it?.name ?? wanted.references[index]!),
  })
  return checkOrphans(foreignKey, orphans, touches)
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

/** What rows that are there get in a column that they do not have: a declared literal, or where versions begin. */
export function fillOf(column: PlanColumn): unknown {
  const isDeclared = column.model.default?.kind === 'value' || column.model.generated === 'version'
  return isDeclared ? encodeColumn(column, defaultOf(column, 0)) : undefined
}

/** Whether an engine that cannot change columns in place has to make the table anew for it. */
export function needsRebuild(difference: Difference, { alterColumn }: Abilities): boolean {
  if (alterColumn) return false
  switch (difference.kind) {
    // In place a required column needs a default in the table itself, which a version has not.
    case 'addColumn':
      return !difference.after.nullable && difference.after.default === undefined
    case 'changeType':
      return difference.before.type !== difference.after.type
    case 'requireColumn':
    case 'relaxColumn':
    case 'changeDefault':
    case 'changeCounting':
    case 'dropColumn':
    case 'changeKey':
    case 'addForeignKey':
    case 'dropForeignKey':
      return true
    default:
      return false
  }
}

function hintOf(difference: Difference, { plan, differences }: TableDifference): string | undefined {
  if (difference.kind === 'renameTable' && difference.movedFrom !== undefined) {
    return `if \`${difference.movedFrom}\` is another program's, call the interface something else than \`${plan.name}\``
  }
  if (difference.kind !== 'dropColumn') return undefined
  const { name, storage, type } = difference.before
  const added = differences.flatMap((it) => (it.kind === 'addColumn' ? [it.after] : []))
  const twin = added.find((it) => it.type === type && it.storage === storage)
  return twin && `did you mean \`@db.column.renamed '${name}'\` on \`${twin.name}\` of \`${plan.name}\`?`
}
