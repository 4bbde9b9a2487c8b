import { createClientSecret } from '@portico/auth-server'
import { createPkcePair, generateNonce, OidcProvider } from '@portico/identity'
import { AuthorizeError, authorize } from '@portico/login'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  calculatePKCECodeChallenge,
  discovery,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  tokenRevocation,
} from 'openid-client'
import { describe, expect, it } from 'vitest'
import { startOpenidProvider } from '../../../test/support/openid-provider.ts'
import { HttpBrowser } from './support/http-browser.ts'
import { instantProvider } from './support/instant-provider.ts'
import { type ListeningServer, listen } from './support/listen.ts'
import { getStatus } from './support/server.ts'

const { secret: clientSecret, hash } = createClientSecret()
const redirectUri = 'http://127.0.0.1:9/callback'
const clients = [
  { id: 'es', name: 'Shop', redirectUris: [redirectUri], secretHashes: [hash] },
  { id: 'rs', name: 'Shop', redirectUris: [redirectUri], secretHashes: [hash], idTokenSigningAlg: 'RS256' as const },
  { id: 'public', name: 'Phone', redirectUris: [redirectUri] },
]

const listenInstantly = () => listen((url) => [instantProvider(url)], { clients })

/** Runs `authorize` with a browser that grants, and then visits the program. */
function runLogin({ url }: ListeningServer, browse: (address: string) => Promise<URL>) {
  let delivered: Promise<unknown> = Promise.resolve()
  const result = authorize({
    authorizeUrl: `${url}/auth/authorize`,
    tokenUrl: `${url}/auth/token`,
    statusUrl: `${url}/auth/status`,
    scope: ['tasks'],
    expectedIssuer: url,
    openBrowser: false,
    onUrl: (address) => {
      delivered = browse(address).then((program) => fetch(program))
    },
  })
  return { result, delivered: () => delivered }
}

describe('`authorize` of @portico/login', () => {
  it('completes: token, user and expiry', async () => {
    await using server = await listenInstantly()
    const { result, delivered } = runLogin(server, (address) => new HttpBrowser().grant(address, callbackOf(address)))
    const { accessToken, expiresIn, userId, idToken } = await result
    await delivered()
    expect(expiresIn).toBe(30 * 86_400)
    expect(idToken).toBeUndefined()
    expect((await getStatus(server.app, accessToken)).json().userId).toBe(userId)
  })

  it('learns that the person said no', async () => {
    await using server = await listenInstantly()
    const { result, delivered } = runLogin(server, async (address) => {
      const browser = new HttpBrowser()
      const stopAt = callbackOf(address)
      const first = await browser.open(address, stopAt)
      const way = first.page.match(/href="(\/auth\/oauth\/[^"]*)"/)![1]!.replaceAll('&amp;', '&')
      const consent = await browser.open(new URL(way, first.url), stopAt)
      return (await browser.submit(consent, { decision: 'deny' }, stopAt)).url
    })
    const error = await result.catch((it: unknown) => it)
    await delivered()
    expect(error).toBeInstanceOf(AuthorizeError)
    expect(error).toMatchObject({ code: 'provider_denied' })
  })
})

/** The redirect URI of an authorization request. */
function callbackOf(address: string): string {
  return new URL(address).searchParams.get('redirect_uri')!
}

describe('`openid-client`', () => {
  it.each([
    ['es', clientSecret],
    ['rs', clientSecret],
    ['public', undefined],
  ])('completes as the client %s: discovery, code, id token, userinfo, revocation', async (clientId, secret) => {
    await using server = await listenInstantly()
    const authentication = secret === undefined ? None() : ClientSecretBasic(secret)
    const metadata =
      clientId === 'rs' ? { id_token_signed_response_alg: 'RS256' } : { id_token_signed_response_alg: 'ES256' }
    const config = await discovery(new URL(server.url), clientId, metadata, authentication, {
      execute: [allowInsecureRequests],
    })
    const [verifier, state, nonce] = [randomPKCECodeVerifier(), randomState(), randomNonce()]
    const address = buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    })
    const callback = await new HttpBrowser().grant(address, redirectUri)
    // `iss` is checked too: the metadata says that it is sent.
    const tokens = await authorizationCodeGrant(config, callback, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    })
    expect(tokens.claims()).toMatchObject({
      iss: server.url,
      aud: clientId,
      email: 'ada@x.example',
      name: 'Ada Lovelace',
    })
    expect((await getStatus(server.app, tokens.access_token)).statusCode).toBe(200)
    expect(await fetchUserInfo(config, tokens.access_token, tokens.claims()!.sub)).toEqual({
      sub: tokens.claims()!.sub,
      email: 'ada@x.example',
      email_verified: false,
      name: 'Ada Lovelace',
    })
    await tokenRevocation(config, tokens.access_token)
    expect((await getStatus(server.app, tokens.access_token)).statusCode).toBe(401)
  })
})

