import type { HttpReply, HttpRequest, RouteDefinition } from '@portico/http'
import { type ExchangeArgs, type NormalizedProfile, readCallback } from '@portico/identity'
import type { Context } from '../context.ts'
import { completeLink } from '../link/complete-link.ts'
import { keepLink, linkPath } from '../link/pending-links.ts'
import { PageRefusal } from '../pages/page-refusal.ts'
import type { SignIn } from '../tables/sign-ins.portico.ts'
import { redirectTo } from '../web/answers.ts'
import { pageRoute } from '../web/page-route.ts'
import { appendParams } from '../web/params.ts'
import { keepFormPost, takeFormPost } from './form-posts.ts'
import { providerOf, refusalOf, signInPath } from './sign-in-routes.ts'
import { startSession } from './start-session.ts'
import { readVisitId, takeVisit } from './visits.ts'

/** The way back from a provider: `GET`, or a form `POST` that is kept until the browser comes with its cookies. */
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
        return finishVisit(context, request, provider, params)
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
        // Nothing is kept for a stranger: the state must be one of ours.
        await readVisitId(context, provider, fields.get('state') ?? undefined)
        // The POST comes from another site, so Lax cookies stay at home; they come with the GET that follows.
        const address = context.registry.callbackPath(provider)
        return redirectTo(appendParams(address, { form_post: await keepFormPost(context, fields) }))
      },
    }),
  ]
}

/** What counts of a form (`readCallback`). Anybody can get a state and post to it, so nothing else is kept. */
function readFields(body: unknown): URLSearchParams {
  const given = body as Readonly<Record<string, string | string[]>>
  const fields = new URLSearchParams()
  for (const name of ['state', 'code', 'error', 'user'])
    for (const one of Object.hasOwn(given, name) ? [given[name]!].flat() : []) fields.append(name, one)
  return fields
}

async function finishVisit(
  context: Context,
  request: HttpRequest,
  provider: string,
  params: URLSearchParams,
): Promise<HttpReply> {
  const visitId = await readVisitId(context, provider, params.get('state') ?? undefined)
  const visit = await takeVisit(context, request, visitId, provider)
  let profile: NormalizedProfile
  try {
    profile = await exchange(context, visit, params)
  } catch (error) {
    throw refusalOf(error, request, provider, visit.returnTo)
  }
  return visit.linkId === undefined
    ? signIn(context, request, visit, profile)
    : completeLink(context, request, visit.linkId, profile)
}

function exchange({ registry }: Context, visit: SignIn, params: URLSearchParams): Promise<NormalizedProfile> {
  const { code, user } = readCallback(params)
  const args: ExchangeArgs & { user?: string } = {
    code,
    redirectUri: registry.redirectUri(visit.provider),
    codeVerifier: visit.codeVerifier,
    expectedNonce: visit.nonce,
    // Some providers send a person's name with the first sign-in, beside the code.
    ...(user !== undefined && { user }),
  }
  return registry.require(visit.provider).exchange(args)
}

async function signIn(
  context: Context,
  request: HttpRequest,
  { provider, returnTo, browserHash }: SignIn,
  profile: NormalizedProfile,
): Promise<HttpReply> {
  const outcome = await context.logins.resolveUser(profile)
  if (outcome.kind === 'denied') throw new PageRefusal(outcome.reason, { again: signInPath(returnTo), provider })
  if (outcome.kind === 'needs-link') {
    const userId = outcome.candidateUserId
    await context.audit(request, { event: 'sign-in', outcome: 'refused', reason: 'needs-link', userId, provider })
    return redirectTo(linkPath(await keepLink(context, { profile, userId, returnTo, browserHash })))
  }
  return startSession(context, request, { userId: outcome.userId, profile, returnTo })
}
