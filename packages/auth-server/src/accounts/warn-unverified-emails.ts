import type { RouteHost } from '@portico/http'
import type { Context } from '../context.ts'

/**
 * Warns at start that id tokens will call every address unverified. Many applications refuse such people, and nothing
 * else points to the option.
 */
export function warnUnverifiedEmails({ settings, registry }: Context, host: RouteHost): void {
  if (settings.clients.size === 0 || registry.policy.trustEmailVerifiedFrom.length > 0) return
  host.log.warn(
    { providers: registry.ids() },
    'id tokens will say email_verified: false for everybody: policy.trustEmailVerifiedFrom is empty. ' +
      'List the ids of the providers that you trust to verify addresses.',
  )
}
