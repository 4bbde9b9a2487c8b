import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ClientMetadata, Configuration } from 'oidc-provider'

export interface OpenidProvider extends AsyncDisposable {
  readonly issuer: string
}

/**
 * A real OpenID provider (`oidc-provider`) on loopback that signs in immediately as this account and consents to
 * all scopes. A request with `login_hint=decline` is declined instead.
 */
export async function startOpenidProvider(clients: ClientMetadata[], accountId: string): Promise<OpenidProvider> {
  const { Provider } = await import('oidc-provider')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const configuration: Configuration = {
    clients,
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'test' } as never] },
    // Pages of other origins exchange codes too.
    clientBasedCORS: () => true,
    clientAuthMethods: ['none', 'client_secret_post', 'client_secret_basic'],
    cookies: { keys: ['a key for the cookies of a test'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
    ttl: { AccessToken: 3600, IdToken: 3600, Session: 3600, Grant: 3600, Interaction: 3600 },
  }
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, configuration)
  provider.use(async (context, next) => {
    if (!context.path.startsWith('/interaction/')) return next()
    const { params } = await provider.interactionDetails(context.req, context.res)
    if (params['login_hint'] === 'decline') {
      const declined = { error: 'access_denied', error_description: 'the person said no' }
      return provider.interactionFinished(context.req, context.res, declined)
    }
    const grant = new provider.Grant({ accountId, clientId: String(params['client_id']) })
    grant.addOIDCScope(params['scope'] as string)
    const consent = { grantId: await grant.save() }
    return provider.interactionFinished(context.req, context.res, { login: { accountId }, consent })
  })
  server.on('request', provider.callback())
  return {
    issuer,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Follows redirects with cookies, like a browser, and returns the last response. */
export async function visit(start: string | URL): Promise<Response> {
  const cookies = new Map<string, string>()
  for (let url = new URL(start), hops = 0; hops < 20; hops += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = line.match(/^([^=]+)=([^;]*)/) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) return response
    await response.body?.cancel()
    url = new URL(location, url)
  }
  throw new Error('too many redirects')
}
