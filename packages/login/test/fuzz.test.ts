import { connect } from 'node:net'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { startAuthorizationServer } from '../../../test/support/authorization-server.ts'
import { heavy } from '../../../test/support/heavy.ts'
import { type Login, startLogin } from './support/login.ts'

/** Sends bytes on a new socket and waits until the server closes it, or for 20 ms without an answer. */
function sendBytes(login: Login, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(login.port, '127.0.0.1', () => socket.end(bytes))
    socket.on('error', () => {}).on('close', () => resolve())
    socket.setTimeout(20, () => socket.destroy())
    socket.resume()
  })
}

/** Parts of requests, in any order, with any bytes between them. Without the names of the callback's parameters. */
const piece = fc.oneof(
  fc.constantFrom(
    'GET ',
    'POST ',
    ' HTTP/1.1',
    ' HTTP/1.0',
    '\r\n',
    '\r\n\r\n',
    '/',
    '/callback',
    '?',
    '&',
    '=',
    '%',
    '%00',
    '%zz',
    '//',
    ':',
  ),
  fc.constantFrom(
    'Host: 127.0.0.1',
    'Content-Length: ',
    'Transfer-Encoding: chunked',
    'Sec-Fetch-Dest: ',
    'Expect: 100-continue',
    'Upgrade: websocket',
  ),
  fc.string({ maxLength: 20 }),
)
const request = fc.array(piece, { maxLength: 30 }).map((pieces) => Buffer.from(pieces.join(''), 'latin1'))

it('no sequence of bytes ends or crashes the wait', async () => {
  await using server = await startAuthorizationServer()
  const login = await startLogin(server.options)
  const settled = login.result.then(
    () => 'settled',
    () => 'settled',
  )
  await fc.assert(
    fc.asyncProperty(request, async (bytes) => {
      await sendBytes(login, bytes)
      expect(await Promise.race([settled, Promise.resolve('waiting')])).toBe('waiting')
    }),
    { numRuns: heavy(2_000) },
  )
  await (await fetch(login.url)).text()
  expect((await login.result).userId).toBe('user-1')
}, 120_000)

it('any callback without the right state ends with provider_denied or state_mismatch, and no code is exchanged', async () => {
  await using server = await startAuthorizationServer()
  const names = fc.constantFrom('code', 'state', 'error', 'iss', 'x', '__proto__')
  const query = fc.array(fc.tuple(names, fc.string({ unit: 'binary', maxLength: 50 })), { maxLength: 6 })
  const known = query.filter((pairs) => pairs.some(([name]) => ['code', 'state', 'error'].includes(name)))
  await fc.assert(
    fc.asyncProperty(known, async (pairs) => {
      const login = await startLogin(server.options)
      const code = login.result.then(
        () => 'signed in',
        (error) => error.code,
      )
      const parameters = new URLSearchParams(pairs)
      await (await fetch(`${login.redirectUri}?${parameters}`)).text()
      expect(await code).toBe(parameters.has('error') ? 'provider_denied' : 'state_mismatch')
    }),
    { numRuns: heavy(500) },
  )
  expect(server.seen.token).toHaveLength(0)
}, 120_000)
