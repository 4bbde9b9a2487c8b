import type { RouteDefinition } from '@portico/http'
import type { Context } from '../context.ts'
import { OAuthRefusal } from '../errors.ts'
import { answerJson } from '../web/answers.ts'
import { clientFields, oauthRoutes } from '../web/oauth-route.ts'
import { authenticateClient } from './authenticate-client.ts'

/** `POST /auth/revoke` (RFC 7009). */
export function revokeRoutes(context: Context): RouteDefinition[] {
  const { settings, tokens, audit } = context
  return oauthRoutes(context, {
    path: '/auth/revoke',
    label: 'Revoke an access token',
    description: 'Ends a token immediately. An unknown token is not an error.',
    fields: { token: 'The token to revoke.', token_type_hint: 'Ignored: there is only one type.', ...clientFields },
    required: ['token'],
    returns: { type: 'object' },
    event: 'revocation',
    async handler(form, request) {
      const client = authenticateClient(settings.clients, form, request)
      const found = await tokens.find(form.get('token') ?? '')
      if (!found) return answerJson({})
      const { id, userId, clientId } = found
      const concerned = { userId, clientId }
      // RFC 7009 §2.1: only the client that a token was issued to may revoke it. Whoever holds a loopback token is its
      // client.
      if (clientId !== client?.id)
        throw new OAuthRefusal('invalid_client', 'the token was issued to another client', concerned)
      if (await tokens.revoke(id)) await audit(request, { event: 'revocation', outcome: 'granted', ...concerned })
      return answerJson({})
    },
  })
}
