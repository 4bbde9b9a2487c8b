import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Configuration, Provider } from 'oidc-provider'
import { isForThisMachine } from './local-host.ts'
import { people } from './people.ts'
import { signInPage } from './sign-in-page.ts'

/** A running OpenID provider, with what a login client needs to know of it. */
export interface LocalProvider {
  readonly issuer: string
  readonly authorizeUrl: string
  readonly tokenUrl: string
  readonly userinfoUrl: string
  readonly clientId: string
  close(): Promise<void>
}

type Context = Parameters<Parameters<Provider['use']>[0]>[0]

const clientId = 'portico-terminal'
const hour = 3600

/** Starts a real OpenID provider on loopback, with a few people to sign in as by one click. It forgets everything when it stops. */
export async function startLocalProvider(): Promise<LocalProvider> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = await createProvider(issuer)
  provider.use((context, next) => {
    return context.path.startsWith('/sign-in/') ? answerSignIn(provider, context) : next()
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (isForThisMachine(request.headers.host)) void answer(request, response)
    else response.writeHead(421, { connection: 'close' }).end()
  })
  return {
    issuer,
    authorizeUrl: `${issuer}/auth/authorize`,
    tokenUrl: `${issuer}/auth/token`,
    userinfoUrl: `${issuer}/auth/userinfo`,
    clientId,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function createProvider(issuer: string): Promise<Provider> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const configuration: Configuration = {
    clients: [
      {
        client_id: clientId,
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        redirect_uris: ['http://127.0.0.1/callback'],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' } as never] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    routes: { authorization: '/auth/authorize', token: '/auth/token', userinfo: '/auth/userinfo' },
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/sign-in/${uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => claimsOf(sub) }),
    ttl: { AccessToken: hour, IdToken: hour, Grant: hour, Session: hour, Interaction: hour },
  }
  return quietly(async () => new (await import('oidc-provider')).Provider(issuer, configuration))
}

function claimsOf(sub: string): { sub: string; [claim: string]: unknown } {
  const person = people.find(({ id }) => id === sub)
  return { sub, ...(person && { name: person.name, email: person.email, email_verified: true }) }
}

/** The library warns about what is on purpose here: state in memory, and Node 20, on which it works all the same. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { warn } = console
  console.warn = () => {}
  try {
    return await work()
  } finally {
    console.warn = warn
  }
}

/** Shows the people, then signs the chosen one in; choosing a person is consent as well. */
async function answerSignIn(provider: Provider, context: Context): Promise<void> {
  const { req: request, res: response } = context
  const { params } = await provider.interactionDetails(request, response)
  if (context.method !== 'POST') {
    context.set('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
    context.type = 'html'
    context.body = signInPage
    return
  }
  const accountId = new URLSearchParams(await text(request)).get('person') ?? ''
  context.respond = false
  if (!people.some(({ id }) => id === accountId)) {
    const declined = { error: 'access_denied', error_description: 'nobody was picked' }
    return provider.interactionFinished(request, response, declined)
  }
  const grant = new provider.Grant({ accountId, clientId })
  grant.addOIDCScope(params['scope'] as string)
  const consent = { grantId: await grant.save() }
  return provider.interactionFinished(request, response, { login: { accountId }, consent })
}
