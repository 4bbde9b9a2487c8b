import { createClientSecret } from '@portico/auth-server'
import {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  ClientSecretBasic,
  ClientSecretPost,
  calculatePKCECodeChallenge,
  discoveryRequest,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
  getValidatedIdTokenClaims,
  None,
  processAuthorizationCodeResponse,
  processDiscoveryResponse,
  processRevocationResponse,
  processUserInfoResponse,
  revocationRequest,
  userInfoRequest,
  validateApplicationLevelSignature,
  validateAuthResponse,
} from 'oauth4webapi'
import { expect, it } from 'vitest'
import { HttpBrowser } from './support/http-browser.ts'
import { instantProvider } from './support/instant-provider.ts'
import { listen } from './support/listen.ts'

const { secret, hash } = createClientSecret()
const redirectUri = 'https://shop.example/callback'
const clients = [
  { id: 'shop', name: 'Shop', redirectUris: [redirectUri], secretHashes: [hash] },
  {
    id: 'shop-rs',
    name: 'Shop',
    redirectUris: [redirectUri],
    secretHashes: [hash],
    idTokenSigningAlg: 'RS256' as const,
  },
  { id: 'phone', name: 'Phone', redirectUris: ['http://127.0.0.1/callback'] },
]
const http = { [allowInsecureRequests]: true }

it.each([
  ['shop', 'ES256', 'oidc', ClientSecretBasic(secret), redirectUri],
  ['shop', 'ES256', 'oauth2', ClientSecretPost(secret), redirectUri],
  ['shop-rs', 'RS256', 'oidc', ClientSecretBasic(secret), redirectUri],
  ['phone', 'ES256', 'oauth2', None(), 'http://127.0.0.1:49152/callback'],
] as const)('oauth4webapi completes as %s: %s, metadata of %s', async (clientId, alg, algorithm, auth, callbackUri) => {
  await using server = await listen((url) => [instantProvider(url)], { clients })
  const issuer = new URL(server.url)
  const as = await processDiscoveryResponse(issuer, await discoveryRequest(issuer, { algorithm, ...http }))
  const client: Client = { client_id: clientId, id_token_signed_response_alg: alg }
  const [verifier, state, nonce] = [generateRandomCodeVerifier(), generateRandomState(), generateRandomNonce()]
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callbackUri,
    // Many applications ask for `offline_access` whether or not there are refresh tokens.
    scope: 'openid email profile offline_access',
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  })
  const callback = await new HttpBrowser().grant(`${as.authorization_endpoint}?${query}`, callbackUri)
  const params = validateAuthResponse(as, client, callback, state)
  const answer = await authorizationCodeGrantRequest(as, client, auth, params, callbackUri, verifier, http)
  const checks = { expectedNonce: nonce, requireIdToken: true }
  const tokens = await processAuthorizationCodeResponse(as, client, answer, checks)
  await validateApplicationLevelSignature(as, answer, http)
  const { sub, ...claims } = getValidatedIdTokenClaims(tokens)!
  expect(claims).toMatchObject({ iss: server.url, aud: clientId, email: 'ada@x.example', name: 'Ada Lovelace' })

  const askUserInfo = () => userInfoRequest(as, client, tokens.access_token, http)
  expect(await processUserInfoResponse(as, client, sub, await askUserInfo())).toMatchObject({ email: 'ada@x.example' })
  await processRevocationResponse(await revocationRequest(as, client, auth, tokens.access_token, http))
  expect((await askUserInfo()).status).toBe(401)
})
