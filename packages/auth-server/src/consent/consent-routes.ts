import type { HttpReply, HttpRequest, RouteDefinition } from '@portico/http'
import { answerError } from '../authorize/authorize-route.ts'
import { continuePath, findRequest, takeRequest } from '../authorize/requests.ts'
import type { RegisteredClient } from '../clients.ts'
import type { Context } from '../context.ts'
import { OAuthRefusal } from '../errors.ts'
import { PageRefusal } from '../pages/page-refusal.ts'
import { pageRoute } from '../pages/page-route.ts'
import { viewProvider } from '../pages/provider-view.ts'
import { narrowToClient, narrowToRoles, readScope } from '../scope.ts'
import { isFreshFor, isMadeFor } from '../session/freshness.ts'
import { signInPath } from '../sign-in/sign-in-routes.ts'
import type { LiveSession } from '../stores/sessions.ts'
import { nameOf } from '../stores/user-store.ts'
import type { AuthorizationRequest } from '../tables/grants.portico.ts'
import { issueCode, withdrawCode } from '../token/codes.ts'
import { redirectTo } from '../web/answers.ts'
import { appendParams, readParams } from '../web/params.ts'
import { isConsentKnown, isGranted, rememberConsent } from './consents.ts'

/**
 * `GET /auth/continue` moves a request to its next step: the sign-in, the consent page, or the response. `POST
 * /auth/consent` takes the decision.
 */
export function consentRoutes(context: Context): RouteDefinition[] {
  return [
    pageRoute(context, {
      method: 'GET',
      path: '/auth/continue',
      label: 'Continue an authorization',
      event: 'consent',
      async handler(request) {
        const found = await findRequest(context, request, readParams(request.query).get('request'))
        const session = await findSession(context, request, found)
        if (!session)
          return found.silent || (await cannotSatisfy(context, request, found))
            ? refuse(context, request, found, 'login_required')
            : redirectTo(signInPath(continuePath(found.id)))
        const asked = narrow(context, found, session)
        const client = clientOf(context, asked)
        const mayPass = !asked.askConsent && (await isConsentKnown(context, session.userId, client, asked))
        if (mayPass) return grant(context, request, asked, session, 'before')
        return asked.silent
          ? refuse(context, request, asked, 'consent_required')
          : showConsent(context, asked, client, session)
      },
    }),
    pageRoute(context, {
      method: 'POST',
      path: '/auth/consent',
      label: 'Answer the consent page',
      event: 'consent',
      async handler(request) {
        const form = readParams(request.body)
        const found = await findRequest(context, request, form.get('request'))
        const session = await findSession(context, request, found)
        if (!session) return redirectTo(continuePath(found.id))
        const asked = narrow(context, found, session)
        if (!context.forms.isGenuine(request, form.get('form_token'), ...aboutForm(asked, session)))
          throw new PageRefusal('form-foreign', { again: continuePath(asked.id), userId: session.userId })
        const decision = form.get('decision')
        if (decision === 'deny') return refuse(context, request, asked, 'access_denied', session.userId)
        if (decision !== 'allow') throw new PageRefusal('malformed', { again: continuePath(asked.id) })
        return grant(context, request, asked, session, 'now')
      },
    }),
  ]
}

/** The session, if it is recent enough for the request and belongs to the user that the request names. */
async function findSession(
  { sessions }: Context,
  request: HttpRequest,
  asked: AuthorizationRequest,
): Promise<LiveSession | undefined> {
  const session = await sessions.find(request)
  const isAsked = asked.hintedUserId === undefined || session?.userId === asked.hintedUserId
  return session && isAsked && isFreshFor(session, asked) ? session : undefined
}

/**
 * True if the person has just signed in for this request and it is still not satisfied: the provider did not ask them
 * again, or does not report when it last did.
 */
async function cannotSatisfy(
  { sessions }: Context,
  request: HttpRequest,
  asked: AuthorizationRequest,
): Promise<boolean> {
  const session = await sessions.find(request)
  return session !== undefined && isMadeFor(session, asked)
}

