import type { HttpReply, HttpRequest, RouteDefinition } from '@portico/http'
import { type FederatedIdentity, IdentityConflictError } from '@portico/identity'
import type { Context } from '../context.ts'
import { findLink, profileOf, takeLink } from '../link/pending-links.ts'
import { capitalize } from '../pages/capitalize.ts'
import { identityLabel } from '../pages/identity-label.ts'
import { PageRefusal } from '../pages/page-refusal.ts'
import { pageRoute } from '../pages/page-route.ts'
import { viewProvider } from '../pages/provider-view.ts'
import { providerOf, refusalOf, signInPath } from '../sign-in/sign-in-routes.ts'
import { startSignIn } from '../sign-in/sign-ins.ts'
import type { LiveSession } from '../stores/sessions.ts'
import { nameOf } from '../stores/user-store.ts'
import type { PendingLink } from '../tables/sign-ins.portico.ts'
import { redirectTo } from '../web/answers.ts'
import { appendParams, type Params, readParams } from '../web/params.ts'
import { disconnect, isUsable } from './disconnect.ts'
import { accountPath } from './paths.ts'

/** The maximum age of the sign-in for changing the ways to sign in. */
const RECENT_MS = 600_000

/**
 * `GET /auth/account` lists the ways to sign in. `POST …/connect/:provider` goes to another provider, `…/confirm`
 * connects the identity that came back, `…/disconnect` removes one. Changes need a recent sign-in.
 */
export function connectRoutes(context: Context): RouteDefinition[] {
  const event = 'link'
  return [
    pageRoute(context, {
      method: 'GET',
      path: accountPath,
      label: 'Ways to sign in',
      event,
      async handler(request) {
        const session = await context.sessions.find(request)
        return session ? showAccount(context, session, readParams(request.query)) : redirectTo(signInPath(accountPath))
      },
    }),
    pageRoute(context, {
      method: 'GET',
      path: `${accountPath}/confirm`,
      label: 'Confirm a connection',
      event,
      handler: (request) => whenRecent(context, request, showConnection),
    }),
    pageRoute(context, {
      method: 'POST',
      path: `${accountPath}/connect/:provider`,
      label: 'Connect a provider',
      event,
      handler: (request) => whenRecent(context, request, startConnection),
    }),
    pageRoute(context, {
      method: 'POST',
      path: `${accountPath}/confirm`,
      label: 'Connect the confirmed identity',
      event,
      handler: (request) => whenRecent(context, request, confirmConnection),
    }),
    pageRoute(context, {
      method: 'POST',
      path: `${accountPath}/disconnect`,
      label: 'Disconnect a provider',
      event,
      handler: (request) => whenRecent(context, request, endConnection),
    }),
  ]
}

type Step = (context: Context, request: HttpRequest, session: LiveSession) => Promise<HttpReply>

async function whenRecent(context: Context, request: HttpRequest, step: Step): Promise<HttpReply> {
  const session = await context.sessions.find(request)
  return session && isRecent(context, session)
    ? step(context, request, session)
    : redirectTo(signInPath(accountPath, 'login'))
}

/**
 * True if the provider authenticated the person recently. A provider that reports no time was asked for a fresh
 * sign-in, so the time of the return counts.
 */
function isRecent({ now }: Context, { authenticatedAt, createdAt }: LiveSession): boolean {
  return (authenticatedAt ?? createdAt) >= now() - RECENT_MS
}

async function showAccount(context: Context, session: LiveSession, params: Params): Promise<HttpReply> {
  const { pages, identities, users, settings, registry, forms } = context
  const canChange = isRecent(context, session)
  const own = await identities.listForUser(session.userId)
  const isLast = (id: string): boolean => !own.some((it) => it.id !== id && isUsable(context, it))
  const sign = (about: string): string => forms.sign(...aboutForm(session, about))
  return pages.account({
    person: nameOf(await users.findById(session.userId)),
    done: describeDone(context, own, params),
    again: canChange ? undefined : signInPath(accountPath, 'login'),
    identities: own.map((it) => ({
      id: it.id,
      provider: viewProvider(settings, it.provider),
      who: identityLabel(it),
      linkedAt: it.linkedAt,
      lastLoginAt: it.lastLoginAt,
      formToken: canChange && !isLast(it.id) ? sign(`disconnect ${it.id}`) : undefined,
    })),
    others: registry.ids().map((id) => ({ provider: viewProvider(settings, id), formToken: sign(`connect ${id}`) })),
  })
}

