import { createHash } from 'node:crypto'
import type { Database } from '@portico/db'
import type { HttpRequest, Problem } from '@portico/http'
import { networkOf, spreadOf } from './counters.ts'
import type { Settings } from './options.ts'
import { hashOf } from './secrets.ts'
import { AuditEvent, type AuditEventInsert, RateLimit } from './tables/operations.portico.ts'
import { isUniqueViolation } from './unique-violation.ts'

/** An entry of the audit; address and user agent come from the request. */
export interface AuditEntry {
  readonly event: AuditEvent['event']
  readonly outcome: AuditEvent['outcome']
  /** Why it was refused, or what was changed. */
  readonly reason?: string | undefined
  readonly userId?: string | undefined
  readonly clientId?: string | undefined
  readonly provider?: string | undefined
}

/** Writes an audit row. There is no request when the application itself did something. */
export type Audit = (request: HttpRequest | undefined, entry: AuditEntry) => Promise<void>

const hourMs = 3_600_000

/**
 * Everything granted gets its own row. Refusals are counted: anybody can cause any number of them, so refusals of one
 * kind, from one address, within one hour share a row.
 */
export function createAudit(db: Database, settings: Settings, now: () => number): Audit {
  const events = db.table(AuditEvent)
  return async (request, entry) => {
    const at = now()
    const expiresAt = at + settings.lifetimes.auditSec * 1000
    const { event, outcome, reason = null, userId = null, clientId = null, provider = null } = entry
    const userAgent = (request && userAgentOf(request)) ?? null
    const ip = request?.ip ?? null
    const row = { event, outcome, reason, userId, clientId, provider, at, expiresAt, ip, userAgent }
    if (request && outcome === 'refused') await countRefusal(db, request, row)
    else await events.insertOne(row)
  }
}

/** Counts in the database, so that all instances share one count. The audit row has the latest count. */
async function countRefusal(db: Database, request: HttpRequest, row: AuditEventInsert): Promise<void> {
  const { event, reason, userId, clientId, provider, at, expiresAt } = row
  const hour = Math.floor(at / hourMs)
  const kind = JSON.stringify(['audit', hour, networkOf(request.ip), event, reason, userId, clientId, provider])
  const counter = { id: hashOf(kind), expiresAt: (hour + 2) * hourMs + spreadOf(hashOf(kind)) }
  const { hits: count } = await db.table(RateLimit).upsertOne(counter)
  const events = db.table(AuditEvent)
  const id = uuidOf(kind)
  if (count > 1) {
    const { matchedCount } = await events.updateMany({ id, count: { $lt: count } }, { count, at, expiresAt })
    if (matchedCount > 0) return
  }
  try {
    await events.insertOne({ ...row, id, count })
  } catch (error) {
    // Another request of the same kind has inserted the row, with a later count.
    if (!isUniqueViolation(error)) throw error
  }
}

/** A UUID derived from a text: the same text gives the same id (RFC 9562 §5.8). */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

/**
 * Audits a request that was refused before its handler ran, and returns the problem to answer with: 503 if the audit
 * cannot be written. Rate limits write their own row, once per window.
 */
export async function auditProblem(
  audit: Audit,
  request: HttpRequest,
  event: AuditEntry['event'],
  problem: Problem,
): Promise<Problem> {
  const { status, code } = problem
  if (status >= 500 || status === 429) return problem
  try {
    await audit(request, { event, outcome: 'refused', reason: `malformed: ${code}` })
    return problem
  } catch (error) {
    request.log.error({ err: error }, 'a refusal could not be written to the audit')
    return { ...problem, status: 503, detail: 'the database cannot answer now' }
  }
}

/** The `User-Agent`, printable and short enough to store and show. */
export function userAgentOf({ headers }: HttpRequest): string | undefined {
  const text = headers['user-agent']?.replace(/[^\x20-\x7e]/g, '').slice(0, 200)
  return text === '' ? undefined : text
}
