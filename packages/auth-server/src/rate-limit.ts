import type { Database } from '@portico/db'
import { HttpError, type HttpRequest } from '@portico/http'
import type { Audit } from './audit.ts'
import { networkOf, spreadOf } from './counters.ts'
import type { Settings } from './options.ts'
import type { RateLimits } from './rate-limit-rules.ts'
import { hashOf } from './secrets.ts'
import { RateLimit } from './tables/operations.portico.ts'

/** Counts a request. Over the limit it throws 429, and the first refusal in a window is audited. */
export type CheckRate = (kind: keyof RateLimits, request: HttpRequest) => Promise<void>

/** Counts in the database, so that all instances share one count. */
export function createRateLimit(db: Database, settings: Settings, audit: Audit, now: () => number): CheckRate {
  const counters = db.table(RateLimit)
  return async (kind, request) => {
    const rule = settings.rateLimits[kind]
    if (rule === false) return
    const windowMs = rule.windowSec * 1000
    const window = Math.floor(now() / windowMs)
    const id = hashOf(JSON.stringify([kind, networkOf(request.ip), window]))
    // Each write increments the version column in one statement: that is the count.
    const { hits } = await counters.upsertOne({ id, expiresAt: (window + 2) * windowMs + spreadOf(id) })
    if (hits <= rule.limit) return
    if (hits === rule.limit + 1)
      await audit(request, { event: 'request', outcome: 'refused', reason: `rate limit: ${kind}` })
    const waitSec = Math.ceil(((window + 1) * windowMs - now()) / 1000)
    throw new HttpError(429, 'RATE_LIMITED', 'too many requests from this address; try again later', {
      headers: { 'retry-after': String(waitSec) },
    })
  }
}