/**
 * The message after a change. Anybody can write the address that names the provider, so it is checked against the
 * account.
 */
function describeDone(
  { registry, settings }: Context,
  own: readonly FederatedIdentity[],
  params: Params,
): string | undefined {
  const [connected = '', disconnected = ''] = [params.get('connected'), params.get('disconnected')]
  const has = (provider: string): boolean => own.some((it) => it.provider === provider)
  if (has(connected)) return `${capitalize(settings.labelOf(connected))} is connected. You can use it to sign in.`
  if (registry.has(disconnected) && !has(disconnected))
    return `${capitalize(settings.labelOf(disconnected))} is disconnected. It can no longer be used to sign in to your account.`
  return undefined
}

const startConnection: Step = async (context, request, session) => {
  const provider = providerOf(context, request)
  checkForm(context, request, readParams(request.body), session, `connect ${provider}`)
  const { hash: browserHash, setCookie } = context.cookies.knowBrowser(request)
  const signIn = { provider, browserHash, returnTo: accountPath, connectTo: session.userId }
  try {
    return redirectTo(
      await startSignIn(context, { ...signIn, providerRequest: { prompt: 'select_account' } }),
      setCookie,
    )
  } catch (error) {
    throw refusalOf(error, request, provider, accountPath)
  }
}

const showConnection: Step = async (context, request, session) => {
  const link = await findOwnLink(context, request, session, readParams(request.query))
  return context.pages.confirmConnection({
    provider: viewProvider(context.settings, link.provider),
    who: identityLabel(link),
    person: nameOf(await context.users.findById(session.userId)),
    linkId: link.id,
    formToken: context.forms.sign(...aboutForm(session, `confirm ${link.id}`)),
  })
}

const confirmConnection: Step = async (context, request, session) => {
  const form = readParams(request.body)
  const link = await findOwnLink(context, request, session, form)
  checkForm(context, request, form, session, `confirm ${link.id}`)
  const { userId, provider, subject } = link
  await takeLink(context, link)
  try {
    await context.logins.linkIdentity({ provider, subject, userId, profile: profileOf(link) })
  } catch (error) {
    if (!(error instanceof IdentityConflictError)) throw error
    throw new PageRefusal('connect-taken', { again: accountPath, userId, provider })
  }
  await context.audit(request, { event: 'link', outcome: 'granted', userId, provider })
  return redirectTo(appendParams(accountPath, { connected: provider }))
}

const endConnection: Step = async (context, request, session) => {
  const form = readParams(request.body)
  const id = form.get('identity') ?? ''
  checkForm(context, request, form, session, `disconnect ${id}`)
  const { userId } = session
  const identity = (await context.identities.listForUser(userId)).find((it) => it.id === id)
  if (!identity) return redirectTo(accountPath)
  const { provider } = identity
  if (!(await disconnect(context, identity, session)))
    throw new PageRefusal('connect-last', { again: accountPath, userId, provider })
  await context.audit(request, { event: 'link', outcome: 'granted', userId, provider, reason: 'disconnected' })
  return redirectTo(appendParams(accountPath, { disconnected: provider }))
}

/** A form is bound to this session and to what its button does. */
function aboutForm({ id, userId }: LiveSession, about: string): string[] {
  return ['account', id, userId, about]
}

function checkForm({ forms }: Context, request: HttpRequest, form: Params, session: LiveSession, about: string): void {
  if (!forms.isGenuine(request, form.get('form_token'), ...aboutForm(session, about)))
    throw new PageRefusal('form-foreign', { again: accountPath, userId: session.userId })
}

/** A pending link to the account of the person who is signed in. */
async function findOwnLink(
  context: Context,
  request: HttpRequest,
  { userId }: LiveSession,
  params: Params,
): Promise<PendingLink> {
  const link = await findLink(context, request, params.get('link') ?? '')
  if (link.userId !== userId) throw new PageRefusal('link-lost', { again: accountPath, userId })
  return link
}
