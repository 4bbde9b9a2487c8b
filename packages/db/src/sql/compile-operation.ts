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
} from '../operation.ts'
import type { PlanColumn } from '../table-plan.ts'
import { compileFilter } from './compile-filter.ts'
import { type Dialect, quoteName, quotePlace } from './dialect.ts'
import { ParameterList, type Statement } from './statement.ts'

/** The statement of an operation. Names come from its plan, values become parameters: nothing else reaches the text. */
export function compileOperation(operation: Operation, dialect: Dialect): Statement {
  const parameters = new ParameterList(dialect.placeholder)
  return parameters.finish(compileText(operation, { dialect, parameters }))
}

interface Context {
  readonly dialect: Dialect
  readonly parameters: ParameterList
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
  const nameOf = via ? qualified(via.plan.columns) : bareName
  const selected = [...columns, ...(via?.columns ?? [])].map(nameOf)
  const source = via ? compileJunction(operation, via) : quotePlace(plan.place)
  const parts = [
    `SELECT ${selected.join(', ') || '1'} FROM ${source}${compileWhere(operation.filter, context, nameOf)}`,
  ]
  if (order.length > 0) {
    const terms = order.map(({ column, direction }) => {
      const nulls = column.nullable ? dialect.orderNulls(direction) : ''
      return `${nameOf(column)}${direction === 'desc' ? ' DESC' : ''}${nulls}`
    })
    parts.push(`ORDER BY ${terms.join(', ')}`)
  }
  if (limit !== undefined) parts.push(`LIMIT ${parameters.value(limit)}`)
  else if (offset !== undefined && dialect.noLimit !== '') parts.push(dialect.noLimit)
  if (offset !== undefined) parts.push(`OFFSET ${parameters.value(offset)}`)
  return parts.join(' ')
}

function compileJunction({ plan }: FindOperation, via: NonNullable<FindOperation['via']>): string {
  const on = via.on.map(({ junction, target }) => `"j".${quoteName(junction.name)} = "t".${quoteName(target.name)}`)
  return `${quotePlace(via.plan.place)} AS "j" JOIN ${quotePlace(plan.place)} AS "t" ON ${on.join(' AND ')}`
}

function qualified(junction: readonly PlanColumn[]): (column: PlanColumn) => string {
  return (column) => `${junction.includes(column) ? '"j"' : '"t"'}.${quoteName(column.name)}`
}

function bareName({ name }: PlanColumn): string {
  return quoteName(name)
}

function compileWhere(
  filter: Filter | undefined,
  context: Context,
  nameOf: (column: PlanColumn) => string = bareName,
): string {
  return filter ? ` WHERE ${compileFilter(filter, { ...context, nameOf })}` : ''
}

function compileCount({ plan, filter }: CountOperation, context: Context): string {
  return `SELECT count(*) FROM ${quotePlace(plan.place)}${compileWhere(filter, context)}`
}

function compileInsert(operation: InsertOperation, { dialect, parameters }: Context): string {
  const { plan, columns, counted } = operation
  const next = counted && dialect.countNext(operation, counted)
  const names = columns.map(bareName)
  const values = columns.map((_, index) => parameters.value(index))
  if (counted && next?.value !== undefined) {
    names.push(bareName(counted))
    values.push(next.value)
  }
  const head = `INSERT INTO ${quotePlace(plan.place)}`
  const returning = counted && next?.returning ? ` RETURNING ${bareName(counted)}` : ''
  if (names.length === 0) return `${head} DEFAULT VALUES${returning}`
  return `${head} (${names.join(', ')}) VALUES (${values.join(', ')})${returning}`
}

function compileUpdate({ plan, set, filter }: UpdateOperation, context: Context): string {
  const assignments = set.map((it) => compileAssignment(it, context.parameters))
  return `UPDATE ${quotePlace(plan.place)} SET ${assignments.join(', ')}${compileWhere(filter, context)}`
}

function compileAssignment(assignment: Assignment, parameters: ParameterList): string {
  const name = bareName(assignment.column)
  return assignment.kind === 'raise' ? `${name} = ${name} + 1` : `${name} = ${parameters.value(assignment.slot)}`
}

function compileDelete({ plan, filter }: DeleteOperation, context: Context): string {
  return `DELETE FROM ${quotePlace(plan.place)}${compileWhere(filter, context)}`
}

function compileUpsert({ plan, columns, overwrite, version }: UpsertOperation, { parameters }: Context): string {
  const values = columns.map((_, index) => parameters.value(index))
  // Inside DO UPDATE a bare name would be the stored row's as well; the table's name says so.
  const stored = (column: PlanColumn): string => `${quoteName(plan.place.table)}.${quoteName(column.name)}`
  const set = overwrite.map((it) => `${bareName(it)} = excluded.${bareName(it)}`)
  if (version) set.push(`${bareName(version.column)} = ${stored(version.column)} + 1`)
  // An upsert of a bare key has nothing to overwrite, but must still find the row.
  if (set.length === 0) set.push(`${bareName(plan.key[0]!)} = excluded.${bareName(plan.key[0]!)}`)
  const condition =
    version?.slot === undefined ? '' : ` WHERE ${stored(version.column)} = ${parameters.value(version.slot)}`
  return [
    `INSERT INTO ${quotePlace(plan.place)} (${columns.map(bareName).join(', ')}) VALUES (${values.join(', ')})`,
    `ON CONFLICT (${plan.key.map(bareName).join(', ')}) DO UPDATE SET ${set.join(', ')}${condition}`,
    `RETURNING ${plan.columns.map(bareName).join(', ')}`,
  ].join(' ')
}
