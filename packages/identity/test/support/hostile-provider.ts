import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type NormalizedProfile, OidcProvider, type OidcProviderOptions } from '@portico/identity'
import { TestClock } from './clock.ts'
import { MARK } from './failure.ts'
import { forge, rsa, type SigningKey, signWith } from './keys.ts'

export const clientId = 'client-1'
export const clientSecret = `client-secret-${MARK}-${'x'.repeat(32)}`
export const accessToken = `access-token-${MARK}`
export const nonce = `nonce-${MARK}`
export const exchangeArgs = {
  code: `code-${MARK}`,
  redirectUri: 'https://app.example/callback',
  codeVerifier: `verifier-${MARK}-${'v'.repeat(32)}`,
  expectedNonce: nonce,
}

export const DISCOVERY = '/.well-known/openid-configuration'
type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

/**
 * An OpenID provider on loopback. It is honest by default. A test can change its metadata, its keys, the header and claims of
 * its id tokens, or the whole response of a path.
 */
export class HostileProvider {
  readonly clock = new TestClock()
  /** The requested paths, in order. */
  readonly requests: string[] = []
  readonly tokenRequests: { headers: IncomingMessage['headers']; form: URLSearchParams }[] = []
  signer: SigningKey = rsa
  keys: unknown[] = [rsa.jwk]
  /** Overrides the honest ones. `undefined` removes one. */
  metadata: Record<string, unknown> = {}
  header: Record<string, unknown> = {}
  claims: Record<string, unknown> = {}
  tokens: Record<string, unknown> = {}
  /** The token endpoint. */
  readonly tokenPaths = new Set(['/token'])
  /** Replaces the token response. */
  refuses: (request: HostileProvider['tokenRequests'][number]) => { status: number; body: object } | undefined = () =>
    undefined
  /** Replaces the response of a path. */
  readonly answers = new Map<string, Answer>()
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(): Promise<HostileProvider> {
    const server = createServer()
    const provider = new HostileProvider(server)
    server.on('request', (request, response) => void provider.#answer(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return provider
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  count(path: string): number {
    return this.requests.filter((it) => it === path).length
  }

  /** Resolves when a path is requested. */
  async asked(path: string): Promise<void> {
    while (this.count(path) === 0) await new Promise((resolve) => setImmediate(resolve))
  }

  /** A client of this provider. */
  client(options: Partial<OidcProviderOptions> = {}): OidcProvider {
    return new OidcProvider({ issuer: this.issuer, clientId, clientSecret, clock: this.clock, ...options })
  }

  signIn(options: Partial<OidcProviderOptions> = {}): Promise<NormalizedProfile> {
    return this.client(options).exchange(exchangeArgs)
  }

  honestClaims(): Record<string, unknown> {
    return {
      iss: this.issuer,
      sub: 'ada',
      aud: clientId,
      iat: this.clock.sec,
      exp: this.clock.sec + 300,
      nonce,
      at_hash: createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url'),
    }
  }

  idToken(): string {
    const header = { alg: this.signer.alg, kid: this.signer.kid, ...this.header }
    return forge(header, { ...this.honestClaims(), ...this.claims }, signWith(this.signer))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '', this.issuer).pathname
    this.requests.push(path)
    const special = this.answers.get(path)
    if (special) return void (await special(request, response))
    if (path === DISCOVERY) return sendJson(response, this.#document())
    if (path === '/jwks') return sendJson(response, { keys: this.keys })
    if (!this.tokenPaths.has(path)) return sendJson(response, {}, 404)
    const asked = { headers: request.headers, form: new URLSearchParams(await text(request)) }
    this.tokenRequests.push(asked)
    const refusal = this.refuses(asked)
    if (refusal) return sendJson(response, refusal.body, refusal.status)
    const honest = { access_token: accessToken, token_type: 'Bearer', id_token: this.idToken() }
    return sendJson(response, { ...honest, ...this.tokens })
  }

  #document(): object {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/jwks`,
      ...this.metadata,
    }
  }
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
