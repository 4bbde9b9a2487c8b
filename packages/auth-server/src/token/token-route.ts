import type { HttpRequest, RouteDefinition } from '@portico/http'
import type { Context } from '../context.ts'
import { OAuthRefusal } from '../errors.ts'
import type { IssuedToken } from '../stores/access-tokens.ts'
import type { AuthorizationCode } from '../tables/grants.portico.ts'
import { answerJson } from '../web/answers.ts'
import { clientFields, oauthRoutes } from '../web/oauth-route.ts'
import type { Params } from '../web/params.ts'
import { authenticateClient } from './authenticate-client.ts'
import { concernedBy, findCode, type Redemption, takeCode, wasReplayed } from './codes.ts'
import { createIdToken } from './id-token.ts'

const issued = {
  type: 'object',
  properties: {
    access_token: { type: 'string' },
    token_type: { enum: ['Bearer'] },
    expires_in: { type: 'integer', description: 'Seconds.' },
    scope: { type: 'string' },
    id_token: { type: 'string', description: 'For registered clients with the scope `openid`.' },
    userId: { type: 'string' },
  },
  required: ['access_token', 'token_type', 'expires_in', 'scope', 'userId'],
}

/** `POST /auth/token` (RFC 6749 §4.1.3). */
export function tokenRoutes(context: Context): RouteDefinition[] {
  return oauthRoutes(context, {
    path: '/auth/token',
    label: 'Exchange a code for an access token',
    description:
      'Exchanges an authorization code and its PKCE verifier for an access token. A code works once, for a short time.',
    fields: {
      grant_type: 'Always `authorization_code`.',
      code: 'The code from the callback.',
      code_verifier: 'The PKCE verifier (RFC 7636).',
      redirect_uri: 'The same as in the authorization request.',
      ...clientFields,
    },
    required: ['grant_type'],
    returns: issued,
    event: 'token',
    async handler(form, request) {
      if (form.get('grant_type') !== 'authorization_code')
        throw new OAuthRefusal('unsupported_grant_type', 'grant_type must be authorization_code')
      const client = authenticateClient(context.settings.clients, form, request)
      const code = await findCode(context, { ...readRedemption(form), client })
      await takeCode(context, code)
      const { token, expiresInSec, scope } = await issueToken(context, request, code)
      const idToken = client && (await createIdToken(context, client, { ...code, scope }, token))
      await context.audit(request, { event: 'token', outcome: 'granted', ...concernedBy(code) })
      return answerJson({
        access_token: token,
        token_type: 'Bearer',
        expires_in: expiresInSec,
        scope,
        ...(idToken !== undefined && { id_token: idToken }),
        userId: code.userId,
      })
    },
  })
}

function readRedemption(form: Params): Omit<Redemption, 'client'> {
  const redemption = {
    code: required(form, 'code'),
    codeVerifier: required(form, 'code_verifier'),
    redirectUri: required(form, 'redirect_uri'),
  }
  // RFC 7636 §4.1.
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(redemption.codeVerifier))
    throw new OAuthRefusal('invalid_request', 'code_verifier must be 43 to 128 unreserved characters')
  return redemption
}

function required(form: Params, name: string): string {
  const value = form.get(name)
  if (value === undefined) throw new OAuthRefusal('invalid_request', `${name} is missing`)
  return value
}

async function issueToken(context: Context, request: HttpRequest, code: AuthorizationCode): Promise<IssuedToken> {
  const { users, tokens, settings } = context
  const roles = await users.rolesSince(code.userId, code.expiresAt - settings.lifetimes.codeSec * 1000)
  if (!roles)
    throw new OAuthRefusal(
      'invalid_grant',
      'the account is disabled, or all of its access was ended',
      concernedBy(code),
    )
  const issued = await tokens.issue(request, code, roles)
  if (!(await wasReplayed(context, code))) return issued
  await tokens.revokeOfCode(code.id)
  throw new OAuthRefusal('invalid_grant', 'the code was used twice; its tokens are revoked', concernedBy(code))
}
