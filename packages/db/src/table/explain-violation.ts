import type { TablePlan } from '../contract/plan.ts'
import { DbError } from '../errors.ts'

/**
 * The message of a violation. Engines tell which constraint was broken, not from which side: an insert or update lacks
 * what it refers to, since no write changes a key, and a delete is referred to.
 */
export function explainViolation(error: unknown, plan: TablePlan, kind: 'store' | 'delete'): unknown {
  if (!(error instanceof DbError)) return error
  if (error.code === 'UNIQUE_VIOLATION')
    return withMessage(error, plan, describeTaken(error.fields, plan), error.fields)
  if (error.code !== 'FOREIGN_KEY_VIOLATION') return error
  if (kind === 'delete') return withMessage(error, plan, `other records refer to it${nameConstraint(error)}`, [])
  const fields = error.fields.length > 0 ? error.fields : onlyForeignKey(plan)
  return withMessage(error, plan, `${describeMissing(fields)}${nameConstraint(error)}`, fields)
}

/** What an engine has to say beside the violation itself; the message is made again from its fields. */
const notes = new WeakMap<DbError, string>()

/** The same error, with a note that its message keeps. */
export function withNote({ code, message, cause, fields, constraint }: DbError, note: string): DbError {
  const noted = new DbError(code, `${message}; ${note}`, { cause, fields, ...(constraint && { constraint }) })
  notes.set(noted, note)
  return noted
}

function withMessage(error: DbError, { name }: TablePlan, message: string, fields: readonly string[]): DbError {
  const { code, cause, constraint } = error
  const note = notes.get(error)
  const text = `table \`${name}\`: ${message}${note === undefined ? '' : `; ${note}`}`
  return new DbError(code, text, { cause, fields, ...(constraint && { constraint }) })
}

function describeTaken(fields: readonly string[], { key }: TablePlan): string {
  if (fields.length === 0) return 'there is such a record already'
  const isKey = fields.join() === key.map((it) => it.path).join()
  return isKey
    ? `there is a record with this key already: ${list(fields)}`
    : `another record has the same ${list(fields)}`
}

function describeMissing(fields: readonly string[]): string {
  return fields.length === 0
    ? 'a record that it refers to is missing'
    : `the record that ${list(fields)} ${fields.length === 1 ? 'refers' : 'refer'} to is missing`
}

function nameConstraint({ constraint }: DbError): string {
  return constraint === undefined ? '' : ` (foreign key \`${constraint}\`)`
}

/** Where a table has one foreign key alone, it is the one that was broken. */
function onlyForeignKey({ declaration: { foreignKeys } }: TablePlan): readonly string[] {
  return foreignKeys.length === 1 ? foreignKeys[0]!.paths : []
}

function list(fields: readonly string[]): string {
  return fields.map((it) => `\`${it}\``).join(', ')
}
