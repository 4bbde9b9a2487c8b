import type { HttpReply, RouteDefinition } from '@portico/http'
import type { RegisteredClient } from '../clients.ts'
import type { Context } from '../context.ts'
import { OAuthRefusal } from '../errors.ts'
import { PageRefusal } from '../pages/page-refusal.ts'
import { redirectTo } from '../web/answers.ts'
import { pageRoute } from '../web/page-route.ts'
import { appendParams, type Params, readParams } from '../web/params.ts'
import { checkRequest, type RequestedAuthority } from './check-request.ts'
import { checkRedirectUri } from './redirect-uri.ts'
import { continuePath, keepRequest } from './requests.ts'

/** `GET /auth/authorize` (RFC 6749 §4.1.1): takes a request in, fixes what it asks for, and binds it to the browser. */
export function authorizeRoute(context: Context): RouteDefinition {
  const { settings, cookies, audit, now } = context
  return pageRoute(context, {
    method: 'GET',
    path: '/auth/authorize',
    label: 'Start an authorization',
    event: 'request',
    async handler(request) {
      const params = readParams(request.query)
      const recipient = readRecipient(context, params)
      const { redirectUri, client } = recipient
      const clientId = client && { clientId: client.id }
      const state = stateOf(params)
      let asked: RequestedAuthority
      try {
        asked = checkRequest({ params, client, scopes: settings.scopes })
      } catch (error) {
        if (!(error instanceof OAuthRefusal)) throw error
        const reason = `${error.code}: ${error.message}`
        await audit(request, { event: 'request', outcome: 'refused', reason, ...clientId })
        return answerError(context, { redirectUri, state }, error)
      }
      const { maxAgeSec, ...authority } = asked
      const browser = cookies.knowBrowser(request)
      const id = await keepRequest(context, {
        ...authority,
        ...(maxAgeSec !== undefined && { signedInAfter: now() - maxAgeSec * 1000 }),
        ...clientId,
        ...(state !== undefined && { state }),
        redirectUri,
        browserHash: browser.hash,
      })
      return redirectTo(continuePath(id), browser.setCookie)
    },
  })
}

/** Sends a client its refusal. `iss` tells it which server speaks (RFC 9207). */
export function answerError(
  { settings }: Context,
  { redirectUri, state }: { readonly redirectUri: string; readonly state?: string | undefined },
  { code, message }: OAuthRefusal,
): HttpReply {
  return redirectTo(appendParams(redirectUri, { error: code, error_description: message, state, iss: settings.issuer }))
}

/** Who asks, and where the answer goes. While either is in doubt nobody is sent anywhere (RFC 6749 §3.1.2.4). */
function readRecipient(
  { settings }: Context,
  params: Params,
): { redirectUri: string; client: RegisteredClient | undefined } {
  if (params.repeated(['client_id']).length > 0) throw new PageRefusal('client-unknown')
  const clientId = params.get('client_id')
  const client = clientId === undefined ? undefined : settings.clients.get(clientId)
  if (clientId !== undefined && !client) throw new PageRefusal('client-unknown')
  const redirectUri = params.get('redirect_uri')
  const problem = checkRedirectUri(redirectUri, client)
  if (problem || redirectUri === undefined)
    throw new PageRefusal(problem ?? 'redirect-invalid', client && { clientId: client.id })
  return { redirectUri, client }
}

/** A state too long to be kept is refused, and not sent back either. */
function stateOf(params: Params): string | undefined {
  const state = params.get('state')
  return state !== undefined && state.length <= 2048 ? state : undefined
}
