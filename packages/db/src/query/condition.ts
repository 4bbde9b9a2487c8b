import type { Column } from '@portico/schema/model'
import type { AnyTable } from '@portico/schema/runtime'
import { invalid } from '../errors.ts'
import { checkOperand } from './operators.ts'

/** One comparison. `column` is one of the table's own column objects; `operator` is one of `operators`. */
export interface Term {
  readonly column: Column
  readonly operator: string
  readonly value: unknown
}

interface CheckedTerms {
  readonly table: AnyTable
  readonly terms: readonly Term[]
}

/** Returns the content of a condition, and nothing for any other value, an imitation included. */
export let readCondition: (value: unknown) => CheckedTerms | undefined

/** A condition that is checked when it is created. Pass it as `where`, or inside `$and`, `$or` and `$not`. */
export class Condition {
  readonly #checked: CheckedTerms

  /** Throws `VALIDATION_FAILED` for an operator or a value that the column does not accept. */
  constructor(table: AnyTable, terms: readonly Term[]) {
    this.#checked = { table, terms: terms.map((it) => checkTerm(table, it)) }
    Object.freeze(this)
  }

  static {
    // Only the constructor can set a private field, so its presence proves the check.
    readCondition = (value) =>
      typeof value === 'object' && value !== null && #checked in value ? value.#checked : undefined
  }
}

function checkTerm(table: AnyTable, { column, operator, value }: Term): Term {
  const subject = `table \`${table.name}\`: the filter is not valid`
  if (!table.columns.includes(column)) throw invalid(subject, column.path, 'is not a column of this table')
  // A list that changes later would not be checked.
  const fixed = Array.isArray(value) ? Object.freeze(Array.from(value as unknown[])) : value
  const problem = checkOperand(column, operator, fixed)
  if (problem) throw invalid(subject, problem.path, problem.message, problem.code)
  return { column, operator, value: fixed }
}
