import type { AuthorizationRequest } from '../tables/grants.portico.ts'
import type { LiveSession } from './sessions.ts'

/** How far a provider's clock may be behind ours. Its times are whole seconds besides. */
const CLOCK_TOLERANCE_MS = 5000

/**
 * Whether a session is what the request asks for: a sign-in of its own (`prompt=login`, `select_account`), and one that is
 * recent enough by the provider's word (`max_age`). A provider that does not say when somebody signed in cannot satisfy that.
 */
export function isFreshFor(session: LiveSession, asked: AuthorizationRequest): boolean {
  const isOwn = isMadeFor(session, asked)
  if (asked.prompt !== undefined && !isOwn) return false
  // OpenID Connect Core 5.5.1.1: a wish, which a sign-in of its own has had its chance to meet.
  if (!isOwn && !asked.silent && !meetsAcr(session, asked)) return false
  const { signedInAfter } = asked
  if (signedInAfter === undefined) return true
  const earliest = Math.floor(signedInAfter / 1000) * 1000 - (isOwn ? CLOCK_TOLERANCE_MS : 0)
  return session.authenticatedAt !== undefined && session.authenticatedAt >= earliest
}

/** Whether the person signed in for this very request. */
export function isMadeFor({ requestId }: LiveSession, { id }: AuthorizationRequest): boolean {
  return requestId === id
}

function meetsAcr({ acr = '' }: LiveSession, { acrValues }: AuthorizationRequest): boolean {
  return acrValues === undefined || acrValues.split(' ').includes(acr)
}
