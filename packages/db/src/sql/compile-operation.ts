import type {
  Assignment,
  CountOperation,
  DeleteOperation,
  Filter,
  FindOperation,
  InsertOperation,
  Operation,
  UpdateOperation,
  UpsertOperation,
} from '../contract/operation.ts'
import type { PlanColumn, TablePlan } from '../contract/table-plan.ts'
import { MAX_INTEGER } from '../values/limits.ts'
import { compileFilter } from './compile-filter.ts'
import { type Dialect, quoteTableName } from './dialect.ts'
import { ParameterList, type Statement } from './statement.ts'

/** Compiles an operation. Names come from its plan and values become parameters; nothing else reaches the text. */
export function compileOperation(operation: Operation, dialect: Dialect): Statement {
  const parameters = new ParameterList(dialect.placeholder)
  const context: Context = {
    dialect,
    parameters,
    nameOf: ({ name }) => dialect.quoteName(name),
    placeOf: ({ tableName }) => quoteTableName(tableName, dialect.quoteName),
  }
  const statement = parameters.finish(compileText(operation, context))
  return operation.kind === 'find' && dialect.inlinesLimits ? inlineLimits(statement, operation, dialect) : statement
}

/** Appends limit and offset to the text as integers instead of passing them as parameters. */
function inlineLimits(statement: Statement, { limit, offset }: FindOperation, { noLimit }: Dialect): Statement {
  if (limit === undefined && offset === undefined) return statement
  const { size, bind = (params: readonly unknown[]) => params.slice(0, size) } = statement
  const tail = (params: readonly unknown[]): string =>
    [
      limit === undefined ? ` ${noLimit}` : ` LIMIT ${wholeNumber(params[limit])}`,
      offset === undefined ? '' : ` OFFSET ${wholeNumber(params[offset])}`,
    ].join('')
  return { ...statement, bind, tail }
}

/** Callers have checked the limits; this is the last guard before they become SQL text. */
function wholeNumber(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new TypeError('a limit is a whole number, 0 or more')
  return value as number
}

interface Context {
  readonly dialect: Dialect
  readonly parameters: ParameterList
  readonly nameOf: (column: PlanColumn) => string
  readonly placeOf: (plan: TablePlan) => string
}

function compileText(operation: Operation, context: Context): string {
  switch (operation.kind) {
    case 'find':
      return compileFind(operation, context)
    case 'count':
      return compileCount(operation, context)
    case 'insert':
      return compileInsert(operation, context)
    case 'update':
      return compileUpdate(operation, context)
    case 'delete':
      return compileDelete(operation, context)
    case 'upsert':
      return compileUpsert(operation, context)
  }
}

function compileFind(operation: FindOperation, context: Context): string {
  const { plan, columns, via, order, limit, offset } = operation
  const { dialect, parameters } = context
  const nameOf = via ? qualified(via.plan.columns, context) : context.nameOf
  const selected = [...columns, ...(via?.columns ?? [])].map(nameOf)
  const source = via ? compileJunction(operation, via, context) : context.placeOf(plan)
  const parts = [
    `SELECT ${selected.join(', ') || '1'} FROM ${source}${compileWhere(operation.filter, { ...context, nameOf })}`,
  ]
  if (order.length > 0) {
    const terms = order.map(({ column, direction }) => {
      const nulls = column.nullable ? dialect.orderNulls(direction) : ''
      return `${nameOf(column)}${direction === 'desc' ? ' DESC' : ''}${nulls}`
    })
    parts.push(`ORDER BY ${terms.join(', ')}`)
  }
  if (dialect.inlinesLimits) return parts.join(' ')
  if (limit !== undefined) parts.push(`LIMIT ${parameters.value(limit)}`)
  else if (offset !== undefined && dialect.noLimit !== '') parts.push(dialect.noLimit)
  if (offset !== undefined) parts.push(`OFFSET ${parameters.value(offset)}`)
  return parts.join(' ')
}

