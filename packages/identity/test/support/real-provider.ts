import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { OidcProvider, type OidcProviderOptions } from '@portico/identity'
import type { ClientMetadata } from 'oidc-provider'
import { MARK } from './failure.ts'
import type { SigningKey } from './keys.ts'

export const redirectUri = 'https://app.example/auth/oauth/work/callback'

/** `oidc-provider` on loopback. Signs everybody in as Ada, and can restart with other keys at the same address. */
export class RealProvider implements AsyncDisposable {
  readonly #server: Server
  readonly #clients: ClientMetadata[]
  /** Puts the claims of the scopes into id tokens, as many providers do. By default they are in userinfo. */
  claimsInIdToken = true
  #handle: (...args: Parameters<Parameters<typeof createServer>[1] & object>) => unknown = () => undefined

  private constructor(server: Server, clients: ClientMetadata[]) {
    this.#server = server
    this.#clients = clients
    server.on('request', (request, response) => this.#handle(request, response))
  }

  static async start(keys: SigningKey[], ...clients: Partial<ClientMetadata>[]): Promise<RealProvider> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const provider = new RealProvider(server, clients.map(describeClient))
    await provider.useKeys(keys)
    return provider
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async useKeys(keys: SigningKey[]): Promise<void> {
    const { Provider } = await import('oidc-provider')
    const methods = new Set(this.#clients.map((it) => it.token_endpoint_auth_method!))
    const provider = new Provider(this.issuer, {
      clients: this.#clients,
      jwks: {
        keys: keys.map(({ privateKey, kid, alg }) => ({ ...privateKey.export({ format: 'jwk' }), kid, alg }) as never),
      },
      clientAuthMethods: [...methods],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
      ...(this.claimsInIdToken && { conformIdTokenClaims: false }),
      cookies: { keys: ['a key for the cookies of a test'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      findAccount: (_, sub) => ({
        accountId: sub,
        claims: () => ({
          sub,
          email: 'ada@x.example',
          email_verified: true,
          name: 'Ada',
          picture: 'https://x.example/a.png',
        }),
      }),
      ttl: { AccessToken: 3600, IdToken: 3600, Session: 3600, Grant: 3600, Interaction: 3600 },
    })
    provider.use(async (context, next) => {
      if (!context.path.startsWith('/interaction/')) return next()
      const { params } = await provider.interactionDetails(context.req, context.res)
      if (params['login_hint'] === 'decline')
        return provider.interactionFinished(context.req, context.res, { error: 'access_denied' })
      const grant = new provider.Grant({ accountId: 'ada', clientId: String(params['client_id']) })
      grant.addOIDCScope(String(params['scope']))
      const consent = { grantId: await grant.save() }
      return provider.interactionFinished(context.req, context.res, { login: { accountId: 'ada' }, consent })
    })
    this.#handle = provider.callback()
  }

  client(id: string, options: Partial<OidcProviderOptions> = {}): OidcProvider {
    const { client_secret: clientSecret } = this.#clients.find((it) => it.client_id === id)!
    return new OidcProvider({ issuer: this.issuer, clientId: id, clientSecret, ...options })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

function describeClient(client: Partial<ClientMetadata>): ClientMetadata {
  return {
    client_id: 'app',
    client_secret: `client secret & more: +% ${MARK}`,
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'client_secret_post',
    id_token_signed_response_alg: 'RS256',
    ...client,
  }
}

/** Opens the URL like a browser, and returns the parameters of the redirect back to the application. */
export async function signInAt(url: string): Promise<URLSearchParams> {
  const cookies = new Map<string, string>()
  let here = new URL(url)
  for (let hops = 0; hops < 10; hops += 1) {
    if (here.href.startsWith(redirectUri)) return here.searchParams
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(here, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = line.match(/^([^=]+)=([^;]*)/) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (!location)
      throw new Error(`the provider stopped at ${here.pathname}: ${response.status} ${await response.text()}`)
    await response.body?.cancel()
    here = new URL(location, here)
  }
  throw new Error('too many redirects')
}
