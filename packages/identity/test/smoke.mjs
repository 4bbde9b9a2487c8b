// One whole sign-in on any Node, against the smallest OpenID provider that can answer it.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import {
  createPkcePair,
  FederatedLoginService,
  generateNonce,
  generateRandomState,
  MemoryFederatedIdentityStore,
  MemoryUserService,
  OAuthError,
  OAuthProviderRegistry,
  OidcProvider,
} from '@portico/identity'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

const { privateKey, publicKey } = await generateKeyPair('ES256')
const nonce = generateNonce()
const server = createServer(async (request, response) => {
  if (request.url === '/jwks') return response.end(JSON.stringify({ keys: [await exportJWK(publicKey)] }))
  if (request.url === '/token') return response.end(JSON.stringify({ id_token: await issue() }))
  const endpoints = {
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
  }
  return response.end(JSON.stringify({ issuer, ...endpoints }))
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
const issuer = `http://127.0.0.1:${port}`

function issue() {
  const token = new SignJWT({ nonce }).setIssuer(issuer).setSubject('ada').setAudience('app')
  return token.setIssuedAt().setExpirationTime('1m').setProtectedHeader({ alg: 'ES256' }).sign(privateKey)
}

const registry = new OAuthProviderRegistry({
  baseUrl: 'https://app.example',
  stateSecret: generateRandomState(),
  providers: [new OidcProvider({ id: 'work', issuer, clientId: 'app', clientSecret: 'secret' })],
})
const { verifier, challenge } = createPkcePair()
const redirectUri = registry.redirectUri('work')
const state = await registry.signState({ random: generateRandomState(), provider: 'work', redirect: '/' })
const url = await registry.require('work').authorizationUrl({ redirectUri, state, codeChallenge: challenge, nonce })
assert.equal(new URL(url).searchParams.get('redirect_uri'), 'https://app.example/auth/oauth/work/callback')
assert.equal((await registry.verifyState(state)).provider, 'work')

const args = { code: 'code', redirectUri, codeVerifier: verifier, expectedNonce: nonce }
const profile = await registry.require('work').exchange(args)
const logins = new FederatedLoginService({
  users: new MemoryUserService(),
  federated: new MemoryFederatedIdentityStore(),
})
assert.equal((await logins.resolveUser(profile)).kind, 'created')
assert.equal((await logins.resolveUser(profile)).kind, 'linked')
await assert.rejects(
  registry.require('work').exchange({ ...args, expectedNonce: 'another' }),
  (error) => error instanceof OAuthError && error.details['check'] === 'nonce',
)
server.closeAllConnections()
server.close()
