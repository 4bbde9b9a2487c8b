import {
  BetaProvider,
  type ConfigurableProvider,
  defaultUsernameStrategy,
  FakeIdentityProvider,
  type FetchLike,
  isConfigurableProvider,
  OAuthProviderRegistry,
  type OAuthProviderRegistryOptions,
  OidcProvider,
  type SharedProviderConfig,
  verifyState,
} from '@portico/identity'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TestClock } from './support/clock.ts'
import { failureOf, MARK } from './support/failure.ts'
import { clientId, clientSecret, DISCOVERY, exchangeArgs, HostileProvider } from './support/hostile-provider.ts'
import { otherRsa } from './support/keys.ts'
import { expectOptionsChecked, wrongDuration } from './support/options.ts'

const stateSecret = `state-secret-${MARK}-${'s'.repeat(32)}`
const fake = new FakeIdentityProvider()
const other = new FakeIdentityProvider({ id: 'other' })

function registryOf(extra: Partial<OAuthProviderRegistryOptions> = {}): OAuthProviderRegistry {
  return new OAuthProviderRegistry({ baseUrl: 'https://app.example', stateSecret, providers: [fake, other], ...extra })
}

describe('lookup', () => {
  const registry = registryOf()

  test('by id, and all in their order', () => {
    expect([registry.has('fake'), registry.has('nobody'), registry.has('__proto__')]).toEqual([true, false, false])
    expect(registry.get('other')).toBe(other)
    expect(registry.get('nobody')).toBeUndefined()
    expect(registry.require('fake')).toBe(fake)
    expect(registry.ids()).toEqual(['fake', 'other'])
    expect(registry.list()).toEqual([fake, other])
  })

  test('of an unknown id is UNKNOWN_PROVIDER if it is required', async () => {
    for (const id of ['nobody', '', '__proto__', 'constructor'])
      for (const method of ['require', 'callbackPath', 'redirectUri'] as const)
        expect((await failureOf(() => registry[method](id))).type).toBe('UNKNOWN_PROVIDER')
  })

  test('of an unknown id names it only if it is short and printable', async () => {
    const detailsOf = async (id: unknown) => (await failureOf(() => registry.require(id as string))).details
    expect(await detailsOf('nobody')).toEqual({ provider: 'nobody' })
    expect(await detailsOf('n'.repeat(40))).toEqual({ provider: 'n'.repeat(40) })
    for (const id of ['', 'n'.repeat(41), 'no body', 'nobody\n', 'nöbody', 7, null, undefined])
      expect(await detailsOf(id)).toEqual({})
  })

  test('returns copies of lists', () => {
    registry.ids().pop()
    registry.list().pop()
    expect(registry.ids()).toEqual(['fake', 'other'])
  })
})

describe('callbacks', () => {
  test('are at the default path below the base URL', () => {
    expect(registryOf().callbackPath('fake')).toBe('/auth/oauth/fake/callback')
    expect(registryOf().redirectUri('fake')).toBe('https://app.example/auth/oauth/fake/callback')
  })

  test('drop one trailing slash of the base URL and keep its path', () => {
    const uri = (baseUrl: string) => registryOf({ baseUrl }).redirectUri('fake')
    expect(uri('https://app.example/')).toBe('https://app.example/auth/oauth/fake/callback')
    expect(uri('https://app.example/sub/')).toBe('https://app.example/sub/auth/oauth/fake/callback')
    expect(uri('http://127.0.0.1:3000')).toBe('http://127.0.0.1:3000/auth/oauth/fake/callback')
  })

  test('follow the template, wherever it contains the id', () => {
    const registry = registryOf({ callbackPathTemplate: '/:provider/in/:provider' })
    expect(registry.callbackPath('other')).toBe('/other/in/other')
    const single = registryOf({ callbackPathTemplate: '/callback', providers: [fake] })
    expect(single.redirectUri('fake')).toBe('https://app.example/callback')
  })

  test('percent-encode the id, whatever is in it', () => {
    const odd = new FakeIdentityProvider({ id: "oidc:https://x.example/$&?a b$'" })
    expect(registryOf({ providers: [odd] }).callbackPath(odd.id)).toBe(
      "/auth/oauth/oidc%3Ahttps%3A%2F%2Fx.example%2F%24%26%3Fa%20b%24'/callback",
    )
  })
})