function compileJunction(
  { plan }: FindOperation,
  via: NonNullable<FindOperation['via']>,
  { dialect, nameOf, placeOf }: Context,
): string {
  const [j, t] = [dialect.quoteName('j'), dialect.quoteName('t')]
  const on = via.on.map(({ junction, target }) => `${j}.${nameOf(junction)} = ${t}.${nameOf(target)}`)
  return `${placeOf(via.plan)} AS ${j} JOIN ${placeOf(plan)} AS ${t} ON ${on.join(' AND ')}`
}

function qualified(junction: readonly PlanColumn[], { dialect, nameOf }: Context): (column: PlanColumn) => string {
  return (column) => `${dialect.quoteName(junction.includes(column) ? 'j' : 't')}.${nameOf(column)}`
}

function compileWhere(filter: Filter | undefined, context: Context): string {
  return filter ? ` WHERE ${compileFilter(filter, context)}` : ''
}

function compileCount({ plan, filter }: CountOperation, context: Context): string {
  return `SELECT count(*) FROM ${context.placeOf(plan)}${compileWhere(filter, context)}`
}

function compileInsert(operation: InsertOperation, { dialect, parameters, nameOf, placeOf }: Context): string {
  const { plan, columns, autoIncrement } = operation
  const next = autoIncrement && dialect.nextAutoIncrement(operation, autoIncrement)
  const names = columns.map(nameOf)
  const values = columns.map((_, index) => parameters.value(index))
  if (autoIncrement && next?.value !== undefined) {
    names.push(nameOf(autoIncrement))
    values.push(next.value)
  }
  const head = `INSERT INTO ${placeOf(plan)}`
  const returning = autoIncrement && next?.returning ? ` RETURNING ${nameOf(autoIncrement)}` : ''
  if (names.length === 0) return `${head} ${dialect.emptyRow}${returning}`
  return `${head} (${names.join(', ')}) VALUES (${values.join(', ')})${returning}`
}

function compileUpdate({ plan, set, filter }: UpdateOperation, context: Context): string {
  const assignments = set.map((it) => compileAssignment(it, context))
  return `UPDATE ${context.placeOf(plan)} SET ${assignments.join(', ')}${compileWhere(filter, context)}`
}

function compileAssignment(assignment: Assignment, { nameOf, parameters }: Context): string {
  const name = nameOf(assignment.column)
  return `${name} = ${assignment.kind === 'increment' ? raised(name) : parameters.value(assignment.slot)}`
}

/** Increments a version. Past the largest safe integer it is NULL, which the column refuses, so nothing is written. */
function raised(name: string): string {
  return `CASE WHEN ${name} < ${MAX_INTEGER} THEN ${name} + 1 END`
}

function compileDelete({ plan, filter }: DeleteOperation, context: Context): string {
  return `DELETE FROM ${context.placeOf(plan)}${compileWhere(filter, context)}`
}

function compileUpsert(
  { plan, columns, overwrite, version }: UpsertOperation,
  { dialect, parameters, nameOf, placeOf }: Context,
): string {
  const values = columns.map((_, index) => parameters.value(index))
  // In DO UPDATE an unqualified name is ambiguous, so the stored row's columns are qualified with the table.
  const stored = (column: PlanColumn): string => `${dialect.quoteName(plan.tableName.table)}.${nameOf(column)}`
  const set = overwrite.map((it) => `${nameOf(it)} = excluded.${nameOf(it)}`)
  if (version) set.push(`${nameOf(version.column)} = ${raised(stored(version.column))}`)
  // Without columns to overwrite, the update still has to find the row for RETURNING.
  if (set.length === 0) set.push(`${nameOf(plan.key[0]!)} = excluded.${nameOf(plan.key[0]!)}`)
  const condition =
    version?.slot === undefined ? '' : ` WHERE ${stored(version.column)} = ${parameters.value(version.slot)}`
  return [
    `INSERT INTO ${placeOf(plan)} (${columns.map(nameOf).join(', ')}) VALUES (${values.join(', ')})`,
    `ON CONFLICT (${plan.key.map(nameOf).join(', ')}) DO UPDATE SET ${set.join(', ')}${condition}`,
    `RETURNING ${plan.columns.map(nameOf).join(', ')}`,
  ].join(' ')
}
