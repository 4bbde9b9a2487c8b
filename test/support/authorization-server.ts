import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** The requests that reached the server, in order. */
interface Seen {
  readonly authorize: URLSearchParams[]
  readonly token: { form: URLSearchParams; headers: IncomingHttpHeaders; method: string }[]
  readonly status: IncomingHttpHeaders[]
}

/** Replaces the response of one endpoint; `form` is the body of the request. */
export type Answer = (response: ServerResponse, form: URLSearchParams, request: IncomingMessage) => void

/** Deviations from correct behaviour. */
export interface Overrides {
  /** Parameters of the redirect that replace those of the server; `undefined` removes one. */
  readonly callback?: Readonly<Record<string, string | undefined>>
  readonly token?: Answer
  readonly status?: Answer
  readonly revoke?: Answer
}

/** The person who signs in, as the status endpoint describes them. */
export interface Person {
  readonly userId: string
  readonly name?: string | undefined
  readonly scope?: string
  /** When their tokens expire, in milliseconds since the epoch. Default: an hour from now, and not in the status. */
  readonly expiresAt?: number
}

interface AuthorizationServerOptions extends Overrides {
  /** Shows a page with links to allow and decline instead of signing in at once. */
  readonly asks?: boolean
  readonly person?: Person
}

export interface AuthorizationServer extends AsyncDisposable {
  readonly url: string
  /** Its endpoints, as options of `authorize`. */
  readonly options: { authorizeUrl: string; tokenUrl: string; statusUrl: string }
  readonly seen: Seen
  /** The tokens that are valid. */
  readonly tokens: Set<string>
  overrides: Overrides
  person: Person
  /** Chooses on the page at this address as a person would, and follows the redirect. */
  answer(address: string, choice: 'Allow' | 'Decline'): Promise<void>
  close(): Promise<void>
}

/**
 * A small authorization server for public loopback clients. It replaces a real one so that tests can make each
 * endpoint fail. It binds a code to its redirect URI and PKCE challenge, accepts it once, and refuses a `client_id`
 * beside it; tokens can be looked up and revoked.
 */
export async function startAuthorizationServer(options: AuthorizationServerOptions = {}): Promise<AuthorizationServer> {
  const { asks = false, person = { userId: 'user-1' }, ...overrides } = options
  const seen: Seen = { authorize: [], token: [], status: [] }
  const requests = new Map<string, URLSearchParams>()
  const tokens = new Set<string>()

  const redirect = (response: ServerResponse, request: URLSearchParams, result: Record<string, string>): void => {
    const target = new URL(request.get('redirect_uri') ?? '')
    const parameters = { ...result, state: request.get('state') ?? '', ...server.overrides.callback }
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined) target.searchParams.set(name, value)
      else target.searchParams.delete(name)
    }
    response.writeHead(302, { location: target.href }).end()
  }

  const authorize = (response: ServerResponse, query: URLSearchParams): void => {
    seen.authorize.push(query)
    const code = randomBytes(16).toString('hex')
    requests.set(code, query)
    if (asks) showPage(response, code)
    else redirect(response, query, { code })
  }

  const decide = (response: ServerResponse, query: URLSearchParams): void => {
    const code = query.get('id') ?? ''
    const request = requests.get(code) ?? new URLSearchParams()
    redirect(response, request, query.get('choice') === 'Allow' ? { code } : { error: 'access_denied' })
  }

  const token: Answer = (response, form) => {
    const code = form.get('code') ?? ''
    const request = requests.get(code)
    requests.delete(code)
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isGranted =
      form.get('grant_type') === 'authorization_code' &&
      !form.has('client_id') &&
      request?.get('redirect_uri') === form.get('redirect_uri') &&
      request?.get('code_challenge') === challenge
    if (!isGranted) return sendJson(response, 400, { error: 'invalid_grant' })
    const accessToken = `token-${randomBytes(16).toString('hex')}`
    tokens.add(accessToken)
    const { userId, expiresAt } = server.person
    const lifetime = expiresAt === undefined ? 3600 : Math.round((expiresAt - Date.now()) / 1000)
    return sendJson(response, 200, { access_token: accessToken, token_type: 'Bearer', expires_in: lifetime, userId })
  }

  const status: Answer = (response, _, { headers }) => {
    const isValid = tokens.has(headers.authorization?.replace(/^Bearer /, '') ?? '')
    sendJson(response, isValid ? 200 : 401, isValid ? server.person : {})
  }

  const revoke: Answer = (response, form) => {
    tokens.delete(form.get('token') ?? '')
    sendJson(response, 200, {})
  }

  const http = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://server')
    const form = new URLSearchParams(await text(request))
    if (pathname === '/auth/authorize') return authorize(response, searchParams)
    if (pathname === '/auth/decide') return decide(response, searchParams)
    if (pathname === '/auth/token') {
      seen.token.push({ form, headers: request.headers, method: request.method ?? '' })
      return (server.overrides.token ?? token)(response, form, request)
    }
    if (pathname === '/auth/status') {
      seen.status.push(request.headers)
      return (server.overrides.status ?? status)(response, form, request)
    }
    if (pathname === '/auth/revoke') return (server.overrides.revoke ?? revoke)(response, form, request)
    return sendJson(response, 404, {})
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const close = async (): Promise<void> => {
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  }
  const server: AuthorizationServer = {
    url,
    options: { authorizeUrl: `${url}/auth/authorize`, tokenUrl: `${url}/auth/token`, statusUrl: `${url}/auth/status` },
    seen,
    tokens,
    overrides,
    person,
    async answer(address, choice) {
      const page = await (await fetch(address)).text()
      const [, link = ''] = page.match(new RegExp(`href="([^"]+)">${choice}`)) ?? []
      await (await fetch(new URL(link, address))).text()
    },
    close,
    [Symbol.asyncDispose]: close,
  }
  return server
}

function showPage(response: ServerResponse, id: string): void {
  const link = (choice: string): string => `<p><a href="/auth/decide?id=${id}&choice=${choice}">${choice}</a></p>`
  const html = `<!doctype html><title>Sign in</title><h1>Sign in?</h1>${link('Allow')}${link('Decline')}`
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** An endpoint that always responds with this JSON. */
export function answerJson(body: unknown, status = 200): Answer {
  return (response) => sendJson(response, status, body)
}
