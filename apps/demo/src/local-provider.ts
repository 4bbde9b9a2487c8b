import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Configuration, Provider } from 'oidc-provider'
import { isForThisMachine } from './local-host.ts'
import type { Accounts } from './people.ts'
import { renderLostPage, renderSignInPage } from './sign-in-page.ts'

/** A running OpenID provider, with the settings that an application needs. */
export interface LocalProvider {
  readonly id: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  close(): Promise<void>
}

type Context = Parameters<Parameters<Provider['use']>[0]>[0]

const clientId = 'tracker'
const hour = 3600

/** Starts a real OpenID provider on loopback with a few accounts to choose from. Its state is only in memory. */
export async function startLocalProvider(accounts: Accounts): Promise<LocalProvider> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const clientSecret = randomBytes(32).toString('base64url')
  const provider = await createProvider(issuer, clientSecret, accounts)
  provider.use((context, next) => {
    return context.path.startsWith('/sign-in/') ? answerSignIn(provider, accounts, context) : next()
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (isForThisMachine(request.headers.host)) void answer(request, response)
    else response.writeHead(421, { connection: 'close' }).end()
  })
  return {
    id: accounts.id,
    issuer,
    clientId,
    clientSecret,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function createProvider(issuer: string, clientSecret: string, { id, people }: Accounts): Promise<Provider> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const library = await quietly(() => import('oidc-provider'))
  const configuration: Configuration = {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        token_endpoint_auth_method: 'client_secret_post',
        // The port of the app is not known yet, and native applications may redirect to any loopback port.
        application_type: 'native',
        redirect_uris: [`http://127.0.0.1/auth/oauth/${id}/callback`],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' } as never] },
    // Cookies ignore ports, so each provider on this machine needs its own cookie names.
    cookies: {
      keys: [randomBytes(32).toString('base64url')],
      names: { session: `${id}_session`, interaction: `${id}_interaction`, resume: `${id}_resume` },
    },
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    // The app reads only the id token, so it has to contain all claims.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    // The library does not announce them. `login` makes this provider ask for the account.
    discovery: { prompt_values_supported: ['none', 'login', 'consent'] },
    renderError: (context) => showPage(context, renderLostPage()),
    interactions: { url: (_, { uid }) => `/sign-in/${uid}`, policy: alwaysAsk(library.interactionPolicy) },
    findAccount: (_, sub) => {
      const person = people.find((it) => it.id === sub)
      return { accountId: sub, claims: () => ({ sub, name: person?.name, email: person?.email, email_verified: true }) }
    },
    ttl: { AccessToken: hour, IdToken: hour, Grant: hour, Session: hour, Interaction: hour },
  }
  return quietly(async () => new library.Provider(issuer, configuration))
}

/** Asks for the account every time, so that you can switch between people in one browser. */
function alwaysAsk({ base, Check }: typeof import('oidc-provider').interactionPolicy) {
  const policy = base()
  const check = new Check('pick', 'an account has to be chosen', ({ oidc }) =>
    oidc.result?.login ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
  )
  policy.get('login')?.checks.add(check)
  return policy
}

/** Hides two warnings of the library: state is in memory on purpose, and the library works on Node 20. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { warn } = console
  console.warn = () => {}
  try {
    return await work()
  } finally {
    console.warn = warn
  }
}

/** Lists the accounts and signs in the chosen one. Choosing an account is also the consent. */
async function answerSignIn(provider: Provider, accounts: Accounts, context: Context): Promise<void> {
  const { req: request, res: response } = context
  const details = await provider.interactionDetails(request, response).catch(() => undefined)
  if (!details) {
    context.status = 400
    showPage(context, renderLostPage())
    return
  }
  if (context.method !== 'POST') {
    showPage(context, renderSignInPage(accounts))
    return
  }
  const accountId = new URLSearchParams(await text(request)).get('person') ?? ''
  context.respond = false
  if (!accounts.people.some(({ id }) => id === accountId)) {
    const declined = { error: 'access_denied', error_description: 'no account was chosen' }
    return provider.interactionFinished(request, response, declined)
  }
  const grant = new provider.Grant({ accountId, clientId })
  grant.addOIDCScope(details.params['scope'] as string)
  const consent = { grantId: await grant.save() }
  return provider.interactionFinished(request, response, { login: { accountId }, consent })
}

function showPage(context: Context, page: string): void {
  context.set('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
  context.type = 'html'
  context.body = page
}