/** The registered client of a request; `undefined` for a loopback client. A removed client gets no response. */
function clientOf({ settings }: Context, { clientId }: AuthorizationRequest): RegisteredClient | undefined {
  const client = clientId === undefined ? undefined : settings.clients.get(clientId)
  if (clientId !== undefined && !client) throw new PageRefusal('client-unknown')
  return client
}

/** The request without the scopes that this person cannot grant: they are not offered, and the token lacks them. */
function narrow(context: Context, asked: AuthorizationRequest, { roles }: LiveSession): AuthorizationRequest {
  const { scopes } = context.settings
  const names = narrowToClient(scopes, readScope(asked.scope), clientOf(context, asked))
  return { ...asked, scope: narrowToRoles(scopes, names, roles).join(' ') }
}

/** A consent form is bound to this request, browser and session, and to the scopes that it showed. */
function aboutForm(asked: AuthorizationRequest, session: LiveSession): string[] {
  return ['consent', asked.browserHash, session.id, asked.id, asked.scope]
}

async function showConsent(
  { pages, users, forms, settings, registry }: Context,
  asked: AuthorizationRequest,
  client: RegisteredClient | undefined,
  session: LiveSession,
): Promise<HttpReply> {
  return pages.consent({
    client,
    redirectUri: asked.redirectUri,
    scopes: readScope(asked.scope).map((name) => settings.scopes[name]?.label ?? name),
    person: nameOf(await users.findById(session.userId)),
    provider: registry.has(session.provider) ? viewProvider(settings, session.provider) : undefined,
    requestId: asked.id,
    formToken: forms.sign(...aboutForm(asked, session)),
    here: continuePath(asked.id),
  })
}

async function grant(
  context: Context,
  request: HttpRequest,
  asked: AuthorizationRequest,
  session: LiveSession,
  said: 'now' | 'before',
): Promise<HttpReply> {
  const { userId } = session
  const client = clientOf(context, asked)
  await takeRequest(context, asked)
  // Consent given before is stored already, or has been withdrawn since and must not be stored again.
  if (client && said === 'now') await rememberConsent(context, userId, client, asked)
  const code = await issueCode(context, asked, session)
  // Withdrawing consent deletes the consent before the codes; here the code is created before consent is checked again.
  // So in every order of these four steps no code outlives its consent, without a transaction.
  if (client && !(await isGranted(context, userId, client, asked))) {
    await withdrawCode(context, code)
    return sendRefusal(context, request, asked, asked.silent ? 'consent_required' : 'access_denied', userId)
  }
  // `endAll` deletes sessions before codes, so no code outlives the session that it was created in either.
  if (!(await context.sessions.find(request))) {
    await withdrawCode(context, code)
    return sendRefusal(context, request, asked, asked.silent ? 'login_required' : 'access_denied', userId)
  }
  await context.audit(request, { event: 'consent', outcome: 'granted', userId, clientId: client?.id })
  const { redirectUri, state } = asked
  return redirectTo(appendParams(redirectUri, { code, state, iss: context.settings.issuer }))
}

const refusals = {
  access_denied: 'the person said no',
  login_required: 'nobody is signed in, or the sign-in is not recent enough',
  consent_required: 'the person has to be asked for consent',
} as const

async function refuse(
  context: Context,
  request: HttpRequest,
  asked: AuthorizationRequest,
  code: keyof typeof refusals,
  userId?: string,
): Promise<HttpReply> {
  await takeRequest(context, asked)
  return sendRefusal(context, request, asked, code, userId)
}

async function sendRefusal(
  context: Context,
  request: HttpRequest,
  asked: AuthorizationRequest,
  code: keyof typeof refusals,
  userId?: string,
): Promise<HttpReply> {
  const { clientId } = asked
  await context.audit(request, { event: 'consent', outcome: 'refused', reason: code, userId, clientId })
  return answerError(context, asked, new OAuthRefusal(code, refusals[code]))
}
