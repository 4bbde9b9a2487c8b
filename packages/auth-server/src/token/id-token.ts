import { createHash } from 'node:crypto'
import { SignJWT } from 'jose'
import type { RegisteredClient } from '../clients.ts'
import type { Context } from '../context.ts'
import { readScope } from '../scope.ts'
import type { AuthorizationCode } from '../tables/grants.portico.ts'
import { readClaims } from './claims.ts'

/** The id token of a code (OpenID Connect Core 2), if a registered client requested the scope `openid`. */
export async function createIdToken(
  context: Context,
  client: RegisteredClient,
  code: AuthorizationCode,
  accessToken: string,
): Promise<string | undefined> {
  const scopes = readScope(code.scope)
  if (!scopes.includes('openid')) return undefined
  const { settings, keys, now } = context
  const { kid, alg, key } = await keys.current(client.idTokenSigningAlg ?? 'ES256')
  const iat = Math.floor(now() / 1000)
  return new SignJWT({
    ...(await readClaims(context, code.userId, scopes)),
    ...(code.nonce !== undefined && { nonce: code.nonce }),
    // Only the time that the provider reports: the sign-in here may not have authenticated the person again.
    ...(code.authenticatedAt !== undefined && { auth_time: Math.floor(code.authenticatedAt / 1000) }),
    ...(code.acr !== undefined && { acr: code.acr }),
    ...(code.amr !== undefined && { amr: code.amr }),
    at_hash: leftHalfHash(accessToken),
  })
    .setProtectedHeader({ alg, kid, typ: 'JWT' })
    .setIssuer(settings.issuer)
    .setSubject(code.userId)
    .setAudience(client.id)
    .setIssuedAt(iat)
    .setExpirationTime(iat + settings.lifetimes.idTokenSec)
    .sign(key)
}

/** OpenID Connect Core 3.1.3.6; both algorithms hash with SHA-256. */
function leftHalfHash(token: string): string {
  return createHash('sha256').update(token, 'ascii').digest().subarray(0, 16).toString('base64url')
}
