import type { TablePlan } from '../contract/table-plan.ts'
import { DbError } from '../errors.ts'

/**
 * Rewrites the message of a violation. Engines report the violated constraint, but not the side. A failed insert or update
 * refers to a missing record, since no write changes a key. A failed delete is of a record that others still refer to.
 */
export function describeViolation(error: unknown, plan: TablePlan, kind: 'store' | 'delete'): unknown {
  if (!(error instanceof DbError)) return error
  if (error.code === 'UNIQUE_VIOLATION')
    return withMessage(error, plan, describeTaken(error.fields, plan), error.fields)
  if (error.code !== 'FOREIGN_KEY_VIOLATION') return error
  if (kind === 'delete') return withMessage(error, plan, `other records refer to it${nameConstraint(error)}`, [])
  const fields = error.fields.length > 0 ? error.fields : onlyForeignKey(plan)
  return withMessage(error, plan, `${describeMissing(fields)}${nameConstraint(error)}`, fields)
}

/** Notes of engines about a violation, kept when its message is rewritten. */
const notes = new WeakMap<DbError, string>()

/** The same error, with a note that its message keeps. */
export function withNote({ code, message, cause, fields, constraint }: DbError, note: string): DbError {
  const noted = new DbError(code, `${message}; ${note}`, { cause, fields, constraint })
  notes.set(noted, note)
  return noted
}

function withMessage(error: DbError, { name }: TablePlan, message: string, fields: readonly string[]): DbError {
  const { code, cause, constraint } = error
  const note = notes.get(error)
  const text = `table \`${name}\`: ${message}${note === undefined ? '' : `; ${note}`}`
  return new DbError(code, text, { cause, fields, constraint })
}

function describeTaken(fields: readonly string[], { key }: TablePlan): string {
  if (fields.length === 0) return 'such a record already exists'
  const isKey = fields.join() === key.map((it) => it.path).join()
  return isKey
    ? `a record with this key already exists: ${list(fields)}`
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

/** If a table has only one foreign key, that one was violated. */
function onlyForeignKey({ declaration: { foreignKeys } }: TablePlan): readonly string[] {
  return foreignKeys.length === 1 ? foreignKeys[0]!.paths : []
}

function list(fields: readonly string[]): string {
  return fields.map((it) => `\`${it}\``).join(', ')
}
