import { pkceChallengeFor } from '@portico/identity'
import type { RegisteredClient } from '../clients.ts'
import type { Context } from '../context.ts'
import { type Concerned, OAuthRefusal } from '../errors.ts'
import { createSecret, hashOf, isSame } from '../secrets.ts'
import type { LiveSession } from '../stores/sessions.ts'
import { AuthorizationCode, type AuthorizationRequest } from '../tables/grants.portico.ts'

/** Creates the code that answers a request. It holds exactly what was requested and granted. */
export async function issueCode(
  { db, now, settings }: Context,
  asked: AuthorizationRequest,
  { userId, createdAt: authTime, authenticatedAt, acr, amr }: LiveSession,
): Promise<string> {
  const code = createSecret()
  const { clientId, redirectUri, scope, nonce, codeChallenge } = asked
  await db.table(AuthorizationCode).insertOne({
    id: hashOf(code),
    clientId: clientId ?? null,
    redirectUri,
    scope,
    nonce: nonce ?? null,
    codeChallenge,
    userId,
    authTime,
    authenticatedAt: authenticatedAt ?? null,
    acr: acr ?? null,
    amr: amr ? [...amr] : null,
    expiresAt: now() + settings.lifetimes.codeSec * 1000,
  })
  return code
}

/** Deletes a code that was not sent to anybody. */
export async function withdrawCode({ db }: Context, code: string): Promise<void> {
  await db.table(AuthorizationCode).deleteOne(hashOf(code))
}

/** A token request. */
export interface Redemption {
  readonly code: string
  readonly codeVerifier: string
  readonly redirectUri: string
  readonly client: RegisteredClient | undefined
}

/** Finds the code of a token request and checks that the client that sends it is the one that requested it. */
export async function findCode({ db }: Context, redemption: Redemption): Promise<AuthorizationCode> {
  const found = await db.table(AuthorizationCode).findById(hashOf(redemption.code))
  if (!found) throw new OAuthRefusal('invalid_grant', 'the code is unknown')
  for (const check of checks) {
    const problem = check(found, redemption)
    if (problem !== undefined) throw new OAuthRefusal('invalid_grant', problem, concernedBy(found))
  }
  return found
}

/**
 * Marks a code as used. Of any number of concurrent calls on any number of instances, one succeeds. Every other one is
 * a replay, which revokes what the code was exchanged for (RFC 6749 §4.1.2).
 */
export async function takeCode(context: Context, code: AuthorizationCode): Promise<void> {
  const { db, now, tokens } = context
  const { id, expiresAt } = code
  const codes = db.table(AuthorizationCode)
  if (expiresAt <= now() && code.usedAt === undefined)
    throw new OAuthRefusal('invalid_grant', 'the code has expired', concernedBy(code))
  const { modifiedCount } = await codes.updateMany({ id, usedAt: null }, { usedAt: now() })
  if (modifiedCount === 1) return
  await codes.updateMany({ id }, { replayedAt: now() })
  await tokens.revokeOfCode(id)
  throw new OAuthRefusal('invalid_grant', 'the code was used before; its tokens are revoked', concernedBy(code))
}

/**
 * True if a replay came while the token was being created. The replay marks the code and then revokes; the first call
 * stores the token and then checks here. So in every order of these four steps the token ends.
 */
export async function wasReplayed({ db }: Context, { id }: AuthorizationCode): Promise<boolean> {
  const code = await db.table(AuthorizationCode).findById(id)
  return code === undefined || code.replayedAt !== undefined
}

type Check = (code: AuthorizationCode, redemption: Redemption) => string | undefined

const checks: readonly Check[] = [
  ({ clientId }, { client }) =>
    clientId === undefined && client ? 'the code was issued to a loopback client: leave client_id out' : undefined,
  ({ clientId }, { client }) => (clientId !== client?.id ? 'the code was issued to another client' : undefined),
  ({ redirectUri }, redemption) =>
    redirectUri !== redemption.redirectUri ? 'redirect_uri differs from the authorization request' : undefined,
  ({ codeChallenge }, { codeVerifier }) =>
    isSame(pkceChallengeFor(codeVerifier), codeChallenge)
      ? undefined
      : 'code_verifier does not match the code_challenge',
]

/** The user and client of a code, for the audit. */
export function concernedBy({ userId, clientId }: AuthorizationCode): Concerned {
  return { userId, clientId }
}
