import type { HttpRequest } from '@portico/http'
import type { ResolveOutcome } from '@portico/identity'
import type { Context } from '../context.ts'

/** Audits which accounts took over an address, its verification or a name from a provider; never the values. */
export async function auditChanges(
  { audit }: Context,
  request: HttpRequest,
  outcome: ResolveOutcome,
  provider: string,
): Promise<void> {
  for (const { userId, fields } of (outcome.kind === 'linked' && outcome.changes) || [])
    await audit(request, {
      event: 'account',
      outcome: 'granted',
      userId,
      provider,
      reason: `follows the provider: ${fields.join(', ')}`,
    })
}
