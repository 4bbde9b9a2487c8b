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
    ['a misspelled option', { rateLimit: {} }, 'unknown option `rateLimit`; did you mean `rateLimits`?'],
    ['an unknown option', { cors: {} }, 'unknown option `cors`; the options are db, baseUrl, secret'],
    ['no database', { db: undefined }, '`db` is required: it must be an open database'],
    ['a baseUrl without a scheme', { baseUrl: 'app.example' }, '`baseUrl` must be an http: or https: URL'],
    [
      'a baseUrl with a path',
      { baseUrl: 'https://app.example/auth' },
      '`baseUrl` must be an origin without a path: https://app.example',
    ],
    ['a baseUrl with a query', { baseUrl: 'https://app.example?x' }, '`baseUrl` must be an origin without a path'],
    [
      'http on the open network',
      { baseUrl: 'http://app.example' },
      '`baseUrl` must be an https: URL (or http: on a loopback host)',
    ],
    ['a short secret', { secret: 'short' }, '`secret` must be a string of at least 32 bytes'],
    ['no secret', { secret: undefined }, '`secret` is required'],
    ['two clients with one id', { clients: [webClient, webClient] }, 'two clients have the id web'],
    ['a client id with a space', { clients: [{ ...webClient, id: 'a b' }] }, 'the id of a client must be'],
    [
      'a client with a secret',
      { clients: [{ ...webClient, secret: 'x' } as never] },
      'unknown option `clients.web.secret`',
    ],
    ['a client without a name', { clients: [{ ...webClient, name: ' ' }] }, '`clients.web.name` must be a name'],
    [
      'a client without addresses',
      { clients: [{ ...webClient, redirectUris: [] }] },
      '`clients.web.redirectUris` must be a non-empty list',
    ],
    [
      'an http address of a client',
      { clients: [{ ...webClient, redirectUris: ['http://shop.example/'] }] },
      'redirect URIs that are https:',
    ],
    [
      'a script for an address',
      { clients: [{ ...webClient, redirectUris: ['javascript:alert(1)'] }] },
      'redirect URIs that are https:',
    ],
    [
      'an address with a fragment',
      { clients: [{ ...webClient, redirectUris: ['https://shop.example/#x'] }] },
      'redirect URIs without fragment',
    ],
    [
      'a secret instead of its hash',
      { clients: [{ ...webClient, secretHashes: ['my secret'] }] },
      '`clients.web.secretHashes` must be a list of hashes',
    ],
    [
      'a symmetric algorithm',
      { clients: [{ ...webClient, idTokenSigningAlg: 'HS256' }] },
      "`clients.web.idTokenSigningAlg` must be one of 'ES256', 'RS256'",
    ],
    ['a scope with a space', { scopes: { 'a b': 'x' } }, 'the name of a scope must be'],
    ['a scope without a text', { scopes: { tasks: { roles: ['admin'] } } }, '`scopes.tasks.label` is required'],
    [
      'a scope with something else',
      { scopes: { tasks: { label: 'x', role: 'admin' } } },
      'unknown option `scopes.tasks.role`; did you mean `scopes.tasks.roles`?',
    ],
    [
      'a scope for no role',
      { scopes: { tasks: { label: 'x', roles: [] } } },
      '`scopes.tasks.roles` must be a non-empty list of roles',
    ],
    ['a scope for a text', { scopes: { tasks: { label: 'x', roles: 'admin' } } }, '`scopes.tasks.roles` must be'],
    [
      'an OpenID scope for a role',
      { scopes: { email: { label: 'x', roles: ['a'] } } },
      '`scopes.email` must not have roles',
    ],
    [
      'a client with an unknown scope',
      { clients: [{ ...webClient, allowedScopes: ['taks'] }] },
      '`clients.web.allowedScopes` must be a list of scopes',
    ],
    ...['https://spa.example/', 'spa.example', '*', 'null', 'https://spa.example/path', 'com.example:/'].map(
      (it): [string, object, string] => [
        `${it} for an origin`,
        { clients: [{ ...webClient, allowedOrigins: [it] }] },
        '`clients.web.allowedOrigins` must be a list of origins',
      ],
    ),
    ...[-1, 0.5, 1e6, '60', Number.NaN].map((it): [string, object, string] => [
      `a sweep every ${it}`,
      { sweepEverySec: it },
      '`sweepEverySec` must be an integer from 0 to 86400',
    ]),
    ['no providers', { providers: undefined }, '`providers` is required: it must be a list'],
    ['two providers with one id', { providers: [createPeople('work'), createPeople('work')] }, 'work'],
    ['a provider without methods', { providers: [{}] }, ''],
    ['an unknown policy', { policy: { emailMatch: 'always' } }, ''],
    [
      'an unknown lifetime',
      { lifetimes: { codeSecs: 1 } },
      'unknown option `lifetimes.codeSecs`; did you mean `lifetimes.codeSec`?',
    ],
    ['a lifetime of nothing', { lifetimes: { codeSec: 0 } }, '`lifetimes.codeSec` must be a positive integer, got 0'],
    [
      'an unknown rate limit',
      { rateLimits: { login: false } },
      'unknown option `rateLimits.login`; the options are signIn, token, status',
    ],
    [
      'a rate limit of nothing',
      { rateLimits: { token: { limit: 0, windowSec: 1 } } },
      '`rateLimits.token` must be false or',
    ],
  ])('refuses %s', async (_, changes, message) => {
    const error = await create(changes).catch((it: unknown) => it)
    expect(error).toBeInstanceOf(AuthServerError)
    expect(error).toMatchObject({ code: 'OPTIONS_INVALID', message: expect.stringContaining(message) })
  })

  it.each([undefined, null, 'https://app.example', 5])('requires options, not %s', (options) => {
    const make = () => createAuthServer(options as never)
    expect(make).toThrow(AuthServerError)
    expect(make).toThrow('createAuthServer: the options must be an object')
  })

  it.each([
    'https://app.example',
    'https://app.example/',
    'http://127.0.0.1:3000',
    'http://127.1.2.3:3000',
    'http://[::1]:3000',
    'http://localhost:3000',
  ])('accepts %s as the base URL', async (baseUrl) => {
    expect((await create({ baseUrl })).routes.routes.length).toBeGreaterThan(10)
  })

  it('creates client secrets that are shown once, and never the same twice', () => {
    const [one, two] = [createClientSecret(), createClientSecret()]
    expect(one.secret).not.toBe(two.secret)
    expect(one.hash).toMatch(/^[\w-]{43}$/)
    expect(one.hash).not.toBe(one.secret)
  })
})
