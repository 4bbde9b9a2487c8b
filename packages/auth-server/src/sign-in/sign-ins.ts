import type { HttpRequest } from '@portico/http'
import { createPkcePair, generateNonce, generateRandomState, OAuthError } from '@portico/identity'
import type { Context } from '../context.ts'
import { PageRefusal } from '../pages/page-refusal.ts'
import { createSecret } from '../secrets.ts'
import { SignIn } from '../tables/sign-ins.portico.ts'
import type { ProviderRequest } from './provider-request.ts'

export interface SignInOptions {
  readonly provider: string
  readonly browserHash: string
  readonly returnTo: string
  readonly linkId?: string | undefined
  /** The authorization request that the person signs in for. */
  readonly requestId?: string | undefined
  readonly invitationId?: string | undefined
  /** The user to connect the identity to. */
  readonly connectTo?: string | undefined
  readonly providerRequest?: ProviderRequest | undefined
}

/**
 * Starts a sign-in at a provider and returns the address to send the browser to. Verifier and nonce stay in the
 * database. The state in the address holds only the id of the sign-in, which is worthless without the cookie of the
 * same browser.
 */
export async function startSignIn(context: Context, options: SignInOptions): Promise<string> {
  const { db, registry, settings, now } = context
  const { provider, browserHash, returnTo, linkId, requestId, invitationId, connectTo, providerRequest } = options
  const id = createSecret()
  const { verifier, challenge } = createPkcePair()
  const nonce = generateNonce()
  await db.table(SignIn).insertOne({
    id,
    browserHash,
    provider,
    codeVerifier: verifier,
    nonce,
    returnTo,
    linkId: linkId ?? null,
    requestId: requestId ?? null,
    invitationId: invitationId ?? null,
    connectTo: connectTo ?? null,
    prompt: providerRequest?.prompt ?? null,
    expiresAt: now() + settings.lifetimes.interactionSec * 1000,
  })
  const random = generateRandomState()
  const state = await registry.signState(
    { random, provider, redirect: '/', handle: id },
    { ttlSec: settings.lifetimes.interactionSec },
  )
  const redirectUri = registry.redirectUri(provider)
  return registry
    .require(provider)
    .authorizationUrl({ ...providerRequest, redirectUri, state, codeChallenge: challenge, nonce })
}

/** The id of the sign-in that a state refers to. Signature, provider and age of the state are checked. */
export async function readSignInId(
  { registry }: Context,
  provider: string,
  state: string | undefined,
): Promise<string> {
  try {
    const { handle } = await registry.verifyState(state ?? '', { expectedProvider: provider })
    if (handle !== undefined) return handle
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
  }
  throw new PageRefusal('sign-in-lost', { again: '/auth/sign-in', provider })
}

/** Returns and deletes a sign-in: it counts once, and only in the browser that started it. */
export async function takeSignIn(
  { db, cookies, now }: Context,
  request: HttpRequest,
  id: string,
  provider: string,
): Promise<SignIn> {
  const signIns = db.table(SignIn)
  const signIn = await signIns.findById(id)
  const lost = new PageRefusal('sign-in-lost', { again: '/auth/sign-in', provider })
  if (!signIn || signIn.provider !== provider) throw lost
  if (signIn.browserHash !== cookies.browserHash(request) || signIn.expiresAt <= now()) throw lost
  if ((await signIns.deleteMany({ id })).deletedCount !== 1) throw lost
  return signIn
}
