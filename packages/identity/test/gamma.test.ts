import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import {
  type FetchLike,
  GAMMA_ISSUER,
  GammaProvider,
  type GammaProviderOptions,
  OidcProvider,
  readCallback,
} from '@portico/identity'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { TestClock } from './support/clock.ts'
import { failureOf, MARK } from './support/failure.ts'
import { clientId, exchangeArgs, nonce } from './support/hostile-provider.ts'
import { ec, forge, rsa, type SigningKey, signWith } from './support/keys.ts'
import { expectOptionsChecked, notString, wrongDuration, wrongEndpoint, wrongStrings } from './support/options.ts'

const team = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }) as string
const own = { clientId, teamId: 'TEAM567890', keyId: 'key-1', privateKey: pem(team.privateKey) }
const urlArgs = { redirectUri: 'https://app.example/cb', state: 'state', codeChallenge: 'challenge' }
const discovery = {
  issuer: GAMMA_ISSUER,
  authorization_endpoint: `${GAMMA_ISSUER}/authorize`,
  token_endpoint: `${GAMMA_ISSUER}/token`,
  jwks_uri: `${GAMMA_ISSUER}/keys`,
}

let clock: TestClock
let claims: Record<string, unknown>
let signer: SigningKey
let sent: { url: string; form: URLSearchParams }[]

beforeEach(() => {
  clock = new TestClock()
  claims = {}
  signer = ec
  sent = []
})

const fetch: FetchLike = async (url, init) => {
  sent.push({ url, form: new URLSearchParams(init?.body) })
  const honest = { iss: GAMMA_ISSUER, sub: 'ada', aud: clientId, iat: clock.sec, exp: clock.sec + 60, nonce }
  const idToken = forge({ alg: signer.alg, kid: signer.kid }, { ...honest, ...claims }, signWith(signer))
  const body = url.endsWith('/keys') ? { keys: [ec.jwk, rsa.jwk] } : { id_token: idToken }
  return { ok: true, status: 200, json: async () => body, text: async () => JSON.stringify(body) }
}

function gamma(extra: Partial<GammaProviderOptions> = {}): GammaProvider {
  return new GammaProvider({ ...own, discovery, clock, fetch, ...extra })
}

test('coerces the email_verified of userinfo too', async () => {
  const userinfo = { sub: 'ada', email: 'ada@x.example', email_verified: 'true' }
  const withUserinfo: FetchLike = async (url, init) => {
    const answer = await fetch(url, init)
    if (url.endsWith('/me')) return { ...answer, json: async () => userinfo }
    return { ...answer, json: async () => ({ ...((await answer.json()) as object), access_token: 'token' }) }
  }
  const document = { ...discovery, userinfo_endpoint: `${GAMMA_ISSUER}/me` }
  const profile = await gamma({ discovery: document, fetch: withUserinfo }).exchange(exchangeArgs)
  expect(profile).toMatchObject({ email: 'ada@x.example', emailVerified: true })
})

describe('options', () => {
  test('create an OidcProvider with the id gamma and a fixed issuer', async () => {
    expect(gamma()).toBeInstanceOf(OidcProvider)
    expect(gamma().id).toBe('gamma')
    expect(GAMMA_ISSUER).toBe('https://gamma.example')
    claims = { iss: 'https://login.example' }
    expect((await failureOf(gamma().exchange(exchangeArgs))).details).toEqual({ check: 'iss', provider: 'gamma' })
  })

  test('are checked by the constructor', async () => {
    await expectOptionsChecked((extra) => gamma(extra), {
      clientId: notString,
      teamId: [undefined, 'TEAM56789', 'TEAM5678901', 7, ''],
      keyId: notString,
      privateKey: [...notString, `-----BEGIN PRIVATE KEY-----\n${MARK}\n-----END PRIVATE KEY-----`, MARK],
      scopes: wrongStrings,
      clientSecretTtlSec: [...wrongDuration, 0, 15_777_001],
      discovery: ['text', { ...discovery, issuer: 'https://login.example' }],
      jwks: [{}],
      tokenEndpoint: wrongEndpoint,
      clockToleranceSec: wrongDuration,
    })
    expect((await failureOf(() => new GammaProvider(undefined as never))).type).toBe('INVALID_CONFIG')
    expect(gamma({ clientSecretTtlSec: 15_777_000 }).id).toBe('gamma')
  })

  test('refuse a private key that is not EC P-256 in PKCS#8', async () => {
    const wrong = [
      pem(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey),
      pem(rsa.privateKey),
      pem(generateKeyPairSync('ed25519').privateKey),
      team.privateKey.export({ type: 'sec1', format: 'pem' }) as string,
      team.publicKey.export({ type: 'spki', format: 'pem' }) as string,
    ]
    for (const privateKey of wrong) expect((await failureOf(() => gamma({ privateKey }))).type).toBe('INVALID_CONFIG')
  })

  test('cannot change the algorithm: only ES256', async () => {
    expect((await gamma().exchange(exchangeArgs)).subject).toBe('ada')
    signer = rsa
    const meant = {
      idTokenSigningAlgs: ['RS256'],
      id: 'x',
      issuer: 'https://x.example',
    } as Partial<GammaProviderOptions>
    expect(gamma(meant).id).toBe('gamma')
    expect((await failureOf(gamma(meant).exchange(exchangeArgs))).details).toEqual({ check: 'alg', provider: 'gamma' })
  })

  test('leave the algorithms to a subclass', async () => {
    class OtherGamma extends GammaProvider {
      protected override readonly signingAlgs = ['RS256']
    }
    signer = rsa
    expect((await new OtherGamma({ ...own, discovery, clock, fetch }).exchange(exchangeArgs)).subject).toBe('ada')
  })

  test('include the injection points of an OIDC provider', async () => {
    const jwks = createLocalJWKSet({ keys: [ec.jwk as never] })
    const provider = new GammaProvider({ ...own, tokenEndpoint: 'https://other.example/t', jwks, clock, fetch })
    expect((await provider.exchange(exchangeArgs)).subject).toBe('ada')
    expect(sent.map((it) => it.url)).toEqual(['https://other.example/t'])
    claims = { exp: clock.sec - 50 }
    expect((await gamma({ clockToleranceSec: 60 }).exchange(exchangeArgs)).subject).toBe('ada')
  })
})

