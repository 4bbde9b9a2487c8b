import type { HttpRequest, RouteDefinition } from '@portico/http'
import { OAuthError, safeRedirect } from '@portico/identity'
import type { Context } from '../context.ts'
import { readInvitation } from '../invitation/find-invitation.ts'
import { findLink } from '../link/pending-links.ts'
import { PageRefusal } from '../pages/page-refusal.ts'
import { pageRoute } from '../pages/page-route.ts'
import { redirectTo } from '../web/answers.ts'
import { appendParams, type Params, readParams } from '../web/params.ts'
import { findAuthorizationRequest, type PagePrompt, providerRequestOf, readPrompt } from './provider-request.ts'
import { startSignIn } from './sign-ins.ts'

/** `GET /auth/sign-in` is the page that lists the providers; `GET /auth/oauth/:provider/start` redirects to one. */
export function signInRoutes(context: Context): RouteDefinition[] {
  const { pages, cookies, settings } = context
  return [
    pageRoute(context, {
      method: 'GET',
      path: '/auth/sign-in',
      label: 'Sign in',
      event: 'sign-in',
      async handler(request) {
        const params = readParams(request.query)
        const returnTo = safeRedirect(params.get('return_to') ?? '/', settings.origin)
        return pages.signIn(returnTo, readPrompt(params.get('prompt')))
      },
    }),
    pageRoute(context, {
      method: 'GET',
      path: '/auth/oauth/:provider/start',
      label: 'Sign in with a provider',
      event: 'sign-in',
      async handler(request) {
        const provider = providerOf(context, request)
        const params = readParams(request.query)
        const linkId = params.get('link')
        const link = linkId === undefined ? undefined : await findLink(context, request, linkId)
        const returnTo = link?.returnTo ?? safeRedirect(readReturnTo(params), settings.origin)
        const invitationId = await readInvitation(context, params.get('invitation'))
        const asked = await findAuthorizationRequest(context, request, returnTo)
        const providerRequest = providerRequestOf(asked, readPrompt(params.get('prompt')))
        const browser = cookies.knowBrowser(request)
        try {
          const signIn = { provider, browserHash: browser.hash, returnTo, linkId, invitationId, requestId: asked?.id }
          const address = await startSignIn(context, { ...signIn, providerRequest })
          return redirectTo(address, browser.setCookie)
        } catch (error) {
          throw refusalOf(error, request, provider, returnTo)
        }
      },
    }),
  ]
}

/** Ample for a path of this site. It is stored with every sign-in. */
const MAX_RETURN_TO = 2048

function readReturnTo(params: Params): string {
  const returnTo = params.get('return_to') ?? '/'
  if (returnTo.length > MAX_RETURN_TO) throw new PageRefusal('malformed')
  return returnTo
}

/** The provider named by the path. */
export function providerOf({ registry }: Context, { params }: HttpRequest): string {
  const { provider } = params as { provider: string }
  if (!registry.has(provider)) throw new PageRefusal('provider-unknown')
  return provider
}

/** The refusal to show if a provider fails. The audit gets the type of the error, the log the details. */
export function refusalOf(
  error: unknown,
  request: HttpRequest,
  provider: string,
  returnTo: string,
  more: Readonly<Record<string, unknown>> = {},
): unknown {
  if (!(error instanceof OAuthError)) return error
  if (error.type === 'STATE_INVALID')
    return new PageRefusal('sign-in-lost', { again: signInPath(returnTo), provider, reason: error.type })
  const problem = isDeclined(error) ? 'provider-declined' : 'provider-failed'
  const { type, details, message } = error
  // Usually a setting is wrong, such as the issuer or the client secret. The operator needs to know.
  if (problem === 'provider-failed') request.log.warn({ provider, type, details: { ...details, ...more } }, message)
  return new PageRefusal(problem, { again: signInPath(returnTo), provider, reason: error.type })
}

/** True if the person declined. Every other error response of a provider is a failure. */
function isDeclined({ type, details }: OAuthError): boolean {
  return type === 'PROVIDER_DENIED' && details['error'] === 'access_denied'
}

/** The address of the sign-in page that returns the person to where they were going. */
export function signInPath(returnTo: string, prompt?: PagePrompt): string {
  return appendParams('/auth/sign-in', { return_to: returnTo, prompt })
}
