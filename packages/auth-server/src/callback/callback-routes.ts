import type { HttpReply, HttpRequest, RouteDefinition } from '@portico/http'
import { type ExchangeArgs, type NormalizedProfile, readCallback } from '@portico/identity'
import { auditChanges } from '../accounts/audit-changes.ts'
import { tidyProfile } from '../accounts/tidy-profile.ts'
import { keepConnection } from '../connect/keep-connection.ts'
import { refuseConnection } from '../connect/refuse-connection.ts'
import type { Context } from '../context.ts'
import { completeInvitation } from '../invitation/complete-invitation.ts'
import { completeLink } from '../link/complete-link.ts'
import { keepLink, linkPath } from '../link/pending-links.ts'
import { PageRefusal } from '../pages/page-refusal.ts'
import { pageRoute } from '../pages/page-route.ts'
import { startSession } from '../session/start-session.ts'
import { providerOf, refusalOf, signInPath } from '../sign-in/sign-in-routes.ts'
import { readSignInId, takeSignIn } from '../sign-in/sign-ins.ts'
import type { SignIn } from '../tables/sign-ins.portico.ts'
import { redirectTo } from '../web/answers.ts'
import { appendParams } from '../web/params.ts'
import { keepFormPost, takeFormPost } from './form-posts.ts'
import { isPromptRefused, retrySignIn } from './retry-sign-in.ts'

const MAX_DESCRIPTION = 200

/**
 * The return from a provider: by `GET`, or by a form `POST` that is stored until the browser comes back with its
 * cookies.
 */
export function callbackRoutes(context: Context): RouteDefinition[] {
  const path = '/auth/oauth/:provider/callback'
  return [
    pageRoute(context, {
      method: 'GET',
      path,
      label: 'Return from a provider',
      event: 'sign-in',
      async handler(request) {
        const provider = providerOf(context, request)
        const query = new URLSearchParams(request.url.slice(request.url.indexOf('?') + 1))
        const kept = query.get('form_post')
        const params = kept === null ? query : await takeFormPost(context, kept, provider)
        return finishSignIn(context, request, provider, params)
      },
    }),
    pageRoute(context, {
      method: 'POST',
      path,
      label: 'Return from a provider by form POST',
      event: 'sign-in',
      async handler(request) {
        const provider = providerOf(context, request)
        const fields = readFields(request.body)
        // Nothing is stored for strangers: the state must be one of ours.
        await readSignInId(context, provider, fields.get('state') ?? undefined)
        // A cross-site POST carries no Lax cookies. They come with the GET that follows.
        const address = context.registry.callbackPath(provider)
        return redirectTo(appendParams(address, { form_post: await keepFormPost(context, fields) }))
      },
    }),
  ]
}

/**
 * The fields that `readCallback` uses. Anybody can obtain a state and post to this route, so nothing else is stored.
 */
function readFields(body: unknown): URLSearchParams {
  const given = body as Readonly<Record<string, string | string[]>>
  const fields = new URLSearchParams()
  for (const name of ['state', 'code', 'error', 'error_description', 'user', 'iss'])
    for (const one of Object.hasOwn(given, name) ? [given[name]!].flat() : []) fields.append(name, one)
  return fields
}

async function finishSignIn(
  context: Context,
  request: HttpRequest,
  provider: string,
  params: URLSearchParams,
): Promise<HttpReply> {
  const signInId = await readSignInId(context, provider, params.get('state') ?? undefined)
  const signIn = await takeSignIn(context, request, signInId, provider)
  let profile: NormalizedProfile
  try {
    profile = tidyProfile(await exchange(context, signIn, params), context.now())
  } catch (error) {
    if (isPromptRefused(error, signIn)) return retrySignIn(context, request, signIn)
    const refusal = refusalOf(error, request, provider, signIn.returnTo, describeError(params))
    throw signIn.connectTo === undefined ? refusal : await refuseConnection(context, request, signIn, refusal)
  }
  const { linkId, invitationId, connectTo } = signIn
  if (linkId !== undefined) return completeLink(context, request, linkId, profile)
  if (connectTo !== undefined) return keepConnection(context, request, signIn, profile)
  if (invitationId !== undefined) return completeInvitation(context, request, invitationId, signIn, profile)
  return completeSignIn(context, request, signIn, profile)
}

/** The provider's error description, for the log. It is untrusted, so it is truncated and made printable. */
function describeError(params: URLSearchParams): { description?: string } {
  const text = params.get('error_description')?.replace(/[^\x20-\x7e]/g, '')
  return text ? { description: text.slice(0, MAX_DESCRIPTION) } : {}
}

async function exchange({ registry }: Context, signIn: SignIn, params: URLSearchParams): Promise<NormalizedProfile> {
  await registry.require(signIn.provider).checkCallback?.(params)
  const { code, user } = readCallback(params)
  const args: ExchangeArgs & { user?: string } = {
    code,
    redirectUri: registry.redirectUri(signIn.provider),
    codeVerifier: signIn.codeVerifier,
    expectedNonce: signIn.nonce,
    // Some providers send the name of the person with the first sign-in, beside the code.
    ...(user !== undefined && { user }),
  }
  return registry.require(signIn.provider).exchange(args)
}

async function completeSignIn(
  context: Context,
  request: HttpRequest,
  signIn: SignIn,
  profile: NormalizedProfile,
): Promise<HttpReply> {
  const { provider, returnTo, browserHash } = signIn
  const outcome = await context.logins.resolveUser(profile)
  if (outcome.kind === 'denied') throw new PageRefusal(outcome.reason, { again: signInPath(returnTo), provider })
  if (outcome.kind === 'needs-link') {
    const userId = outcome.candidateUserId
    // Nobody has signed in to a pending account yet, so only the invitation can prove it.
    if (await context.users.isPending(userId)) throw new PageRefusal('invitation-needed', { userId, provider })
    await context.audit(request, { event: 'sign-in', outcome: 'refused', reason: 'needs-link', userId, provider })
    return redirectTo(linkPath(await keepLink(context, { profile, userId, returnTo, browserHash })))
  }
  await auditChanges(context, request, outcome, provider)
  return startSession(context, request, { userId: outcome.userId, profile, returnTo, requestId: signIn.requestId })
}