test('the authorization URL requests a form post and the scopes openid and email', async () => {
  const url = new URL(await gamma().authorizationUrl({ ...urlArgs, nonce: 'nonce' }))
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    response_mode: 'form_post',
    scope: 'openid email',
    nonce: 'nonce',
  })
  expect(await gamma({ scopes: ['openid'] }).authorizationUrl(urlArgs)).toContain('scope=openid&')
})

describe('the client secret', () => {
  const secretOf = (index: number) => sent.filter((it) => it.url.endsWith('/token'))[index]!.form.get('client_secret')!

  test('is a JWT signed with the private key, for this team, client and issuer, for an hour', async () => {
    clock.time += 999
    await gamma().exchange(exchangeArgs)
    const { payload, protectedHeader } = await jwtVerify(secretOf(0), team.publicKey, {
      currentDate: new Date(clock.time),
    })
    expect(protectedHeader).toEqual({ alg: 'ES256', kid: 'key-1' })
    expect(payload).toEqual({
      iss: 'TEAM567890',
      sub: clientId,
      aud: GAMMA_ISSUER,
      iat: clock.sec,
      exp: clock.sec + 3600,
    })
  })

  test('is created for each request, with the time of the clock', async () => {
    const provider = gamma({ clientSecretTtlSec: 60 })
    await provider.exchange(exchangeArgs)
    await provider.exchange(exchangeArgs)
    expect(secretOf(0)).not.toBe(secretOf(1))
    clock.advance(5)
    await provider.exchange(exchangeArgs)
    const { payload } = await jwtVerify(secretOf(2), team.publicKey, { currentDate: new Date(clock.time) })
    expect([payload.iat, payload.exp]).toEqual([clock.sec, clock.sec + 60])
  })

  test('uses a clock that the registry shares', async () => {
    const provider = new GammaProvider({ ...own, discovery, fetch })
    provider.applyDefaults({ clock })
    await provider.exchange(exchangeArgs)
    const { payload } = await jwtVerify(secretOf(0), team.publicKey, { currentDate: new Date(clock.time) })
    expect(payload.iat).toBe(clock.sec)
  })
})

describe('the profile', () => {
  test.each([
    ['true', true],
    ['false', false],
    [true, true],
    [false, false],
  ])('reads email_verified %j as %s', async (value, expected) => {
    claims = { email: 'ada@x.example', email_verified: value, is_private_email: 'true' }
    const profile = await gamma().exchange(exchangeArgs)
    expect(profile).toMatchObject({ provider: 'gamma', email: 'ada@x.example', emailVerified: expected })
    expect(profile.raw).toMatchObject({ is_private_email: 'true' })
    expect(profile).not.toHaveProperty('is_private_email')
  })

  test.each(['TRUE', 'yes', '', 1, null, ['true']])('ignores email_verified %j', async (value) => {
    claims = { email: 'ada@x.example', email_verified: value }
    expect(await gamma().exchange(exchangeArgs)).not.toHaveProperty('emailVerified')
  })

  const name = { firstName: 'Ada', lastName: 'Lovelace' }
  test.each([
    [JSON.stringify({ name }), 'Ada Lovelace'],
    [{ name }, 'Ada Lovelace'],
    [{ name: { firstName: ' Ada ' } }, 'Ada'],
    [{ name: { lastName: 'Lovelace' } }, 'Lovelace'],
  ])('takes the name from the form post’s user %j', async (user, expected) => {
    expect((await gamma().exchange({ ...exchangeArgs, user })).displayName).toBe(expected)
  })

  test.each([
    '',
    '{',
    'null',
    '[]',
    '{"name":7}',
    7,
    null,
    {},
    { name: null },
    { name: { firstName: 7 } },
    { name: { firstName: 'a\u0000b' } },
    { name: { firstName: 'x'.repeat(201) } },
  ])('ignores the user %j', async (user) => {
    expect(await gamma().exchange({ ...exchangeArgs, user: user as never })).not.toHaveProperty('displayName')
  })

  test('prefers a signed name to the unsigned one, and uses nothing else of the user', async () => {
    claims = { name: 'Countess', email: 'ada@x.example' }
    const user = JSON.stringify({ name, email: 'evil@x.example', sub: 'evil' })
    const callback = readCallback(new URLSearchParams({ code: exchangeArgs.code, state: 's', user }))
    const profile = await gamma().exchange({ ...exchangeArgs, ...callback })
    expect(profile).toMatchObject({ subject: 'ada', email: 'ada@x.example', displayName: 'Countess' })
  })
})
