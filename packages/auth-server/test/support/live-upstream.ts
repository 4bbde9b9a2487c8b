import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Configuration } from 'oidc-provider'

/** A real OpenID provider at which the browser stays signed in, and that counts how often it had to ask a person. */
export interface LiveUpstream extends AsyncDisposable {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The prompts that a person saw, in order. */
  readonly steps: string[]
  /** The parameters of each authorization request. */
  readonly requests: Record<string, unknown>[]
  /** The person who answers. */
  person: string
}

export interface LiveUpstreamOptions {
  /** Accepts `prompt=select_account`, which the library does not by itself. Default true. */
  readonly canSelect?: boolean
  /** The prompts in its metadata. Default: none listed. */
  readonly promptValues?: readonly string[]
}

export async function startLiveUpstream(
  redirectUri: string,
  { canSelect = true, promptValues }: LiveUpstreamOptions = {},
): Promise<LiveUpstream> {
  const { Provider, interactionPolicy } = await import('oidc-provider')
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const policy = interactionPolicy.base()
  if (canSelect) policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0)
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const configuration: Configuration = {
    clients: [
      {
        client_id: 'tracker',
        client_secret: 'a secret for the provider of the test',
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_basic',
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' } as never] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], acr: null, amr: null },
    conformIdTokenClaims: false,
    acrValues: ['urn:high'],
    cookies: { keys: ['a key for the cookies of a test'] },
    features: { devInteractions: { enabled: false } },
    ...(promptValues && { discovery: { prompt_values_supported: [...promptValues] } }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}`, policy },
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: () => ({ sub, email: `${sub}@x.example`, email_verified: true, name: sub }),
    }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ accountId: oidc.session!.accountId!, clientId: oidc.client!.clientId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    ttl: { AccessToken: 3600, IdToken: 3600, Session: 3600, Grant: 3600, Interaction: 3600 },
  }
  const provider = new Provider(issuer, configuration)
  const upstream: LiveUpstream = {
    issuer,
    clientId: 'tracker',
    clientSecret: 'a secret for the provider of the test',
    steps: [],
    requests: [],
    person: 'ada',
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  provider.use(async (context, next) => {
    if (context.path === '/auth') upstream.requests.push({ ...context.query })
    if (!context.path.startsWith('/interaction/')) return next()
    const { prompt } = await provider.interactionDetails(context.req, context.res)
    upstream.steps.push(prompt.name)
    const login = { accountId: upstream.person, acr: 'urn:high', amr: ['pwd'] }
    return provider.interactionFinished(context.req, context.res, { login, select_account: {} })
  })
  server.on('request', provider.callback())
  return upstream
}
