import type { Database } from '@portico/db'
import type { HttpRequest, Problem } from '@portico/http'
import type { Settings } from './options.ts'
import { AuditEvent, type AuditEventInsert } from './tables/operations.portico.ts'

/** What happened, without what the request itself tells. */
export type AuditEntry = Pick<AuditEventInsert, 'event' | 'outcome' | 'reason' | 'userId' | 'clientId' | 'provider'>

/** Writes a line into the audit; without a request where the application itself did something. */
export type Audit = (request: HttpRequest | undefined, entry: AuditEntry) => Promise<void>

export function createAudit(db: Database, settings: Settings, now: () => number): Audit {
  const events = db.table(AuditEvent)
  return async (request, entry) => {
    const at = now()
    const expiresAt = at + settings.lifetimes.auditSec * 1000
    const userAgent = request && userAgentOf(request)
    const sender = { ...(request && { ip: request.ip }), ...(userAgent !== undefined && { userAgent }) }
    await events.insertOne({ ...entry, at, expiresAt, ...sender })
  }
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
