import { ALPHA_ISSUER, AlphaProvider, OidcProvider } from '@portico/identity'
import { createLocalJWKSet } from 'jose'
import { describe, expect, test } from 'vitest'
import { TestClock } from './support/clock.ts'
import { failureOf } from './support/failure.ts'
import { clientId, clientSecret, exchangeArgs, nonce } from './support/hostile-provider.ts'
import { ec, forge, rsa, type SigningKey, signWith } from './support/keys.ts'

const clock = new TestClock()
const jwks = createLocalJWKSet({ keys: [rsa.jwk as never, ec.jwk as never] })

/** Alpha with a configurable token endpoint. */
function alphaWith(claims: object, signer: SigningKey = rsa): AlphaProvider {
  const honest = { iss: ALPHA_ISSUER, sub: 'ada', aud: clientId, iat: clock.sec, exp: clock.sec + 60, nonce }
  const idToken = forge({ alg: signer.alg, kid: signer.kid }, { ...honest, ...claims }, signWith(signer))
  const body = { id_token: idToken }
  const fetch = async () => ({ ok: true, status: 200, json: async () => body, text: async () => JSON.stringify(body) })
  return new AlphaProvider({ clientId, clientSecret, tokenEndpoint: `${ALPHA_ISSUER}/token`, jwks, clock, fetch })
}

describe('AlphaProvider', () => {
  test('is an OidcProvider with the id alpha', () => {
    const alpha = new AlphaProvider({ clientId, clientSecret })
    expect(alpha).toBeInstanceOf(OidcProvider)
    expect(alpha.id).toBe('alpha')
    expect(ALPHA_ISSUER).toBe('https://alpha.example')
  })

  test('is pinned to its issuer, whatever the options say', async () => {
    expect((await alphaWith({}).exchange(exchangeArgs)).provider).toBe('alpha')
    const error = await failureOf(alphaWith({ iss: 'https://login.example' }).exchange(exchangeArgs))
    expect(error.details).toEqual({ check: 'iss', provider: 'alpha' })
    const options = { clientId, clientSecret, id: 'x', issuer: 'https://login.example' }
    const asked: string[] = []
    const fetch = async (url: string) => {
      asked.push(url)
      throw new Error('no network here')
    }
    const alpha = new AlphaProvider({ ...options, fetch })
    expect(alpha.id).toBe('alpha')
    await failureOf(alpha.authorizationUrl({ redirectUri: 'https://app.example', state: 's', codeChallenge: 'c' }))
    expect(asked).toEqual(['https://alpha.example/.well-known/openid-configuration'])
  })

  test('is pinned to RS256', async () => {
    const error = await failureOf(alphaWith({}, ec).exchange(exchangeArgs))
    expect(error.details).toEqual({ check: 'alg', provider: 'alpha' })
    const build = (idTokenSigningAlgs: never) => new AlphaProvider({ clientId, clientSecret, idTokenSigningAlgs })
    expect(build(['RS256'] as never).id).toBe('alpha')
    for (const algs of [['ES256'], ['RS256', 'ES256'], [], 'RS256', null])
      expect((await failureOf(() => build(algs as never))).type).toBe('INVALID_CONFIG')
  })

  test('refuses a discovery document of another issuer, and missing options', async () => {
    const discovery = {
      issuer: 'https://login.example',
      authorization_endpoint: 'https://login.example/a',
      token_endpoint: 'https://login.example/t',
      jwks_uri: 'https://login.example/j',
    }
    expect((await failureOf(() => new AlphaProvider({ clientId, clientSecret, discovery }))).type).toBe(
      'INVALID_CONFIG',
    )
    expect((await failureOf(() => new AlphaProvider(undefined as never))).type).toBe('INVALID_CONFIG')
    expect((await failureOf(() => new AlphaProvider({ clientId } as never))).message).toContain('clientSecret')
  })
})
