import { pkceChallengeFor } from '@portico/identity'
import type { RegisteredClient } from '../clients.ts'
import type { Context } from '../context.ts'
import { OAuthRefusal } from '../errors.ts'
import { createSecret, hashOf, isSame } from '../secrets.ts'
import type { LiveSession } from '../session/sessions.ts'
import { AuthorizationCode, type AuthorizationRequest } from '../tables/grants.portico.ts'

/** Makes the code that answers a request. It carries exactly what was asked for and granted. */
export async function issueCode(
  { db, now, settings }: Context,
  asked: AuthorizationRequest,
  { userId, createdAt: authTime, authenticatedAt, acr, amr }: LiveSession,
): Promise<string> {
  const code = createSecret()
  const { clientId, redirectUri, scope, nonce, codeChallenge } = asked
  await db.table(AuthorizationCode).insertOne({
    id: hashOf(code),
    ...(clientId !== undefined && { clientId }),
    redirectUri,
    scope,
    ...(nonce !== undefined && { nonce }),
    codeChallenge,
    userId,
    authTime,
    ...(authenticatedAt !== undefined && { authenticatedAt }),
    ...(acr !== undefined && { acr }),
    ...(amr !== undefined && { amr: [...amr] }),
    expiresAt: now() + settings.lifetimes.codeSec * 1000,
  })
  return code
}

/** Deletes a code that nobody has been told. */
export async function withdrawCode({ db }: Context, code: string): Promise<void> {
  await db.table(AuthorizationCode).deleteOne(hashOf(code))
}

/** What a client presents at the token endpoint. */
export interface Redemption {
  readonly code: string
  readonly codeVerifier: string
  readonly redirectUri: string
  readonly client: RegisteredClient | undefined
}

/** Finds the code of a redemption and checks that the one who presents it is the one who asked for it. */
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
 * Uses a code up: of any number of calls at once, on any number of instances, one passes. Every other one is a replay,
 * which takes back what the code gave (RFC 6749 §4.1.2).
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
  throw new OAuthRefusal('invalid_grant', 'the code was used before; what it gave is revoked', concernedBy(code))
}

/**
 * Whether a replay came while the token was being made. The replay first marks the code and then revokes, the winner
 * first stores the token and then looks here: whichever order the four steps fall in, the token ends.
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
    redirectUri !== redemption.redirectUri ? 'redirect_uri is not the one of the request' : undefined,
  ({ codeChallenge }, { codeVerifier }) =>
    isSame(pkceChallengeFor(codeVerifier), codeChallenge) ? undefined : 'code_verifier does not fit the code_challenge',
]

/** Whom a code concerns, for the audit. */
export function concernedBy({ userId, clientId }: AuthorizationCode): { userId: string; clientId?: string } {
  return { userId, ...(clientId !== undefined && { clientId }) }
}
