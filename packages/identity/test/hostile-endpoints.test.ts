import { pipeline } from 'node:stream/promises'
import { type FetchLike, OAuthError } from '@portico/identity'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { failureOf, MARK } from './support/failure.ts'
import { clientSecret, DISCOVERY, exchangeArgs, HostileProvider, sendJson } from './support/hostile-provider.ts'
import { withoutWaiting } from './support/stall.ts'

let hostile: HostileProvider

beforeEach(async () => {
  hostile = await HostileProvider.start()
})
afterEach(() => hostile.stop())

const urlArgs = { redirectUri: 'https://app.example/callback', state: 's', codeChallenge: 'c' }

describe('discovery', () => {
  const lies: [name: string, metadata: () => Record<string, unknown>][] = [
    ['another issuer', () => ({ issuer: 'https://evil.example' })],
    ['the issuer with a trailing slash', () => ({ issuer: `${hostile.issuer}/` })],
    ['the issuer in capitals', () => ({ issuer: hostile.issuer.toUpperCase() })],
    ['no issuer', () => ({ issuer: undefined })],
    ['no authorization endpoint', () => ({ authorization_endpoint: undefined })],
    ['no token endpoint', () => ({ token_endpoint: undefined })],
    ['no key set', () => ({ jwks_uri: undefined })],
    ['a token endpoint that is a number', () => ({ token_endpoint: 7 })],
    ['an authorization endpoint over http', () => ({ authorization_endpoint: 'http://login.example/authorize' })],
    ['a token endpoint over http', () => ({ token_endpoint: 'http://login.example/token' })],
    ['a key set over http', () => ({ jwks_uri: 'http://login.example/jwks' })],
    ['a key set in a file', () => ({ jwks_uri: 'file:///etc/passwd' })],
    ['an authorization endpoint that is a script', () => ({ authorization_endpoint: 'javascript:alert(1)' })],
    ['a host that only starts like a loopback address', () => ({ token_endpoint: 'http://127.0.0.1.evil.example' })],
    ['credentials in an endpoint', () => ({ token_endpoint: 'https://user:pass@login.example/token' })],
  ]
  test.each(lies)('with %s is INVALID_CONFIG, and is fetched again the next time', async (_name, metadata) => {
    hostile.metadata = metadata()
    const client = hostile.client()
    expect((await failureOf(client.exchange(exchangeArgs))).type).toBe('INVALID_CONFIG')
    expect((await failureOf(client.authorizationUrl(urlArgs))).type).toBe('INVALID_CONFIG')
    expect(hostile.requests).toEqual([DISCOVERY, DISCOVERY])
    hostile.metadata = {}
    expect((await client.exchange(exchangeArgs)).subject).toBe('ada')
  })

  test('of an issuer with a trailing slash is found at the path without it, and must name the slash', async () => {
    const client = hostile.client({ issuer: `${hostile.issuer}/` })
    expect((await failureOf(client.authorizationUrl(urlArgs))).type).toBe('INVALID_CONFIG')
    hostile.metadata = { issuer: `${hostile.issuer}/` }
    expect(await client.authorizationUrl(urlArgs)).toContain('/authorize?')
    expect(hostile.requests).toEqual([DISCOVERY, DISCOVERY])
  })

  const failures: [name: string, status: number, body: string][] = [
    ['500', 500, '{}'],
    ['404', 404, 'not found'],
    ['a redirect', 301, ''],
    ['HTML', 200, '<!doctype html>'],
    ['null', 200, 'null'],
    ['an array', 200, '[]'],
    ['nothing', 200, ''],
  ]
  test.each(failures)('answering %s is JWKS_FAILED once, and works afterwards', async (_name, status, body) => {
    const location = `${hostile.issuer}/elsewhere`
    hostile.answers.set(DISCOVERY, (_request, response) => response.writeHead(status, { location }).end(body))
    const client = hostile.client()
    const error = await failureOf(client.authorizationUrl(urlArgs))
    expect(error).toMatchObject({ type: 'JWKS_FAILED', details: { endpoint: 'discovery document', status } })
    hostile.answers.clear()
    expect((await client.exchange(exchangeArgs)).subject).toBe('ada')
    expect(hostile.count(DISCOVERY)).toBe(2)
  })

  test('is fetched once for 50 parallel calls, and once more when those failed', async () => {
    hostile.answers.set(DISCOVERY, (_request, response) => sendJson(response, {}, 503))
    const client = hostile.client()
    const ask = () => Promise.all(Array.from({ length: 50 }, () => client.authorizationUrl(urlArgs)))
    expect((await failureOf(ask())).type).toBe('JWKS_FAILED')
    hostile.answers.clear()
    expect(new Set(await ask()).size).toBe(1)
    await ask()
    expect(hostile.count(DISCOVERY)).toBe(2)
  })

  test('without a server is JWKS_FAILED with the reason', async () => {
    const { issuer } = hostile
    const client = hostile.client({ issuer })
    await hostile.stop()
    const error = await failureOf(client.authorizationUrl(urlArgs))
    expect(error).toMatchObject({ type: 'JWKS_FAILED', cause: { cause: { message: 'ECONNREFUSED' } } })
    hostile = await HostileProvider.start()
  })
})

