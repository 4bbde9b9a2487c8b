import { request } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { startAuthorizationServer } from '../../../test/support/authorization-server.ts'
import { type Login, startLogin } from './support/login.ts'

/** Sends a request with headers that fetch would not send, and returns its status. */
function send(login: Login, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: login.port, path, method, headers, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })
}

/** Writes bytes to the socket and returns the first line of the response, or '' if the server only closes it. */
function sendRaw(login: Login, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(login.port, '127.0.0.1', () => socket.write(bytes))
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer.split('\r\n')[0] ?? ''))
  })
}

/** Sends stray requests to a waiting login, then checks that it still completes. */
async function surviving(strays: (login: Login, callback: string) => Promise<void>): Promise<void> {
  await using server = await startAuthorizationServer()
  const login = await startLogin(server.options)
  await strays(login, `/callback?code=stray&state=${login.state}`)
  const page = await fetch(login.url)
  expect(page.status).toBe(200)
  expect((await login.result).userId).toBe('user-1')
}

describe('requests that must never end the wait', () => {
  it.each([
    '/',
    '/favicon.ico',
    '/callback/',
    '/Callback',
    '/callback/x',
    '//',
    '//callback',
    '/%63allback',
    '/../callback',
    '/callback;x',
    '*',
  ])('another path, %s: 404', (path) =>
    surviving(async (login) => {
      expect(await send(login, `${path}?code=c&state=${login.state}`)).toBe(404)
    }),
  )

  it.each(['POST', 'PUT', 'HEAD', 'OPTIONS', 'DELETE', 'PATCH'])('another method, %s: 405', (method) =>
    surviving(async (login, callback) => {
      expect(await send(login, callback, {}, method)).toBe(405)
    }),
  )

  it('a 405 has an Allow header', () =>
    surviving(async (login) => {
      expect((await fetch(login.redirectUri, { method: 'POST' })).headers.get('allow')).toBe('GET')
    }))

  it.each(['', '?', '?utm_source=x', '?codes=1', '?iss=x'])(
    'a request without code, state and error, "%s": 400',
    (query) =>
      surviving(async (login) => {
        expect(await send(login, `/callback${query}`)).toBe(400)
      }),
  )

  it.each(['localhost', 'evil.example', 'evil.example:80', '127.0.0.1', '127.0.0.1:1', '[::1]'])(
    'a Host of %s: 421',
    (host) =>
      surviving(async (login, callback) => {
        expect(await send(login, callback, { host })).toBe(421)
      }),
  )

  it('a Host with another address and the right port: 421', () =>
    surviving(async (login, callback) => {
      for (const name of ['localhost', 'evil.example', '127.0.0.2', '127.0.0.1.evil.example']) {
        expect(await send(login, callback, { host: `${name}:${login.port}` })).toBe(421)
      }
    }))

  it('no Host at all, as HTTP/1.0 allows: 421', () =>
    surviving(async (login, callback) => {
      expect(await sendRaw(login, `GET ${callback} HTTP/1.0\r\n\r\n`)).toContain('421')
    }))

  it.each([
    ['sec-purpose', 'prefetch'],
    ['sec-purpose', 'prefetch;prerender'],
    ['purpose', 'prefetch'],
  ])('a prefetch, %s: %s', (name, value) =>
    surviving(async (login, callback) => {
      expect(await send(login, callback, { [name]: value })).toBe(403)
    }),
  )

  it.each(['image', 'script', 'iframe', 'frame', 'empty', 'object', 'style', 'video', ''])(
    'a request for Sec-Fetch-Dest "%s"',
    (destination) =>
      surviving(async (login, callback) => {
        expect(await send(login, callback, { 'sec-fetch-dest': destination })).toBe(403)
      }),
  )

  it.each(['websocket', 'WebSocket'])('the handshake of a WebSocket, Upgrade: %s', (upgrade) =>
    surviving(async (login, callback) => {
      expect(await send(login, callback, { upgrade, connection: 'Upgrade' })).toBe(403)
    }),
  )

  it('a callback with 40 kB of cookies, which browsers send for every port, is accepted', async () => {
    await using server = await startAuthorizationServer()
    const login = await startLogin(server.options)
    const authorized = await fetch(login.url, { redirect: 'manual' })
    const { pathname, search } = new URL(authorized.headers.get('location') ?? '')
    expect(await send(login, pathname + search, { cookie: `a=${'x'.repeat(40_000)}` })).toBe(200)
    expect((await login.result).userId).toBe('user-1')
  })

  it('other Fetch Metadata headers are ignored', async () => {
    await using server = await startAuthorizationServer()
    const login = await startLogin(server.options)
    const authorized = await fetch(login.url, { redirect: 'manual' })
    const callback = new URL(authorized.headers.get('location') ?? '')
    const headers = {
      'sec-fetch-dest': 'document',
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'cors',
      'sec-fetch-user': '?0',
    }
    expect(await send(login, callback.pathname + callback.search, headers)).toBe(200)
    expect((await login.result).userId).toBe('user-1')
  })

  it.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc'],
    ['a request line without a target', 'GET HTTP/1.1\r\n\r\n'],
    ['a target with a space', 'GET /call back HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an unknown method', 'BREW /callback?code=c HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a CONNECT', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n'],
    ['a broken header', 'GET /callback?code=c HTTP/1.1\r\nHost\r\n\r\n'],
    ['headers without end', `GET /callback?code=c HTTP/1.1\r\n${'X: y\r\n'.repeat(100_000)}`],
    ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['two lengths', 'POST /callback HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
  ])('malformed requests: %s', (_, bytes) =>
    surviving(async (login) => {
      expect(await sendRaw(login, bytes)).toMatch(/^$|^HTTP\/1\.1 4\d\d /)
    }),
  )

  it('a request target that is not a URL', () =>
    surviving(async (login) => {
      for (const target of [
        '//',
        '//?code=c',
        '///',
        '/%',
        '/callback%00',
        `http://127.0.0.1:${login.port}/callback?code=c`,
      ]) {
        const line = `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${login.port}\r\nConnection: close\r\n\r\n`
        expect(await sendRaw(login, line)).toContain('404')
      }
    }))

  it('the answer to a stray request has the headers of the page and nothing of the request', () =>
    surviving(async (login) => {
      const answer = await fetch(`${login.redirectUri}?x=<script>alert(1)</script>`)
      expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; style-src 'unsafe-inline'")
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
      expect(await answer.text()).not.toContain('script')
    }))
})
