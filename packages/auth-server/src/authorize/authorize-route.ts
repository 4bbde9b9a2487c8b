import type { HttpReply, HttpRequest, RouteDefinition } from '@portico/http'
import type { RegisteredClient } from '../clients.ts'
import type { Context } from '../context.ts'
import { OAuthRefusal } from '../errors.ts'
import { PageRefusal } from '../pages/page-refusal.ts'
import { pageRoute } from '../pages/page-route.ts'
import { redirectTo } from '../web/answers.ts'
import { appendParams, type Params, readParams } from '../web/params.ts'
import { checkRequest, known, type RequestedAuthority } from './check-request.ts'
import { readIdTokenHint } from './id-token-hint.ts'
import { checkRedirectUri } from './redirect-uri.ts'
import { continuePath, keepRequest } from './requests.ts'

/**
 * `GET` and `POST /auth/authorize` (RFC 6749 §4.1.1, OpenID Connect Core 3.1.2.1): check a request, store it, and bind
 * it to the browser.
 */
export function authorizeRoutes(context: Context): RouteDefinition[] {
  const label = 'Start an authorization'
  const options = { path: '/auth/authorize', event: 'request' } as const
  return [
    pageRoute(context, {
      ...options,
      method: 'GET',
      label,
      handler: (request) => answer(context, request, readParams(request.query), keep),
    }),
    pageRoute(context, {
      ...options,
      method: 'POST',
      label: `${label} by form POST`,
      handler: (request) => answer(context, request, readParams(request.body), sendOn),
    }),
  ]
}

/** A request that passed all checks. */
interface CheckedRequest extends Recipient {
  readonly asked: RequestedAuthority
  readonly params: Params
  readonly state: string | undefined
}

/** Checks a request and runs the next step. A known client receives errors at its redirect URI. */
async function answer(
  context: Context,
  request: HttpRequest,
  params: Params,
  next: (context: Context, request: HttpRequest, checked: CheckedRequest) => Promise<HttpReply>,
): Promise<HttpReply> {
  const recipient = readRecipient(context, params)
  const { redirectUri, client } = recipient
  const state = stateOf(params)
  try {
    const asked = checkRequest({ params, client, scopes: context.settings.scopes })
    return await next(context, request, { ...recipient, asked, params, state })
  } catch (error) {
    if (!(error instanceof OAuthRefusal)) throw error
    const reason = `${error.code}: ${error.message}`
    await context.audit(request, { event: 'request', outcome: 'refused', reason, clientId: client?.id })
    return answerError(context, { redirectUri, state }, error)
  }
}

async function keep(context: Context, request: HttpRequest, checked: CheckedRequest): Promise<HttpReply> {
  const { asked, redirectUri, client, state, params } = checked
  const { scope, codeChallenge, silent, askConsent, maxAgeSec = null } = asked
  const hintedUserId = silent ? await readHintedUser(context, params) : undefined
  const browser = context.cookies.knowBrowser(request)
  const id = await keepRequest(context, {
    browserHash: browser.hash,
    clientId: client?.id ?? null,
    redirectUri,
    scope,
    state: state ?? null,
    nonce: asked.nonce ?? null,
    codeChallenge,
    silent,
    askConsent,
    signedInAfter: maxAgeSec === null ? null : context.now() - maxAgeSec * 1000,
    prompt: asked.prompt ?? null,
    maxAgeSec,
    loginHint: asked.loginHint ?? null,
    acrValues: asked.acrValues ?? null,
    uiLocales: asked.uiLocales ?? null,
    hintedUserId: hintedUserId ?? null,
  })
  return redirectTo(continuePath(id), browser.setCookie)
}

/** Browsers and servers do not accept longer addresses. */
const MAX_ADDRESS = 12_000

/** The parameters that are copied from the form to the address. */
const forwarded = [...known, 'client_id', 'redirect_uri', 'login_hint', 'id_token_hint', 'acr_values', 'ui_locales']

/**
 * A cross-site form carries no Lax cookies, so the browser is bound at the GET that follows. Here it would count as a
 * new browser and lose a sign-in in progress.
 */
async function sendOn(_: Context, __: HttpRequest, { params }: CheckedRequest): Promise<HttpReply> {
  const values = Object.fromEntries([...new Set(forwarded)].map((name) => [name, params.get(name)]))
  const address = appendParams('/auth/authorize', values)
  if (address.length > MAX_ADDRESS) throw new OAuthRefusal('invalid_request', 'the request is too long')
  return redirectTo(address)
}

/** Nobody can be asked, so a hint without a valid user is refused rather than answered for whoever is signed in. */
async function readHintedUser(context: Context, params: Params): Promise<string | undefined> {
  const hint = params.get('id_token_hint')
  if (hint === undefined) return undefined
  const userId = await readIdTokenHint(context, hint)
  if (userId === undefined) throw new OAuthRefusal('login_required', 'id_token_hint is not an id token of this server')
  return userId
}

/** Redirects to the client with an error. `iss` identifies this server (RFC 9207). */
export function answerError(
  { settings }: Context,
  { redirectUri, state }: { readonly redirectUri: string; readonly state?: string | undefined },
  { code, message }: OAuthRefusal,
): HttpReply {
  return redirectTo(appendParams(redirectUri, { error: code, error_description: message, state, iss: settings.issuer }))
}

interface Recipient {
  readonly redirectUri: string
  readonly client: RegisteredClient | undefined
}

/** The client and its redirect URI. While either is in doubt, nobody is redirected (RFC 6749 §3.1.2.4). */
function readRecipient({ settings }: Context, params: Params): Recipient {
  if (params.repeated(['client_id']).length > 0) throw new PageRefusal('client-unknown')
  const clientId = params.get('client_id')
  const client = clientId === undefined ? undefined : settings.clients.get(clientId)
  if (clientId !== undefined && !client) throw new PageRefusal('client-unknown')
  const redirectUri = params.get('redirect_uri')
  const problem = checkRedirectUri(redirectUri, client)
  if (problem || redirectUri === undefined)
    throw new PageRefusal(problem ?? 'redirect-invalid', { clientId: client?.id })
  return { redirectUri, client }
}

/** A state that is too long to store is refused and not sent back either. */
function stateOf(params: Params): string | undefined {
  const state = params.get('state')
  return state !== undefined && state.length <= 2048 ? state : undefined
}
