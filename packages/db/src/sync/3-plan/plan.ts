/** Makes a plan of what differs: counts the rows that each step would touch, and asks for consent where it is needed. */

import type { Session } from '../../contract/adapter.ts'
import { type SyncProblem } from '../../contract/problem.ts'
import type { RowQuery } from '../../contract/row-query.ts'
import type { Capabilities } from '../../contract/storage.ts'
import { declaredNameOf } from '../../values/table-name.ts'
import type { TableRecord } from '../1-read/metadata-table.ts'
import { type DatabaseDifference, type Difference, recordLabel, type TableDifference } from '../2-diff/diff.ts'
import { canBeLeftOut, type Kept } from '../2-diff/kept.ts'
import { checkValues, type SyncWarning } from './check-values.ts'
import { classOf, consentOf, describeStep, type StepDifference } from './describe-step.ts'
import { type Asker, measure } from './measure.ts'
import { type SyncStep, stepClasses } from './steps.ts'

/** What a sync would do, as plain data. */
export interface SyncPlan {
  readonly steps: readonly SyncStep[]
  /** Why it would be refused, whatever is allowed. */
  readonly problems: readonly SyncProblem[]
  /** Rows that are there and would no longer fit what the declaration says of values. No reason to refuse. */
  readonly warnings: readonly SyncWarning[]
  /** What sync made, nothing declares any more, and stays until `allow` names it. */
  readonly kept: readonly Kept[]
  /** The tables among it: `drop <table>` drops them. */
  readonly leftovers: readonly string[]
}

/** Counts what the steps would touch. Nothing is changed. */
export async function planSteps(
  { tables, dropped, problems }: DatabaseDifference,
  session: Session,
  supports: Capabilities,
  allow: ReadonlySet<string>,
): Promise<Omit<SyncPlan, 'leftovers' | 'kept'>> {
  const answers = new Map<string, number>()
  const ask = async (query: RowQuery): Promise<number> => {
    const text = JSON.stringify(query)
    const known = answers.get(text) ?? (await session.countRows(query))
    answers.set(text, known)
    return known
  }
  const found: SyncProblem[] = [...problems]
  const steps: SyncStep[] = []
  const warnings: SyncWarning[] = []
  const schemas = new Set<string>()
  for (const table of tables) {
    const { schema } = table.plan.tableName
    const isMoved = table.differences.some((it) => it.kind === 'createTable' || it.kind === 'renameTable')
    if (schema !== undefined && isMoved) schemas.add(schema)
    for (const difference of table.differences) {
      if (difference.kind === 'checkValues') {
        const { problem, warning } = await checkValues(difference, table, session)
        if (problem !== undefined) found.push({ table: declaredNameOf(table.plan), message: problem })
        if (warning) warnings.push(warning)
        continue
      }
      const planned = await planStep(difference, table, { ask, session, supports, allow, all: tables })
      if (planned.problem !== undefined) found.push({ table: declaredNameOf(table.plan), message: planned.problem })
      if (!isIdle(planned.step)) steps.push(planned.step)
    }
  }
  for (const record of dropped) steps.push(await planDrop(record, ask))
  found.push(...ambiguousConsents(steps))
  return { steps: [...[...schemas].map(schemaStep), ...steps], problems: found, warnings }
}

/** What only rows can show needs no step where there are none. */
function isIdle({ kind, touches: { nulls = 0, values = 0 } }: SyncStep): boolean {
  return (kind === 'requireInside' && nulls === 0) || (kind === 'makeObject' && values === 0)
}

