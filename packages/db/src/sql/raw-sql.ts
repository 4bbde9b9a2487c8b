/** Statements that users of `db.sql` write: their values, their rows, and what their first words say about them. */

import { DbError } from '../errors.ts'
import { toSafeNumber } from '../values/codec.ts'

/** Refuses values that cannot be serialized. Drivers serialize while they send, so that the connection would hang. */
export function checkValues(values: readonly unknown[]): void {
  for (const [index, value] of values.entries()) {
    try {
      checkWritable(value)
    } catch (cause) {
      throw new DbError('QUERY_FAILED', `value ${index + 1} cannot be written: ${(cause as Error).message}`, { cause })
    }
  }
}

function checkWritable(value: unknown): void {
  if (Array.isArray(value)) for (const item of value as unknown[]) checkWritable(item)
  else if (typeof value === 'object' && !ArrayBuffer.isView(value)) JSON.stringify(value)
}

/** Drivers return BIGINT values as text, all or those beyond 2^53 − 1. Makes them numbers, or fails. */
export function readBigIntegers(rows: readonly unknown[], columns: readonly { readonly name: string }[]): object[] {
  for (const row of rows as Record<string, unknown>[]) {
    for (const { name } of columns) {
      const value = row[name]
      if (typeof value === 'string') row[name] = toSafeNumber(value, name)
    }
  }
  return rows as object[]
}

export interface CommentSyntax {
  /** True if comments nest. */
  readonly nested: boolean
  /** True if `#` begins a comment, and the server runs the content of comments that begin with `!`. */
  readonly mysql: boolean
}

export const postgresComments: CommentSyntax = { nested: true, mysql: false }
export const mysqlComments: CommentSyntax = { nested: false, mysql: true }
export const sqliteComments: CommentSyntax = { nested: false, mysql: false }

/**
 * Returns the first words of a statement in lower case, without comments and leading parentheses. Stops at anything
 * else, such as a comment that MySQL runs; callers treat statements they do not know as dangerous.
 */
export function firstWords(text: string, syntax: CommentSyntax, count = 4): readonly string[] {
  const words: string[] = []
  let at = 0
  while (words.length < count) {
    at = skipBlank(text, at, syntax)
    if (words.length === 0 && text[at] === '(') {
      at += 1
      continue
    }
    const word = /^[A-Za-z_]\w*/.exec(text.slice(at, at + 64))?.[0]
    if (word === undefined) break
    words.push(word.toLowerCase())
    at += word.length
  }
  return words
}

function skipBlank(text: string, start: number, syntax: CommentSyntax): number {
  let at = start
  for (;;) {
    const two = text.slice(at, at + 2)
    if (/^\s/.test(two)) at += 1
    else if (two === '--' || (syntax.mysql && two.startsWith('#'))) at = endOfLine(text, at)
    else if (two === '/*' && !(syntax.mysql && /^\/\*M?!/.test(text.slice(at, at + 4))))
      at = endOfComment(text, at, syntax)
    else return at
  }
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start)
  return end < 0 ? text.length : end
}

function endOfComment(text: string, start: number, { nested }: CommentSyntax): number {
  let depth = 1
  for (let at = start + 2; at < text.length; at++) {
    const two = text.slice(at, at + 2)
    if (nested && two === '/*') depth += 1
    else if (two === '*/') depth -= 1
    else continue
    at += 1
    if (depth === 0) return at + 1
  }
  return text.length
}

/** Statements that leave no state on their connection. Procedures are trusted. */
const ordinary: ReadonlySet<string | undefined> = new Set(
  `select insert update delete replace merge with values table show explain describe desc analyze create alter drop
  truncate rename comment grant revoke call begin start commit end abort rollback savepoint release vacuum reindex
  refresh cluster copy notify checkpoint optimize repair check flush kill fetch move close`.split(/\s+/),
)

/** Parts of an ordinary statement that do leave state: settings, locks, temporary tables, variables. */
const lasting = {
  postgres:
    /\bset_config\s*\((?![^)]*,\s*true\s*\))|\bsetseed\s*\(|\bpg_(?:try_)?advisory_lock|\bdblink_connect|\b(?:create|into)\s+(?:(?:local|global|or\s+replace)\s+)*temp|\bpg_temp\b/i,
  mysql: /:=|\bget_lock\s*\(|\binto\s+@|\bcreate\s+(?:or\s+replace\s+)?temporary\b/i,
}

/**
 * Returns true if a raw statement may leave state on its connection that later statements would see. Such a connection
 * is closed.
 */
export function changesSession(text: string, engine: 'postgres' | 'mysql'): boolean {
  const [first, second] = firstWords(text, engine === 'postgres' ? postgresComments : mysqlComments, 2)
  if (engine === 'postgres') {
    // These end with the transaction.
    if (first === 'lock' || (first === 'set' && /^(local|transaction|constraints)$/.test(second ?? ''))) return false
  }
  return !ordinary.has(first) || lasting[engine].test(text)
}

/** Returns true for statements about savepoints, which leave the transaction open. */
export function isSavepoint([first, second, third]: readonly string[]): boolean {
  if (first === 'savepoint' || first === 'release') return true
  return first === 'rollback' && (second === 'to' || (/^(work|transaction)$/.test(second ?? '') && third === 'to'))
}