describe('options', () => {
  test('are checked by the constructor', async () => {
    await expectOptionsChecked((extra) => registryOf(extra), {
      baseUrl: [
        undefined,
        null,
        '',
        'app.example',
        '/x',
        'ftp://x',
        'https://a.example?b',
        'https://a.example/#b',
        'https://a:b@a.example',
        ' https://a.example',
      ],
      callbackPathTemplate: [null, '', 'auth/:provider', '/callback'],
      providers: [undefined, null, {}],
      policy: ['text', null],
      clockToleranceSec: wrongDuration,
      jwks: [null, 5, { cacheTtlMs: -1 }, { refreshOnUnknownKid: 'no' }],
      clock: [null, {}],
      fetch: [{}],
    })
    expect((await failureOf(() => new OAuthProviderRegistry(undefined as never))).type).toBe('INVALID_CONFIG')
  })

  test.each(['', 'x'.repeat(31), undefined, 7])('refuse the state secret %j', async (secret) => {
    const error = await failureOf(() => registryOf({ stateSecret: secret as never }))
    expect(error).toMatchObject({ type: 'INVALID_CONFIG', message: 'The state secret must have at least 32 bytes' })
  })

  test('refuse providers with the same id or none', async () => {
    const twin = new FakeIdentityProvider()
    const named = (id: string) => [new FakeIdentityProvider({ id })]
    for (const providers of [[fake, twin], [{}], [null], [{ id: '' }], named('.'), named('..'), named('\ud800')])
      expect((await failureOf(() => registryOf({ providers: providers as never }))).type).toBe('INVALID_CONFIG')
    expect(registryOf({ providers: [] }).ids()).toEqual([])
  })

  test('add defaults to the policy', () => {
    expect(registryOf().policy).toEqual({
      emailMatch: 'require-interactive-link',
      allowSignup: true,
      usernameStrategy: defaultUsernameStrategy,
      trustEmailVerifiedFrom: [],
    })
    expect(registryOf({ policy: { allowSignup: false } }).policy.allowSignup).toBe(false)
  })
})

describe('states', () => {
  const payload = { random: 'r', provider: 'fake', redirect: '/' }

  test('are signed and verified with the registry’s secret and clock', async () => {
    const clock = new TestClock()
    const registry = registryOf({ clock })
    const token = await registry.signState(payload)
    expect(await registry.verifyState(token)).toEqual(payload)
    expect(await verifyState(token, stateSecret, { clock })).toEqual(payload)
    clock.advance(600)
    expect((await failureOf(registry.verifyState(token))).type).toBe('STATE_EXPIRED')
  })

  test('use the options of the call', async () => {
    const clock = new TestClock()
    const registry = registryOf({ clock })
    const short = await registry.signState(payload, { ttlSec: 1 })
    expect(await registry.verifyState(short, { expectedProvider: 'fake' })).toEqual(payload)
    expect((await failureOf(registry.verifyState(short, { expectedProvider: 'other' }))).type).toBe('STATE_INVALID')
    const later = new TestClock(clock.time + 5000)
    expect((await failureOf(registry.verifyState(short, { clock: later }))).type).toBe('STATE_EXPIRED')
    const future = await registry.signState(payload, { clock: later, ttlSec: 1 })
    expect(await registry.verifyState(future, { clock: later })).toEqual(payload)
  })

  test('use the system clock by default', async () => {
    const registry = registryOf()
    expect(await registry.verifyState(await registry.signState(payload))).toEqual(payload)
  })
})

