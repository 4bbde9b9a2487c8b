import { AuthServerError, type AuthServerOptions, createAuthServer, createClientSecret } from '@portico/auth-server'
import { openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import { describe, expect, it } from 'vitest'
import { createPeople, secret, webClient } from './support/server.ts'

async function create(changes: object) {
  await using db = await openDatabase(sqlite({ file: ':memory:' }))
  const options = { db, baseUrl: 'https://app.example', secret, providers: [createPeople('work')], ...changes }
  return createAuthServer(options as AuthServerOptions)
}

describe('createAuthServer', () => {
  it.each([
    ['an unknown option', { rateLimit: {} }, 'there is no option rateLimit; there are db, baseUrl, secret'],
    ['no database', { db: undefined }, 'db must be an open database'],
    ['a baseUrl that is not a URL', { baseUrl: 'app.example' }, 'baseUrl must be an http: or https: URL'],
    [
      'a baseUrl with a path',
      { baseUrl: 'https://app.example/auth' },
      'baseUrl must be an origin alone: https://app.example',
    ],
    ['a baseUrl with a query', { baseUrl: 'https://app.example?x' }, 'baseUrl must be an origin alone'],
    [
      'http on the open network',
      { baseUrl: 'http://app.example' },
      'baseUrl must be https: unless it is a loopback address',
    ],
    ['a short secret', { secret: 'short' }, 'secret must have at least 32 bytes'],
    ['no secret', { secret: undefined }, 'secret must have at least 32 bytes'],
    ['two clients with one id', { clients: [webClient, webClient] }, 'two clients have the id web'],
    ['a client id with a space', { clients: [{ ...webClient, id: 'a b' }] }, 'the id of a client must be'],
    [
      'a client with a secret',
      { clients: [{ ...webClient, secret: 'x' } as never] },
      'client web: a client has no secret',
    ],
    ['a client without a name', { clients: [{ ...webClient, name: ' ' }] }, 'client web: name must be text'],
    [
      'a client without addresses',
      { clients: [{ ...webClient, redirectUris: [] }] },
      'client web: redirectUris must list',
    ],
    [
      'an http address of a client',
      { clients: [{ ...webClient, redirectUris: ['http://shop.example/'] }] },
      'a redirect URI must be https:',
    ],
    [
      'a script for an address',
      { clients: [{ ...webClient, redirectUris: ['javascript:alert(1)'] }] },
      'a redirect URI must be https:',
    ],
    [
      'an address with a fragment',
      { clients: [{ ...webClient, redirectUris: ['https://shop.example/#x'] }] },
      'a redirect URI has no fragment',
    ],
    [
      'a secret instead of its hash',
      { clients: [{ ...webClient, secretHashes: ['my secret'] }] },
      'client web: secretHashes must be hashes',
    ],
    [
      'a symmetric algorithm',
      { clients: [{ ...webClient, idTokenSigningAlg: 'HS256' }] },
      'client web: idTokenSigningAlg must be ES256 or RS256',
    ],
    ['a scope with a space', { scopes: { 'a b': 'x' } }, 'scopes must be names without spaces'],
    ['a scope without a text', { scopes: { tasks: { roles: ['admin'] } } }, 'scopes must be names without spaces'],
    [
      'a scope with something else',
      { scopes: { tasks: { label: 'x', role: 'admin' } } },
      'scope tasks: a scope has no role',
    ],
    [
      'a scope for no role',
      { scopes: { tasks: { label: 'x', roles: [] } } },
      'scope tasks: roles must list at least one',
    ],
    ['a scope for a text', { scopes: { tasks: { label: 'x', roles: 'admin' } } }, 'scope tasks: roles must list'],
    ['an OpenID scope for a role', { scopes: { email: { label: 'x', roles: ['a'] } } }, 'scope email: an OpenID scope'],
    [
      'a client with an unknown scope',
      { clients: [{ ...webClient, allowedScopes: ['taks'] }] },
      'client web: allowedScopes must list scopes',
    ],
    ...['https://spa.example/', 'spa.example', '*', 'null', 'https://spa.example/path', 'com.example:/'].map(
      (it): [string, object, string] => [
        `${it} for an origin`,
        { clients: [{ ...webClient, allowedOrigins: [it] }] },
        'client web: allowedOrigins must list origins',
      ],
    ),
    ...[-1, 0.5, 1e6, '60', Number.NaN].map((it): [string, object, string] => [
      `a sweep every ${it}`,
      { sweepEverySec: it },
      'sweepEverySec must be a whole number of seconds',
    ]),
    ['no providers', { providers: undefined }, 'providers must be a list'],
    ['two providers with one id', { providers: [createPeople('work'), createPeople('work')] }, 'work'],
    ['an object that is not a provider', { providers: [{}] }, ''],
    ['an invalid policy', { policy: { emailMatch: 'always' } }, ''],
    ['an unknown lifetime', { lifetimes: { codeSecs: 1 } }, 'lifetimes has no codeSecs'],
    ['a lifetime of nothing', { lifetimes: { codeSec: 0 } }, 'lifetimes.codeSec must be a whole number of seconds'],
    ['an unknown rate limit', { rateLimits: { login: false } }, 'rateLimits has no login'],
    [
      'a rate limit of nothing',
      { rateLimits: { token: { limit: 0, windowSec: 1 } } },
      'rateLimits.token must be false or',
    ],
  ])('refuses %s', async (_, changes, message) => {
    const error = await create(changes).catch((it: unknown) => it)
    expect(error).toBeInstanceOf(AuthServerError)
    expect(error).toMatchObject({ code: 'OPTIONS_INVALID', message: expect.stringContaining(message) })
  })

  it.each([undefined, null, 'https://app.example', 5])('takes options, not %s', (options) => {
    const make = () => createAuthServer(options as never)
    expect(make).toThrow(AuthServerError)
    expect(make).toThrow('createAuthServer takes options: { db, baseUrl, secret, providers }')
  })

  it.each([
    'https://app.example',
    'https://app.example/',
    'http://127.0.0.1:3000',
    'http://127.1.2.3:3000',
    'http://[::1]:3000',
    'http://localhost:3000',
  ])('takes %s for a base URL', async (baseUrl) => {
    expect((await create({ baseUrl })).routes.routes.length).toBeGreaterThan(10)
  })

  it('creates client secrets that are shown once, and never the same twice', () => {
    const [one, two] = [createClientSecret(), createClientSecret()]
    expect(one.secret).not.toBe(two.secret)
    expect(one.hash).toMatch(/^[\w-]{43}$/)
    expect(one.hash).not.toBe(one.secret)
  })
})
