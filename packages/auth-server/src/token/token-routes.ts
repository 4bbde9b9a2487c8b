import type { RouteDefinition } from '@portico/http'
import type { Context } from '../context.ts'
import { OAuthRefusal } from '../errors.ts'
import { answerJson } from '../web/answers.ts'
import { oauthRoute } from '../web/oauth-route.ts'
import type { Params } from '../web/params.ts'
import { authenticateClient } from './authenticate-client.ts'
import { findCode, type Redemption, takeCode, wasReplayed } from './codes.ts'
import { createIdToken } from './id-token.ts'

const clientFields = {
  client_id: 'The id of a registered client. A loopback client sends none.',
  client_secret: 'The secret of a confidential client, unless it comes by HTTP Basic.',
}

/** `POST /auth/token` (RFC 6749 §4.1.3) and `POST /auth/revoke` (RFC 7009). */
export function tokenRoutes(context: Context): RouteDefinition[] {
  const { settings, tokens, audit, users } = context
  const token = oauthRoute(context, {
    path: '/auth/token',
    label: 'Exchange a code for an access token',
    description: 'Redeems an authorization code with its PKCE verifier. A code works once and for 60 seconds.',
    fields: {
      grant_type: 'Always `authorization_code`.',
      code: 'The code of the callback.',
      code_verifier: 'The PKCE verifier (RFC 7636).',
      redirect_uri: 'The one of the authorization request.',
      ...clientFields,
    },
    required: ['grant_type'],
    event: 'token',
    async handler(form, request) {
      if (form.get('grant_type') !== 'authorization_code')
        throw new OAuthRefusal('unsupported_grant_type', 'grant_type must be authorization_code')
      const client = authenticateClient(settings.clients, form, request)
      const code = await findCode(context, { ...readRedemption(form), client })
      await takeCode(context, code)
      const { userId, scope } = code
      const concerned = { userId, ...(client && { clientId: client.id }) }
      if (!(await users.findById(userId))?.active)
        throw new OAuthRefusal('invalid_grant', 'the account is disabled', concerned)
      const issued = await tokens.issue(request, code)
      if (await wasReplayed(context, code)) {
        await tokens.revokeOfCode(code.id)
        throw new OAuthRefusal('invalid_grant', 'the code was used twice; what it gave is revoked', concerned)
      }
      const idToken = client && (await createIdToken(context, client, code, issued.token))
      await audit(request, { event: 'token', outcome: 'granted', ...concerned })
      return answerJson({
        access_token: issued.token,
        token_type: 'Bearer',
        expires_in: issued.expiresInSec,
        scope,
        ...(idToken !== undefined && { id_token: idToken }),
        userId,
      })
    },
  })
  const revoke = oauthRoute(context, {
    path: '/auth/revoke',
    label: 'Revoke an access token',
    description: 'Ends a token at once. An unknown one is no error: it does not hold either (RFC 7009 §2.2).',
    fields: { token: 'The token to revoke.', token_type_hint: 'Ignored: there is one kind.', ...clientFields },
    required: ['token'],
    event: 'revocation',
    async handler(form, request) {
      const client = authenticateClient(settings.clients, form, request)
      const found = await tokens.find(form.get('token') ?? '')
      if (!found) return answerJson({})
      const { id, userId, clientId } = found
      const concerned = { userId, ...(clientId !== undefined && { clientId }) }
      // RFC 7009 §2.1: only the client that a token was issued to; whoever holds a loopback token is its client.
      if (clientId !== client?.id)
        throw new OAuthRefusal('invalid_client', 'the token was issued to another client', concerned)
      if (await tokens.revoke(id)) await audit(request, { event: 'revocation', outcome: 'granted', ...concerned })
      return answerJson({})
    },
  })
  return [token, revoke]
}

function readRedemption(form: Params): Omit<Redemption, 'client'> {
  const [code, codeVerifier, redirectUri] = (['code', 'code_verifier', 'redirect_uri'] as const).map((name) => {
    const value = form.get(name)
    if (value === undefined) throw new OAuthRefusal('invalid_request', `${name} is missing`)
    return value
  }) as [string, string, string]
  // RFC 7636 §4.1.
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(codeVerifier))
    throw new OAuthRefusal('invalid_request', 'code_verifier must be 43 to 128 unreserved characters')
  return { code, codeVerifier, redirectUri }
}