describe('a token endpoint', () => {
  const answers: [name: string, status: number, body: string, details?: object][] = [
    ['200 with error', 200, '{"error":"invalid_grant"}', { error: 'invalid_grant' }],
    ['200 with error and an id token', 200, '{"error":"server_error","id_token":"x"}', { error: 'server_error' }],
    ['200 with an error that is an object', 200, '{"error":{"code":1}}'],
    ['null', 200, 'null'],
    ['an array', 200, '[]'],
    ['text', 200, '"token"'],
    ['a form', 200, 'access_token=a&id_token=b'],
    ['HTML', 200, '<!doctype html>'],
    ['an empty body', 200, ''],
    ['400', 400, '{"error":"invalid_client"}', { error: 'invalid_client' }],
    ['400 without saying why', 400, '{}'],
    ['500 with an id token', 500, '{"id_token":"x"}'],
    ['500 in HTML', 500, '<!doctype html>'],
    ['204', 204, ''],
  ]
  test.each(answers)('answering %s is EXCHANGE_FAILED', async (_name, status, body, details = {}) => {
    hostile.answers.set('/token', (_request, response) => response.writeHead(status).end(body))
    const error = await failureOf(hostile.signIn())
    expect(error.type).toBe('EXCHANGE_FAILED')
    expect(error.details).toEqual({ endpoint: 'token endpoint', status, ...details, provider: hostile.client().id })
  })

  test.each([301, 302, 303, 307, 308])(
    'answering with the redirect %i is EXCHANGE_FAILED and not followed',
    async (status) => {
      const location = `${hostile.issuer}/elsewhere`
      hostile.answers.set('/token', (_request, response) => response.writeHead(status, { location }).end('{}'))
      expect(await failureOf(hostile.signIn())).toMatchObject({ type: 'EXCHANGE_FAILED', details: { status } })
      expect(hostile.requests).not.toContain('/elsewhere')
    },
  )

  test('that redirects is EXCHANGE_FAILED, even if an injected fetch follows', async () => {
    const location = `${hostile.issuer}/elsewhere`
    hostile.answers.set('/token', (_request, response) => response.writeHead(302, { location }).end())
    hostile.answers.set('/elsewhere', (_request, response) => sendJson(response, { id_token: hostile.idToken() }))
    const error = await failureOf(hostile.signIn({ fetch: globalThis.fetch }))
    expect(error).toMatchObject({ type: 'EXCHANGE_FAILED', message: 'The token endpoint redirects' })
  })

  test('that sends 50 MB is cut off after 1 MiB', async () => {
    const chunk = Buffer.alloc(65_536, ' ')
    let sent = 0
    function* chunks() {
      for (; sent < 50 * 1024 * 1024; sent += chunk.length) yield chunk
    }
    hostile.answers.set('/token', (_request, response) => pipeline(chunks, response).catch(() => undefined))
    const error = await failureOf(hostile.signIn())
    expect(error).toMatchObject({ type: 'EXCHANGE_FAILED', cause: { name: 'RangeError' } })
    expect(sent).toBeLessThan(25 * 1024 * 1024)
  })

  test('that sends exactly 1 MiB is read', async () => {
    hostile.answers.set('/token', (_request, response) => {
      const body = JSON.stringify({ access_token: `access-token-${MARK}`, id_token: hostile.idToken() })
      response.writeHead(200).end(body.padEnd(1024 * 1024, ' '))
    })
    expect((await hostile.signIn()).subject).toBe('ada')
    hostile.answers.set('/token', (_request, response) =>
      response.writeHead(200).end('{}'.padEnd(1024 * 1024 + 1, ' ')),
    )
    expect((await failureOf(hostile.signIn())).type).toBe('EXCHANGE_FAILED')
  })

  const stalls: [name: string, answer: Parameters<HostileProvider['answers']['set']>[1]][] = [
    ['never answers', () => undefined],
    ['stops in the middle of its body', (_request, response) => response.writeHead(200).write('{"id_token":')],
  ]
  test.each(stalls)('that %s is aborted after 10 s, and its connection is closed', async (_name, answer) => {
    const closed = new Promise<void>((resolve) => {
      hostile.answers.set('/token', (request, response) => {
        request.socket.once('close', resolve)
        return answer(request, response)
      })
    })
    const error = await withoutWaiting(
      () => failureOf(hostile.signIn()),
      () => hostile.asked('/token'),
    )
    expect(error).toMatchObject({ type: 'EXCHANGE_FAILED', message: 'The token endpoint did not answer within 10 s' })
    await closed
  })

  test('that echoes the request adds nothing of it to an error', async () => {
    const echoes = [exchangeArgs.code, exchangeArgs.codeVerifier, clientSecret, 'lowercase_only_code']
    for (const echo of echoes) {
      hostile.answers.set('/token', (_request, response) =>
        sendJson(response, { error: echo, error_description: echo, [echo]: echo }, 400),
      )
      const error = await failureOf(hostile.client().exchange({ ...exchangeArgs, code: echo }))
      expect(error.details).toEqual({ endpoint: 'token endpoint', status: 400, provider: hostile.client().id })
    }
  })
})