describe('`OidcProvider` of @portico/identity', () => {
  it.each(['es', 'rs'])('completes as the registered client %s', async (clientId) => {
    await using server = await listenInstantly()
    const provider = new OidcProvider({ issuer: server.url, clientId, clientSecret })
    const { verifier, challenge } = createPkcePair()
    const nonce = generateNonce()
    const address = await provider.authorizationUrl({ redirectUri, state: 'state', codeChallenge: challenge, nonce })
    const callback = await new HttpBrowser().grant(address, redirectUri)
    const code = callback.searchParams.get('code')!
    const profile = await provider.exchange({ code, redirectUri, codeVerifier: verifier, expectedNonce: nonce })
    expect(profile).toMatchObject({ email: 'ada@x.example', emailVerified: false, displayName: 'Ada Lovelace' })
    expect(await server.server.users.findById(profile.subject)).toMatchObject({ email: 'ada@x.example' })
    await expect(provider.exchange({ code, redirectUri, codeVerifier: verifier })).rejects.toMatchObject({
      type: 'EXCHANGE_FAILED',
    })
  })

  it('lets one server sign people in with another: both ends of the platform meet', async () => {
    let issuer = ''
    await using app = await listen(() => [
      {
        id: 'main',
        authorizationUrl: (args) => main().authorizationUrl(args),
        exchange: (args) => main().exchange(args),
      },
    ])
    const main = () => new OidcProvider({ id: 'main', issuer, clientId: 'app', clientSecret })
    const registered = {
      id: 'app',
      name: 'App',
      redirectUris: [`${app.url}/auth/oauth/main/callback`],
      secretHashes: [hash],
    }
    await using server = await listen((url) => [instantProvider(url)], { clients: [registered] })
    issuer = server.url
    const browser = new HttpBrowser()
    const first = await browser.open(`${app.url}/auth/oauth/main/start?return_to=/done`, `${app.url}/done`)
    const callback = await browser.grant(first.url, `${app.url}/done`)
    expect(callback.pathname).toBe('/done')
    expect(await app.server.users.findByEmail('ada@x.example')).toMatchObject({ displayName: 'Ada Lovelace' })
  })
})

describe('people sign in through a real provider (`oidc-provider`)', () => {
  const client = (url: string) => ({
    client_id: 'tracker',
    client_secret: 'a secret for the provider of the test',
    redirect_uris: [`${url}/auth/oauth/real/callback`],
    token_endpoint_auth_method: 'client_secret_post' as const,
    id_token_signed_response_alg: 'ES256' as const,
    scope: 'openid',
  })

  it.each(['query', 'form_post'])('that answers by %s', async (mode) => {
    let issuer = ''
    await using server = await listen(() => [
      {
        id: 'real',
        authorizationUrl: async (args) => `${await real().authorizationUrl(args)}&response_mode=${mode}`,
        exchange: (args) => real().exchange(args),
      },
    ])
    const options = client(server.url)
    const real = () =>
      new OidcProvider({
        id: 'real',
        issuer,
        clientId: 'tracker',
        clientSecret: options.client_secret,
        scopes: ['openid'],
      })
    await using provider = await startOpenidProvider([options], 'ada-there')
    issuer = provider.issuer
    const { result, delivered } = runLogin(server, (address) => new HttpBrowser().grant(address, callbackOf(address)))
    const { userId } = await result
    await delivered()
    const identities = await server.server.identities.listForUser(userId!)
    expect(identities).toMatchObject([{ provider: 'real', subject: 'ada-there' }])
  })
})
