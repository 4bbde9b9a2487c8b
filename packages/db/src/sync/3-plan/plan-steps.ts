/** Turns differences into steps: counts the affected rows, and asks for consent if a step needs it. */
import type { Session } from '../../contract/adapter.ts'
import type { RowQuery } from '../../contract/row-query.ts'
import type { SyncProblem } from '../../contract/sync-problem.ts'
import { declaredNameOf } from '../../values/table-name.ts'
import { recordLabel, type TableRecord } from '../1-read/metadata-table.ts'
import type { SyncContext } from '../1-read/sync-context.ts'
import type { DatabaseDifference, Difference, TableDifference } from '../2-diff/difference.ts'
import { isOptionalOnInsert } from '../2-diff/kept-parts.ts'
import { checkValues } from './check-values.ts'
import { classOf, consentOf, describeStep, type StepDifference } from './describe-step.ts'
import { describeRename, detectRenamedColumn, findAddedMatch } from './detect-renamed-column.ts'
import { measure } from './measure.ts'
import type { CountRows, MeasureContext } from './measurement.ts'
import { type SyncStep, stepClasses } from './steps.ts'
import type { SyncPlan, SyncWarning } from './sync-plan.ts'

export async function planSteps(
  { tables, dropped, problems: found }: DatabaseDifference,
  session: Session,
  { supports, allow }: Pick<SyncContext, 'supports' | 'allow'>,
): Promise<Pick<SyncPlan, 'steps' | 'problems' | 'warnings'>> {
  const countRows = cacheCounts(session)
  const problems: SyncProblem[] = [...found]
  const steps: SyncStep[] = []
  const warnings: SyncWarning[] = []
  for (const table of tables) {
    const fail = (message: string | undefined): void => {
      if (message !== undefined) problems.push({ table: declaredNameOf(table.plan), message })
    }
    for (const difference of table.differences) {
      if (difference.kind === 'checkValues') {
        const { problem, warning } = await checkValues(difference, table, session)
        fail(problem)
        if (warning) warnings.push(warning)
        continue
      }
      const { step, problem } = await planStep(difference, table, { countRows, session, supports, allow, all: tables })
      fail(problem)
      if (!isEmpty(step)) steps.push(step)
    }
  }
  for (const record of dropped) steps.push(await planDrop(record, countRows))
  problems.push(...ambiguousConsents(steps))
  return { steps: [...schemaSteps(tables), ...steps], problems, warnings }
}

/** Several steps ask for the same counts. */
function cacheCounts(session: Session): CountRows {
  const counts = new Map<string, number>()
  return async (query: RowQuery): Promise<number> => {
    const key = JSON.stringify(query)
    const count = counts.get(key) ?? (await session.countRows(query))
    counts.set(key, count)
    return count
  }
}

/** Differences that depend on rows need no step if no row is affected. */
function isEmpty({ kind, touches: { nulls = 0, values = 0 } }: SyncStep): boolean {
  return (kind === 'requireInObject' && nulls === 0) || (kind === 'requireObject' && values === 0)
}

/** `drop auth.users` can mean a column of table `auth` or a table in schema `auth`. One consent must not allow both. */
function ambiguousConsents(steps: readonly SyncStep[]): SyncProblem[] {
  const consented = steps.filter((it) => it.consent !== undefined && it.isAllowed)
  return consented.flatMap(({ table, consent, description }, index) => {
    const other = consented.slice(0, index).find((it) => it.consent === consent)
    if (!other) return []
    const both = `'${consent}' would allow sync both to ${other.description} and to ${description}`
    return [{ table, message: `${both}: drop one of them by hand` }]
  })
}

function schemaSteps(tables: readonly TableDifference[]): SyncStep[] {
  const placed = tables.filter(({ differences }) =>
    differences.some((it) => it.kind === 'createTable' || it.kind === 'renameTable'),
  )
  const schemas = new Set(placed.flatMap((it) => it.plan.tableName.schema ?? []))
  return [...schemas].map((schema) => ({
    kind: 'createSchema',
    class: 'additive',
    table: schema,
    name: schema,
    description: `create schema ${schema} if it does not exist`,
    isAllowed: true,
    touches: {},
    precheck: [],
    postcheck: { table: schema, is: 'there' },
  }))
}

async function planDrop(record: TableRecord, countRows: CountRows): Promise<SyncStep> {
  const table = recordLabel(record)
  const rows = await countRows({ kind: 'rows', tableName: record.snapshot.tableName })
  return {
    kind: 'dropTable',
    class: 'destructive',
    table,
    name: table,
    description: `drop table ${table}`,
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
  context: MeasureContext,
): Promise<{ step: SyncStep; problem: string | undefined }> {
  const { touches, precheck, problem } = await measure(difference, table, context)
  const stepClass = classOf(difference, touches, table)
  const { name, description, postcheck } = describeStep(difference, table.plan)
  const label = declaredNameOf(table.plan)
  const isMove = difference.kind === 'renameTable' && difference.movedFrom !== undefined
  const former = difference.kind === 'addColumn' ? await detectRenamedColumn(difference, table, context) : undefined
  // A drop that the caller allowed by name shows that consent.
  const isNamed = ['dropIndex', 'dropForeignKey'].includes(difference.kind) && context.allow.has(`drop ${name}`)
  const needsConsent = stepClasses[stepClass].needsConsent || isMove || isNamed || former !== undefined
  const consent = needsConsent ? consentOf(difference, stepClass, name) : undefined
  const rename = former ?? findAddedMatch(difference, table)
  const hint = rename ? describeRename(rename, table) : hintOf(difference, table)
  const step: SyncStep = {
    kind: difference.kind,
    class: stepClass,
    table: label,
    name,
    description,
    ...(consent !== undefined && { consent }),
    isAllowed: consent === undefined || context.allow.has(consent),
    ...(hint !== undefined && { hint }),
    ...(rename && consent !== undefined && { suspected: 'rename' as const, former: `${label}.${rename.from}` }),
    touches,
    precheck,
    postcheck,
  }
  return { step, problem }
}

function hintOf(difference: Difference, { plan }: TableDifference): string | undefined {
  if (difference.kind === 'renameTable' && difference.movedFrom !== undefined) {
    return `if \`${difference.movedFrom}\` belongs to another program, rename the interface \`${plan.name}\``
  }
  const isRequired = difference.kind === 'dropColumn' && !isOptionalOnInsert(difference.before)
  return isRequired ? 'it is required but no longer declared, so every insert would fail' : undefined
}
