import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** What the server does other than it should. */
export interface Faults {
  readonly token?: number
  readonly revoke?: number
  readonly status?: number
  /** What it calls the person, instead of `ada`. */
  readonly userId?: string
  readonly name?: string | undefined
  /** What it says that the token has. */
  readonly scope?: string
  /** When it says that tokens expire, in milliseconds since the epoch. */
  readonly expiresAt?: number
  /** Added to the redirect, over what belongs there. */
  readonly callback?: Readonly<Record<string, string>>
}

export interface AuthorizationServer {
  readonly url: string
  /** The tokens that hold. */
  readonly tokens: ReadonlySet<string>
  faults: Faults
  /** Answers the page at this address as a person would, and goes where that leads. */
  answer(address: string, choice: 'Allow' | 'Decline'): Promise<void>
  close(): Promise<void>
}

/**
 * A small authorization server for loopback clients: a page with two links to allow and decline, codes bound to their
 * redirect URI and PKCE challenge, tokens of one person that can be asked about and revoked.
 */
export async function startAuthorizationServer(): Promise<AuthorizationServer> {
  const requests = new Map<string, URLSearchParams>()
  const tokens = new Set<string>()
  const expiresAt = Date.now() + 3_600_000

  const routes: Record<string, (query: URLSearchParams, form: URLSearchParams, request: IncomingMessage) => Reply> = {
    'GET /auth/authorize'(query) {
      const id = randomBytes(8).toString('hex')
      requests.set(id, query)
      const link = (name: string) => `<p><a href="/auth/decide?id=${id}&choice=${name}">${name}</a></p>`
      return {
        status: 200,
        html: `<!doctype html><title>Sign in</title><h1>Sign in?</h1>${link('Allow')}${link('Decline')}`,
      }
    },
    'GET /auth/decide'(query) {
      const asked = requests.get(query.get('id') ?? '')
      const redirect = new URL(asked?.get('redirect_uri') ?? '')
      const granted = query.get('choice') === 'Allow' ? { code: query.get('id') ?? '' } : { error: 'access_denied' }
      for (const [name, value] of Object.entries({
        state: asked?.get('state') ?? '',
        ...granted,
        ...server.faults.callback,
      }))
        redirect.searchParams.set(name, value)
      return { status: 302, location: redirect.href }
    },
    'POST /auth/token'(_, form) {
      const asked = requests.get(form.get('code') ?? '')
      requests.delete(form.get('code') ?? '')
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      const granted =
        asked?.get('redirect_uri') === form.get('redirect_uri') && asked?.get('code_challenge') === challenge
      if (!granted || form.has('client_id')) return { status: 400, json: { error: 'invalid_grant' } }
      const token = `token-${randomBytes(16).toString('hex')}`
      tokens.add(token)
      const { userId = 'ada', expiresAt: until = expiresAt } = server.faults
      const lifetime = Math.round((until - Date.now()) / 1000)
      return { status: 200, json: { access_token: token, token_type: 'Bearer', expires_in: lifetime, userId } }
    },
    'GET /auth/status'(_, __, { headers }) {
      const holds = tokens.has(headers.authorization?.replace('Bearer ', '') ?? '')
      return holds
        ? { status: 200, json: { userId: 'ada', name: 'Ada\u001b Lovelace', expiresAt, ...server.faults } }
        : { status: 401, json: {} }
    },
    'POST /auth/revoke'(_, form) {
      tokens.delete(form.get('token') ?? '')
      return { status: 200, json: {} }
    },
  }

  const http = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://server')
    const form = new URLSearchParams(await text(request))
    const fault = server.faults[url.pathname.split('/')[2] as 'token' | 'revoke' | 'status']
    const route = routes[`${request.method} ${url.pathname}`]
    send(response, fault ? { status: fault, json: {} } : (route?.(url.searchParams, form, request) ?? { status: 404 }))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  const server: AuthorizationServer = {
    url: `http://127.0.0.1:${port}`,
    tokens,
    faults: {},
    async answer(address, choice) {
      const page = await (await fetch(address)).text()
      const [, link = ''] = page.match(new RegExp(`href="([^"]+)">${choice}`)) ?? []
      await (await fetch(new URL(link, address))).text()
    },
    async close() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
  onTestFinished(() => server.close())
  return server
}

interface Reply {
  readonly status: number
  readonly html?: string
  readonly json?: unknown
  readonly location?: string
}

function send(response: ServerResponse, { status, html, json, location }: Reply): void {
  const type = html === undefined ? 'application/json' : 'text/html; charset=utf-8'
  response.writeHead(status, { 'content-type': type, ...(location && { location }) }).end(html ?? JSON.stringify(json))
}
