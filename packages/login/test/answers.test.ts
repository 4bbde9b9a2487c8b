import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { AuthorizeErrorCode } from '@portico/login'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  type Answer,
  answerJson,
  type Overrides,
  startAuthorizationServer,
} from '../../../test/support/authorization-server.ts'
import { expectFailure, failSignIn, startLogin } from './support/login.ts'

afterEach(() => vi.useRealTimers())

const token = answerJson({ access_token: 'SECRET-TOKEN' })
const endpoints: [string, AuthorizeErrorCode, (answer: Answer) => Overrides][] = [
  ['token', 'exchange_failed', (answer) => ({ token: answer })],
  ['status', 'status_check_failed', (answer) => ({ token, status: answer })],
]

describe.each(endpoints)('a hostile answer of the %s endpoint', (endpoint, code, overrides) => {
  it.each([301, 302, 303, 307, 308])('a redirect (%d) is refused and not followed', async (status) => {
    await using elsewhere = await startAuthorizationServer()
    await using server = await startAuthorizationServer(
      overrides((response) =>
        response.writeHead(status, { location: `${elsewhere.url}/auth/${endpoint}` }).end('{"access_token":"t"}'),
      ),
    )
    const { error } = await failSignIn(server.options, code)
    expect(error.message).toContain(String(status))
    expect([elsewhere.seen.token.length, elsewhere.seen.status.length]).toEqual([0, 0])
  })

  it('is read up to 1 MiB', async () => {
    const padding = ' '.repeat(1024 * 1024 - '{"access_token":"t"}'.length)
    await using server = await startAuthorizationServer(
      overrides((response) => response.end(`{"access_token":"t"}${padding}`)),
    )
    const login = await startLogin(server.options)
    await fetch(login.url)
    const ended = await login.result.catch((error) => error.code)
    // The real status check fails for a token that the server does not know: that is one step later.
    expect(ended).toEqual(endpoint === 'token' ? 'status_check_failed' : { accessToken: 'SECRET-TOKEN' })
  })

  it.each([
    [
      'one byte more than 1 MiB',
      (response: ServerResponse) => response.end(`{"access_token":"t"}${' '.repeat(1024 * 1024 - 19)}`),
    ],
    [
      'a bomb of 50 MB in gzip',
      (response: ServerResponse) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000, ' '))),
    ],
  ])('%s is refused', async (_, answer) => {
    await using server = await startAuthorizationServer(overrides(answer))
    const { error } = await failSignIn(server.options, code)
    expect(error.message).toContain('1 MiB')
  })

  it('an endless answer is cut off', async () => {
    let sent = 0
    const chunk = Buffer.alloc(65_536, ' ')
    await using server = await startAuthorizationServer(
      overrides((response) => {
        const pour = () => {
          while (!response.destroyed && response.write(chunk)) sent += chunk.length
        }
        response.on('drain', pour)
        pour()
      }),
    )
    await failSignIn(server.options, code)
    expect(sent).toBeLessThan(20_000_000)
  })

  it.each([
    ['nothing at all', () => {}],
    ['headers only', (response: ServerResponse) => response.writeHead(200).flushHeaders()],
    ['half a body', (response: ServerResponse) => response.writeHead(200).write('{"access_token":')],
  ])('an answer that stalls after %s ends after 30 s', async (_, answer) => {
    await using server = await startAuthorizationServer(overrides(answer))
    const login = await startLogin(server.options)
    const failure = expectFailure(login.result, code)
    const timers = vi.spyOn(globalThis, 'setTimeout')
    void fetch(login.url).then((page) => page.text())
    await expect.poll(() => server.seen[endpoint as 'token' | 'status'].length).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 50))
    const limits = timers.mock.calls.filter(([, ms]) => ms === 30_000)
    timers.mockRestore()
    // Instead of waiting 30 s, the test fires the timer.
    expect(limits.length).toBeGreaterThanOrEqual(1)
    limits.at(-1)?.[0]()
    expect((await failure).message).toContain('30 s')
  })
})