describe('an injected fetch', () => {
  const reply = (body: unknown, status = 200) => ({
    ok: status < 400,
    status,
    json: async () => body,
    text: async () => JSON.stringify(body),
  })

  test('gets only method, headers and body, for discovery, token and keys', async () => {
    const calls: [string, unknown][] = []
    const fetch: FetchLike = async (url, init) => {
      calls.push([url, init])
      return globalThis.fetch(url, init)
    }
    expect((await hostile.signIn({ fetch })).subject).toBe('ada')
    expect(calls).toEqual([
      [`${hostile.issuer}${DISCOVERY}`, { method: 'GET', headers: { accept: 'application/json' } }],
      [
        `${hostile.issuer}/token`,
        {
          method: 'POST',
          headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
          body: expect.stringContaining('grant_type=authorization_code'),
        },
      ],
      [`${hostile.issuer}/jwks`, { method: 'GET', headers: { accept: 'application/json, application/jwk-set+json' } }],
    ])
  })

  test('replaces the network: nothing else is tried', async () => {
    const globalFetch = vi.spyOn(globalThis, 'fetch')
    try {
      const fetch: FetchLike = async (url) => reply(url.endsWith('/token') ? { error: 'invalid_grant' } : {})
      await failureOf(hostile.signIn({ fetch }))
      expect(globalFetch).not.toHaveBeenCalled()
    } finally {
      globalFetch.mockRestore()
    }
  })

  test.each([300, 302, 399])('that answers %i is refused, whatever its ok says', async (status) => {
    const fetch: FetchLike = async () => ({ ...reply({}), status, ok: true })
    expect(await failureOf(hostile.signIn({ fetch }))).toMatchObject({ type: 'JWKS_FAILED', details: { status } })
  })

  test('that never answers, or whose body never ends, fails after 10 s', async () => {
    const never = new Promise<never>(() => undefined)
    const fetches: FetchLike[] = [() => never, async () => ({ ...reply({}), json: () => never })]
    for (const fetch of fetches) {
      const error = await withoutWaiting(
        () => failureOf(hostile.signIn({ fetch })),
        async () => undefined,
      )
      expect(error.message).toBe('The discovery document did not answer within 10 s')
    }
  })

  test('that throws an error with the request in it leaks nothing', async () => {
    const fetch: FetchLike = async (url, init) => {
      if (!url.endsWith('/token')) return globalThis.fetch(url, init)
      const request = { url, ...init }
      throw Object.assign(new Error(`cannot send ${init?.body}`, { cause: new Error(init?.body) }), {
        request,
        config: { data: init?.body },
        code: 'ECONNRESET',
      })
    }
    const error = await failureOf(hostile.signIn({ fetch }))
    expect(error).toMatchObject({ type: 'EXCHANGE_FAILED', cause: { name: 'Error', message: 'ECONNRESET' } })
  })

  test('whose parser quotes the body in its error leaks nothing', async () => {
    const fetch: FetchLike = async (url, init) => {
      if (!url.endsWith('/token')) return globalThis.fetch(url, init)
      const json = async () => JSON.parse(`access_token-${MARK}`) as unknown
      return { ...reply({}), json }
    }
    expect(await failureOf(hostile.signIn({ fetch }))).toMatchObject({
      type: 'EXCHANGE_FAILED',
      cause: { name: 'SyntaxError' },
    })
  })

  test('that throws synchronously, or throws a value that is not an Error, is the same failure', async () => {
    const fetch = (() => {
      throw MARK
    }) as FetchLike
    const error = await failureOf(hostile.signIn({ fetch }))
    expect(error).toMatchObject({ type: 'JWKS_FAILED', message: 'The discovery document could not be reached' })
  })
})

test.each([undefined, null, 'text', {}])(
  'an injected fetch that resolves to %j is a failure like any other',
  async (answer) => {
    const error = await failureOf(hostile.signIn({ fetch: (async () => answer) as never }))
    expect(error).toBeInstanceOf(OAuthError)
    expect(error.type).toBe('JWKS_FAILED')
  },
)