describe('shared settings', () => {
  let hostile: HostileProvider
  beforeEach(async () => {
    hostile = await HostileProvider.start()
  })
  afterEach(() => hostile.stop())

  function counting(): { calls: string[]; fetch: FetchLike } {
    const calls: string[] = []
    return {
      calls,
      fetch: (url, init) => {
        calls.push(new URL(url).pathname)
        return globalThis.fetch(url, init)
      },
    }
  }

  test('reach every configurable provider unchanged', () => {
    const received: SharedProviderConfig[] = []
    const configurable: ConfigurableProvider = {
      id: 'mine',
      authorizationUrl: async () => '',
      exchange: async () => ({ provider: 'mine', subject: 's', raw: {} }),
      applyDefaults: (shared) => received.push(shared),
    }
    const shared = { clockToleranceSec: 9, jwks: { cacheTtlMs: 1 }, clock: new TestClock(), fetch: counting().fetch }
    registryOf({ providers: [configurable, fake], ...shared })
    registryOf({ providers: [configurable] })
    expect(received).toEqual([shared, {}])
    expect(isConfigurableProvider(configurable)).toBe(true)
    expect(isConfigurableProvider({ ...configurable, applyDefaults: 1 } as never)).toBe(false)
  })

  test('apply to an OIDC provider: clock, tolerance, fetch, cache', async () => {
    const { calls, fetch } = counting()
    const provider = new OidcProvider({ issuer: hostile.issuer, clientId, clientSecret })
    registryOf({
      providers: [provider],
      clock: hostile.clock,
      clockToleranceSec: 60,
      fetch,
      jwks: { cacheTtlMs: 1000 },
    })
    hostile.claims = { exp: hostile.clock.sec - 59 }
    await provider.exchange(exchangeArgs)
    hostile.clock.advance(1)
    hostile.claims = {}
    await provider.exchange(exchangeArgs)
    expect(calls).toEqual([DISCOVERY, '/token', '/jwks', '/token', '/jwks'])
  })

  test('never override a provider’s own options', async () => {
    const own = counting()
    const shared = counting()
    const provider = hostile.client({ fetch: own.fetch, clockToleranceSec: 60, jwksCacheTtlMs: 5000 })
    registryOf({
      providers: [provider],
      clock: new TestClock(0),
      clockToleranceSec: 0,
      fetch: shared.fetch,
      jwks: { cacheTtlMs: 0 },
    })
    hostile.claims = { exp: hostile.clock.sec - 59 }
    await provider.exchange(exchangeArgs)
    hostile.clock.advance(4)
    hostile.claims = {}
    await provider.exchange(exchangeArgs)
    expect(own.calls).toEqual([DISCOVERY, '/token', '/jwks', '/token'])
    expect(shared.calls).toEqual([])
  })

  test('a tolerance of zero is kept', async () => {
    const provider = hostile.client({ clockToleranceSec: 0 })
    registryOf({ providers: [provider], clockToleranceSec: 60 })
    hostile.claims = { exp: hostile.clock.sec - 1 }
    expect((await failureOf(provider.exchange(exchangeArgs))).details).toMatchObject({ check: 'exp' })
  })

  test('refreshOnUnknownKid is on by default', async () => {
    for (const [jwks, fetches] of [
      [undefined, 2],
      [{ refreshOnUnknownKid: true }, 2],
      [{ refreshOnUnknownKid: false }, 1],
    ] as const) {
      hostile.requests.length = 0
      hostile.header = {}
      const provider = hostile.client()
      registryOf({ providers: [provider], ...(jwks && { jwks }) })
      await provider.exchange(exchangeArgs)
      hostile.clock.advance(31)
      hostile.header = { kid: otherRsa.kid }
      await failureOf(provider.exchange(exchangeArgs))
      expect(hostile.count('/jwks')).toBe(fetches)
    }
  })

  test('give Beta a fetch unless it has one', async () => {
    const failing =
      (calls: string[]): FetchLike =>
      async (url) => {
        calls.push(url)
        throw new Error('no network here')
      }
    const shared: string[] = []
    const own: string[] = []
    const open = new BetaProvider({ clientId, clientSecret })
    const closed = new BetaProvider({ clientId, clientSecret, id: 'closed', fetch: failing(own) })
    registryOf({ providers: [open, closed], fetch: failing(shared) })
    await failureOf(open.exchange(exchangeArgs))
    await failureOf(closed.exchange(exchangeArgs))
    expect([shared.length, own.length]).toEqual([1, 1])
  })

  test('that are wrong are also refused by the provider', async () => {
    for (const provider of [hostile.client(), new BetaProvider({ clientId, clientSecret })])
      expect((await failureOf(() => provider.applyDefaults({ clockToleranceSec: -1 }))).type).toBe('INVALID_CONFIG')
  })
})

test('a provider that lacks a method is refused by name', async () => {
  for (const method of ['authorizationUrl', 'exchange']) {
    const provider = { id: 'own', authorizationUrl: async () => '', exchange: async () => ({}), [method]: undefined }
    const error = await failureOf(() => registryOf({ providers: [provider as never] }))
    expect(error).toMatchObject({
      type: 'INVALID_CONFIG',
      message: `\`providers.own\` must be an object with a method ${method}(), got an object`,
    })
  }
  for (const wrong of [undefined, null, 'alpha', {}, { id: '' }])
    expect((await failureOf(() => registryOf({ providers: [wrong as never] }))).type).toBe('INVALID_CONFIG')
})
