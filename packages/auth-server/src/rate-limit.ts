import type { Database } from '@portico/db'
import { HttpError, type HttpRequest } from '@portico/http'
import type { Audit } from './audit.ts'
import type { Settings } from './options.ts'
import { hashOf } from './secrets.ts'
import { RateLimit } from './tables/operations.portico.ts'

export interface RateLimitRule {
  /** How many requests one address may make in a window. */
  readonly limit: number
  readonly windowSec: number
}

/** What is limited, and by default how much. */
export interface RateLimits {
  /** Everything that browsers visit; a whole sign-in takes about seven requests. Default 300 in 60 s. */
  readonly signIn: RateLimitRule
  /** Token and revoke; the users of a web application share its address. Default 300 in 60 s. */
  readonly token: RateLimitRule
  /** Status and userinfo. Default 600 in 60 s. */
  readonly status: RateLimitRule
}

/** Counts a request; one too many throws 429, and the first of these in a window is noted in the audit. */
export type CheckRate = (kind: keyof RateLimits, request: HttpRequest) => Promise<void>

/** Counts in the database, so that all instances count together. */
export function createRateLimit(db: Database, settings: Settings, audit: Audit, now: () => number): CheckRate {
  const counters = db.table(RateLimit)
  return async (kind, request) => {
    const rule = settings.rateLimits[kind]
    if (rule === false) return
    const windowMs = rule.windowSec * 1000
    const window = Math.floor(now() / windowMs)
    const id = hashOf(JSON.stringify([kind, networkOf(request.ip), window]))
    // Each write raises the version by one, in one statement: that is the count.
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

/** Up to a minute later, by the hash: rows that all expire in one moment cannot be deleted in the order of expiry. */
export function spreadOf(id: string): number {
  return Buffer.from(id, 'base64url').readUInt32BE(0) % 60_000
}

/** An IPv6 network of 64 bits is one subscriber, who can use any address of it. */
export function networkOf(ip: string): string {
  if (!ip.includes(':') || ip.includes('.')) return ip
  const [head = '', tail] = ip.split('::')
  const groups = head === '' ? [] : head.split(':')
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length)
  const all = [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail ? tail.split(':') : [])]
  return all.slice(0, 4).join(':')
}
