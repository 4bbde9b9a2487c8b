import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** What reached the server, in order. */
export interface Seen {
  readonly authorize: URLSearchParams[]
  readonly token: { form: URLSearchParams; headers: IncomingHttpHeaders; method: string }[]
  readonly status: IncomingHttpHeaders[]
}

/** Replaces one endpoint's answer; `form` is the token request's body. */
export type Answer = (response: ServerResponse, form: URLSearchParams, request: IncomingMessage) => void

export interface AuthServerOptions {
  /** Added to the redirect, over what the server would send; `undefined` leaves a parameter out. */
  readonly callback?: Record<string, string | undefined>
  readonly token?: Answer
  readonly status?: Answer
}

export interface AuthServer extends AsyncDisposable {
  readonly url: string
  readonly options: { authorizeUrl: string; tokenUrl: string; statusUrl: string }
  readonly seen: Seen
}

/**
 * A small authorization server for public loopback clients: it signs everybody in at once as `user-1`, binds the code to
 * the redirect URI and the PKCE challenge, lets a code be used once, and refuses a `client_id` with such a code.
 */
export async function startAuthServer(overrides: AuthServerOptions = {}): Promise<AuthServer> {
  const seen: Seen = { authorize: [], token: [], status: [] }
  const codes = new Map<string, URLSearchParams>()
  const tokens = new Set<string>()

  const authorize = (query: URLSearchParams, response: ServerResponse) => {
    seen.authorize.push(query)
    const code = randomBytes(16).toString('hex')
    codes.set(code, query)
    const redirect = new URL(query.get('redirect_uri') ?? '')
    for (const [name, value] of Object.entries({ code, state: query.get('state') ?? '', ...overrides.callback })) {
      if (value !== undefined) redirect.searchParams.set(name, value)
    }
    response.writeHead(302, { location: redirect.href }).end()
  }

  const token = (form: URLSearchParams, response: ServerResponse) => {
    const request = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const granted =
      form.get('grant_type') === 'authorization_code' &&
      !form.has('client_id') &&
      request?.get('redirect_uri') === form.get('redirect_uri') &&
      request?.get('code_challenge') === challenge
    if (!granted) return sendJson(response, 400, { error: 'invalid_grant' })
    const accessToken = `token-${randomBytes(16).toString('hex')}`
    tokens.add(accessToken)
    return sendJson(response, 200, {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: 3600,
      userId: 'user-1',
    })
  }

  const status = (request: IncomingMessage, response: ServerResponse) => {
    const known = tokens.has(request.headers.authorization?.replace(/^Bearer /, '') ?? '')
    sendJson(response, known ? 200 : 401, known ? { userId: 'user-1' } : {})
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://server')
    const form = new URLSearchParams(await text(request))
    if (url.pathname === '/auth/authorize') return authorize(url.searchParams, response)
    if (url.pathname === '/auth/token') {
      seen.token.push({ form, headers: request.headers, method: request.method ?? '' })
      return overrides.token ? overrides.token(response, form, request) : token(form, response)
    }
    if (url.pathname === '/auth/status') {
      seen.status.push(request.headers)
      return overrides.status ? overrides.status(response, form, request) : status(request, response)
    }
    return sendJson(response, 404, {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    seen,
    options: {
      authorizeUrl: `${url}/auth/authorize`,
      tokenUrl: `${url}/auth/token`,
      statusUrl: `${url}/auth/status`,
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** An endpoint that always answers with this JSON. */
export function answerJson(body: unknown, status = 200): Answer {
  return (response) => sendJson(response, status, body)
}
