import { createServer } from 'node:http'
import { inspect } from 'node:util'
import { AuthorizeError, type AuthorizeOptions, authorize } from '@portico/login'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startAuthorizationServer } from '../../../test/support/authorization-server.ts'
import { expectFailure, startLogin } from './support/login.ts'

const urls = { authorizeUrl: 'https://app.example/auth/authorize', tokenUrl: 'https://app.example/auth/token' }

afterEach(() => vi.restoreAllMocks())

describe('a wrong option is an exchange_failed that names it and has a cause', () => {
  const cases: [string, object][] = [
    ['authorizeUrl', { authorizeUrl: 'not a url' }],
    ['authorizeUrl', { authorizeUrl: '' }],
    ['authorizeUrl', { authorizeUrl: undefined }],
    ['authorizeUrl', { authorizeUrl: 'javascript:alert(1)' }],
    ['authorizeUrl', { authorizeUrl: 'file:///etc/passwd' }],
    ['tokenUrl', { tokenUrl: '/auth/token' }],
    ['tokenUrl', { tokenUrl: 'data:application/json,{"access_token":"x"}' }],
    ['tokenUrl', { tokenUrl: 'https://name:hunter2@app.example/' }],
    ['tokenUrl', { tokenUrl: 'https://name:hunter2@app example/' }],
    ['statusUrl', { statusUrl: 'nowhere' }],
    ['statusUrl', { statusUrl: null }],
    ['timeoutMs', { timeoutMs: -1 }],
    ['timeoutMs', { timeoutMs: Number.NaN }],
    ['timeoutMs', { timeoutMs: 2 ** 31 }],
    ['timeoutMs', { timeoutMs: Number.POSITIVE_INFINITY }],
    ['timeoutMs', { timeoutMs: '1000' }],
    ['clientId', { clientId: '' }],
    ['clientId', { clientId: 7 }],
    ['scope', { scope: 'openid email' }],
    ['scope', { scope: [1] }],
    ['scope', { scope: ['openid', ''] }],
    ['openBrowser', { openBrowser: 'no' }],
    ['onUrl', { onUrl: 'https://app.example' }],
    ['signal', { signal: {} }],
    ['signal', { signal: null }],
    ['signal', { signal: { aborted: false, addEventListener() {} } }],
    ['signal', { signal: { aborted: false, addEventListener: 5, removeEventListener: 5 } }],
    ['scope', { scope: null }],
    ['expectedIssuer', { expectedIssuer: '' }],
  ]
  it.each(cases)('%s: %o', async (name, wrong) => {
    const onUrl = vi.fn()
    const error = await expectFailure(
      authorize({ ...urls, openBrowser: false, onUrl, ...wrong } as AuthorizeOptions),
      'exchange_failed',
    )
    expect(error.message).toContain(name)
    expect(error.cause).toBeInstanceOf(Error)
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain('hunter2')
    expect(onUrl).not.toHaveBeenCalled()
  })

  it('options that throw when they are read', async () => {
    const thrown = new Error('a getter of the caller')
    const options = {
      ...urls,
      get clientId(): string {
        throw thrown
      },
    }
    expect((await expectFailure(authorize(options), 'exchange_failed')).cause).toBe(thrown)
  })

  it('no options at all', async () => {
    const withoutOptions = authorize as () => Promise<unknown>
    expect((await expectFailure(withoutOptions(), 'exchange_failed')).message).toContain('options')
  })
})

describe('an option that is omitted or undefined has its default', () => {
  it('timeoutMs is 300000 by default, and at most 2^31-1', async () => {
    await using server = await startAuthorizationServer()
    for (const [timeoutMs, expected] of [
      [undefined, 300_000],
      [2 ** 31 - 1, 2 ** 31 - 1],
    ]) {
      const timers = vi.spyOn(globalThis, 'setTimeout')
      const login = await startLogin({ ...server.options, timeoutMs })
      expect(timers.mock.calls.map(([, ms]) => ms)).toContain(expected)
      await fetch(login.url)
      await login.result
      timers.mockRestore()
    }
  })

  it('timeoutMs of 0 times out at once', async () => {
    await expectFailure(authorize({ ...urls, openBrowser: false, timeoutMs: 0 }), 'timeout')
  })

  it('a signal of another AbortSignal class is accepted', async () => {
    const { signal } = new AbortController()
    const other = {
      aborted: false,
      addEventListener: signal.addEventListener.bind(signal),
      removeEventListener: signal.removeEventListener.bind(signal),
    } as AbortSignal
    await using server = await startAuthorizationServer()
    const login = await startLogin({ ...server.options, signal: other })
    await fetch(login.url)
    expect((await login.result).userId).toBe('user-1')
  })

  it('everything but the two URLs may be undefined', async () => {
    await using server = await startAuthorizationServer()
    const { authorizeUrl, tokenUrl } = server.options
    const login = await startLogin({
      authorizeUrl,
      tokenUrl,
      clientId: undefined,
      scope: undefined,
      statusUrl: undefined,
      timeoutMs: undefined,
      signal: undefined,
      expectedIssuer: undefined,
    })
    await fetch(login.url)
    expect((await login.result).userId).toBe('user-1')
  })
})

describe('onUrl', () => {
  it('that throws ends the login with its error as the cause', async () => {
    const thrown = new Error('no terminal')
    const login = authorize({
      ...urls,
      openBrowser: false,
      onUrl: () => {
        throw thrown
      },
    })
    expect((await expectFailure(login, 'exchange_failed')).cause).toBe(thrown)
  })

  it('that is async and fails later ends the login too', async () => {
    const thrown = new Error('no clipboard')
    const onUrl = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      throw thrown
    }
    expect((await expectFailure(authorize({ ...urls, openBrowser: false, onUrl }), 'exchange_failed')).cause).toBe(
      thrown,
    )
  })

  it('that is async, aborts the login and then fails causes no unhandled rejection', async () => {
    const abort = new AbortController()
    const onUrl = async () => {
      abort.abort()
      await new Promise((resolve) => setTimeout(resolve, 10))
      throw new Error('late')
    }
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    await expectFailure(authorize({ ...urls, openBrowser: false, onUrl, signal: abort.signal }), 'timeout')
    await new Promise((resolve) => setTimeout(resolve, 30))
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })

  it('that is async and fails after the login causes no unhandled rejection', async () => {
    await using server = await startAuthorizationServer()
    let fail = () => {}
    const onUrl = (url: string) => {
      void fetch(url)
      return new Promise<void>((_, reject) => {
        fail = () => reject(new Error('late'))
      })
    }
    await authorize({ ...server.options, openBrowser: false, onUrl })
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    fail()
    await new Promise((resolve) => setTimeout(resolve, 20))
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })
})

it('a server that cannot listen is an exchange_failed with its cause', async () => {
  const refused = Object.assign(new Error('listen EADDRNOTAVAIL'), { code: 'EADDRNOTAVAIL' })
  // A missing loopback interface cannot be simulated, so `listen` itself fails here.
  vi.spyOn(Object.getPrototypeOf(Object.getPrototypeOf(createServer())), 'listen').mockImplementation(function (
    this: unknown,
  ) {
    queueMicrotask(() => (this as NodeJS.EventEmitter).emit('error', refused))
    return this
  })
  const onUrl = vi.fn()
  const error = await expectFailure(authorize({ ...urls, openBrowser: false, onUrl }), 'exchange_failed')
  expect(error).toBeInstanceOf(AuthorizeError)
  expect(error.cause).toBe(refused)
  expect(onUrl).not.toHaveBeenCalled()
})