/** `drop auth.users` is a column of `auth`, and a table of the schema `auth`: who allows one must not lose the other. */
function ambiguousConsents(steps: readonly SyncStep[]): SyncProblem[] {
  const asking = steps.filter((it) => it.consent !== undefined && it.isAllowed)
  return asking.flatMap(({ table, consent, told }, index) => {
    const other = asking.slice(0, index).find((it) => it.consent === consent)
    if (!other) return []
    const both = `'${consent}' would allow to ${other.told} as well as to ${told}`
    return [{ table, message: `${both}: drop one of them by hand` }]
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
  const rows = await ask({ kind: 'rows', tableName: record.snapshot.tableName })
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
  difference: StepDifference,
  table: TableDifference,
  asker: Asker,
): Promise<{ step: SyncStep; problem: string | undefined }> {
  const { touches, precheck, problem } = await measure(difference, table, asker)
  const stepClass = classOf(difference, touches, table)
  const { name, told, postcheck } = describeStep(difference, table.plan)
  const isMove = difference.kind === 'renameTable' && difference.movedFrom !== undefined
  const former = difference.kind === 'addColumn' ? await findRenamed(difference, table, asker) : undefined
  // What was allowed by name is known by it.
  const isNamed = ['dropIndex', 'dropForeignKey'].includes(difference.kind) && asker.allow.has(`drop ${name}`)
  const needsConsent = stepClasses[stepClass].needsConsent || isMove || isNamed || former !== undefined
  const consent = needsConsent ? consentOf(difference, stepClass, name) : undefined
  const twin = former ?? twinOf(difference, table)
  const hint = twin ? askRenamed(twin, table) : hintOf(difference, table)
  const step: SyncStep = {
    kind: difference.kind,
    class: stepClass,
    table: declaredNameOf(table.plan),
    name,
    told,
    ...(consent !== undefined && { consent }),
    isAllowed: consent === undefined || asker.allow.has(consent),
    ...(hint !== undefined && { hint }),
    ...(twin &&
      consent !== undefined && { suspected: 'rename' as const, former: `${declaredNameOf(table.plan)}.${twin.from}` }),
    touches,
    precheck,
    postcheck,
  }
  return { step, problem }
}

function hintOf(difference: Difference, { plan }: TableDifference): string | undefined {
  if (difference.kind === 'renameTable' && difference.movedFrom !== undefined) {
    return `if \`${difference.movedFrom}\` is another program's, call the interface something else than \`${plan.name}\``
  }
  const isNeeded = difference.kind === 'dropColumn' && !canBeLeftOut(difference.before)
  return isNeeded ? 'nothing declares it any more, and no record could be stored without a value in it' : undefined
}

/** A column that may have got another name. */
interface Renamed {
  readonly from: string
  readonly to: string
}

function askRenamed({ from, to }: Renamed, { plan }: TableDifference): string {
  return `did you mean \`@db.column.renamed '${from}'\` on \`${to}\` of \`${plan.name}\`?`
}

/** A column that goes while one of its type comes. */
function twinOf(difference: Difference, { differences }: TableDifference): Renamed | undefined {
  if (difference.kind !== 'dropColumn') return undefined
  const { name, storage, type } = difference.before
  const added = differences.flatMap((it) => (it.kind === 'addColumn' ? [it.after] : []))
  const twin = added.find((it) => it.type === type && it.storage === storage)
  return twin && { from: name, to: twin.name }
}

/**
 * A column that comes while one of its type, which has values, is no longer declared: its values would be out of
 * sight. One that was not declared at the sync before either has stayed for another reason.
 */
async function findRenamed(
  { after, column }: Extract<Difference, { kind: 'addColumn' }>,
  { kept, record, before }: TableDifference,
  { ask }: Asker,
): Promise<Renamed | undefined> {
  for (const part of kept) {
    if (part.kind !== 'column' || record?.facts?.kept.includes(part.column.name)) continue
    const { name, type, storage } = part.column
    if (type !== after.type || storage !== after.storage) continue
    const tableName = before!.tableName
    const values = (await ask({ kind: 'rows', tableName })) - (await ask({ kind: 'nulls', tableName, column: name }))
    if (values > 0) return { from: name, to: column.name }
  }
  return undefined
}
