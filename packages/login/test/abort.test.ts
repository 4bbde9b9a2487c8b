import { getEventListeners } from 'node:events'
import { authorize } from '@portico/login'
import { describe, expect, it, vi } from 'vitest'
import { type Answer, answerJson, startAuthorizationServer } from '../../../test/support/authorization-server.ts'
import { expectFailure, startLogin } from './support/login.ts'

const token = answerJson({ access_token: 't' })

describe('an abort is a timeout at every step', () => {
  it('before the start: no server is started and onUrl is not called', async () => {
    const onUrl = vi.fn()
    const listen = vi.spyOn((await import('node:net')).Server.prototype, 'listen')
    const reason = new Error('no longer needed')
    const options = { authorizeUrl: 'https://app.example/a', tokenUrl: 'https://app.example/t', openBrowser: false }
    const error = await expectFailure(authorize({ ...options, onUrl, signal: AbortSignal.abort(reason) }), 'timeout')
    expect(error.cause).toBe(reason)
    expect(onUrl).not.toHaveBeenCalled()
    expect(listen).not.toHaveBeenCalled()
    listen.mockRestore()
  })

  it('while the server starts: onUrl is not called', async () => {
    await using server = await startAuthorizationServer()
    const abort = new AbortController()
    const onUrl = vi.fn()
    const login = authorize({ ...server.options, openBrowser: false, onUrl, signal: abort.signal })
    abort.abort()
    await expectFailure(login, 'timeout')
    expect(onUrl).not.toHaveBeenCalled()
  })

  it('inside onUrl', async () => {
    await using server = await startAuthorizationServer()
    const abort = new AbortController()
    await expectFailure(
      authorize({ ...server.options, openBrowser: false, onUrl: () => abort.abort(), signal: abort.signal }),
      'timeout',
    )
  })

  it('while it waits for the callback', async () => {
    await using server = await startAuthorizationServer()
    const abort = new AbortController()
    const login = await startLogin({ ...server.options, signal: abort.signal })
    const failure = expectFailure(login.result, 'timeout')
    abort.abort()
    await failure
  })

  it.each([
    ['the exchange, before the answer', 'token', ''],
    ['the exchange, in the middle of the answer', 'token', '{'],
    ['the status check', 'status', ''],
  ] as const)('during %s: the request is aborted and the page says that it failed', async (_, endpoint, begun) => {
    let isCut = false
    const stall: Answer = (response) => {
      response.once('close', () => {
        isCut = true
      })
      if (begun) response.writeHead(200).write(begun)
    }
    await using server = await startAuthorizationServer({ token, [endpoint]: stall })
    const abort = new AbortController()
    const login = await startLogin({ ...server.options, signal: abort.signal })
    const failure = expectFailure(login.result, 'timeout')
    const page = fetch(login.url).then((response) => response.text())
    await expect.poll(() => server.seen[endpoint].length).toBe(1)
    expect(isCut).toBe(false)
    abort.abort()
    await failure
    expect(await page).toContain('The sign-in failed')
    await expect.poll(() => isCut).toBe(true)
  })

  it('after the end of the login: nothing happens', async () => {
    await using server = await startAuthorizationServer()
    const abort = new AbortController()
    const login = await startLogin({ ...server.options, signal: abort.signal })
    await fetch(login.url)
    await login.result
    abort.abort()
    expect((await login.result).userId).toBe('user-1')
  })

  it('leaves no listener on the signal, however the login ends', async () => {
    await using server = await startAuthorizationServer()
    await using refusing = await startAuthorizationServer({ token: answerJson({}, 400) })
    const { signal } = new AbortController()
    for (const { options } of [server, refusing]) {
      const login = await startLogin({ ...options, signal })
      expect(getEventListeners(signal, 'abort')).toHaveLength(1)
      await fetch(login.url)
      await login.result.catch(() => {})
      expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    }
    await expectFailure((await startLogin({ ...server.options, signal, timeoutMs: 5 })).result, 'timeout')
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })
})
