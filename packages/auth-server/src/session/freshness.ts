import type { LiveSession } from '../stores/sessions.ts'
import type { AuthorizationRequest } from '../tables/grants.portico.ts'

/** Tolerated clock difference: the provider may be this far behind. Its times are also whole seconds. */
const CLOCK_TOLERANCE_MS = 5000

/**
 * True if a session satisfies the request: `prompt=login` and `select_account` need a sign-in made for this request,
 * and `max_age` needs an authentication time that is recent enough. A provider that reports no such time cannot satisfy
 * `max_age`.
 */
export function isFreshFor(session: LiveSession, asked: AuthorizationRequest): boolean {
  const isOwn = isMadeFor(session, asked)
  if (asked.prompt !== undefined && !isOwn) return false
  // OpenID Connect Core 5.5.1.1: `acr_values` is voluntary. A sign-in made for this request had its chance to satisfy
  // it.
  if (!isOwn && !asked.silent && !meetsAcr(session, asked)) return false
  const { signedInAfter } = asked
  if (signedInAfter === undefined) return true
  const earliest = Math.floor(signedInAfter / 1000) * 1000 - (isOwn ? CLOCK_TOLERANCE_MS : 0)
  return session.authenticatedAt !== undefined && session.authenticatedAt >= earliest
}

/** True if the person signed in for this very request. */
export function isMadeFor({ requestId }: LiveSession, { id }: AuthorizationRequest): boolean {
  return requestId === id
}

function meetsAcr({ acr = '' }: LiveSession, { acrValues }: AuthorizationRequest): boolean {
  return acrValues === undefined || acrValues.split(' ').includes(acr)
}
