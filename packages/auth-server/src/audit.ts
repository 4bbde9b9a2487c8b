import { createHash } from 'node:crypto'
import type { Database } from '@portico/db'
import type { HttpRequest, Problem } from '@portico/http'
import { isUniqueViolation } from './accounts/unique-violation.ts'
import { networkOf, spreadOf } from './counters.ts'
import type { Settings } from './options.ts'
import { hashOf } from './secrets.ts'
import { AuditEvent, type AuditEventInsert, RateLimit } from './tables/operations.portico.ts'

/** What happened, without what the request itself tells. */
export type AuditEntry = Pick<AuditEventInsert, 'event' | 'outcome' | 'reason' | 'userId' | 'clientId' | 'provider'>

/** Writes a line into the audit; without a request where the application itself did something. */
export type Audit = (request: HttpRequest | undefined, entry: AuditEntry) => Promise<void>

const hourMs = 3_600_000

/**
 * What is granted has a line each. Refusals are counted: anybody can be refused, as often as they like, so those of one kind,
 * from one address and in one hour share a line.
 */
export function createAudit(db: Database, settings: Settings, now: () => number): Audit {
  const events = db.table(AuditEvent)
  return async (request, entry) => {
    const at = now()
    const expiresAt = at + settings.lifetimes.auditSec * 1000
    const userAgent = request && userAgentOf(request)
    const sender = { ...(request && { ip: request.ip }), ...(userAgent !== undefined && { userAgent }) }
    const line = { ...entry, at, expiresAt, ...sender }
    if (request && entry.outcome === 'refused') await countRefusal(db, request, line)
    else await events.insertOne(line)
  }
}

/** Counts in the database, so that all instances count together; the line has the latest count. */
async function countRefusal(db: Database, request: HttpRequest, line: AuditEventInsert): Promise<void> {
  const { event, reason, userId, clientId, provider, at, expiresAt } = line
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
    await events.insertOne({ ...line, id, count })
  } catch (error) {
    // Another request of the same kind has written the line, with a later count.
    if (!isUniqueViolation(error)) throw error
  }
}

/** The same id for the same text (RFC 9562 §5.8). */
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
 * Notes what was refused before the endpoint saw it, and returns what to answer: another problem where it cannot be noted.
 * A limit that is exceeded notes itself, once in its window.
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
    request.log.error({ err: error }, 'a refusal could not be noted in the audit')
    return { ...problem, status: 503, detail: 'the database cannot answer now' }
  }
}

/** What a browser or program calls itself, fit to be stored and shown. */
export function userAgentOf({ headers }: HttpRequest): string | undefined {
  const text = headers['user-agent']?.replace(/[^\x20-\x7e]/g, '').slice(0, 200)
  return text === '' ? undefined : text
}
