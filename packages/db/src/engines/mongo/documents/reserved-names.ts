/** Names that are reserved by MongoDB, its driver or sync. */

import type { PlanColumn, TablePlan } from '../../../contract/table-plan.ts'
import { DbError } from '../../../errors.ts'
import { isOwnDeclaration } from '../../../sync/1-read/metadata-table.ts'

/** The prefix of all collections and fields that belong to sync. */
const RESERVED = /^portico__/

export function checkTable({ name, tableName: { table }, declaration }: TablePlan): void {
  const refuse = (reason: string): DbError => new DbError('OPTIONS_INVALID', `table \`${name}\`: ${reason}`)
  if (/[$\0]|^\.|\.\.|\.$|^system\.|^__proto__$/.test(table)) {
    throw refuse(`MongoDB cannot have a collection named \`${table}\``)
  }
  if (RESERVED.test(table) && !isOwnDeclaration(declaration)) {
    throw refuse(`the collection \`${table}\` is reserved: names that begin with \`portico__\` belong to sync`)
  }
}

export function checkNames({ name }: TablePlan, column: PlanColumn, parts: readonly string[], isKey: boolean): void {
  const isRefused = parts.some(isReserved) || RESERVED.test(parts[0]!)
  if (!isRefused && (isKey || parts[0] !== '_id')) return
  throw new DbError('OPTIONS_INVALID', `table \`${name}\`: MongoDB cannot have a field named \`${column.name}\` here`)
}

/** Operators, paths, array positions; `_bsontype` marks the driver's own types, `__proto__` a prototype. */
function isReserved(part: string): boolean {
  return part.startsWith('$') || part.includes('.') || /^\d*$/.test(part) || ['__proto__', '_bsontype'].includes(part)
}
