import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { inspect } from 'node:util'
import type { AuthorizeError } from '@portico/login'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { answerJson, sendJson, startAuthorizationServer } from '../../../test/support/authorization-server.ts'
import { expectFailure, failSignIn, startLogin } from './support/login.ts'

afterEach(() => vi.restoreAllMocks())

/** Everything that a printed error shows, including its causes and hidden fields. */
function printed(error: AuthorizeError): string {
  return inspect(error, { depth: null, showHidden: true })
}

/** Ends a login with a callback that has an error and other parameters. */
async function decline(parameters: (state: string) => Record<string, string>) {
  await using server = await startAuthorizationServer()
  const login = await startLogin(server.options)
  const failure = expectFailure(login.result, 'provider_denied')
  await fetch(login.callback(parameters(login.state)))
  return { error: await failure, state: login.state }
}

describe('no error contains a secret', () => {
  it('when a callback echoes state, code and token in its error', async () => {
    const { error, state } = await decline((state) => ({
      error: 'bad',
      error_description: `state ${state} code SECRET-CODE token SECRET-TOKEN`,
      access_token: 'SECRET-TOKEN',
      code: 'SECRET-CODE',
      state,
    }))
    expect(error.message).toContain('bad, in the server’s words “state … code … token …”')
    expect(printed(error)).not.toMatch(/SECRET/)
    expect(printed(error)).not.toContain(state)
  })

  it('when one secret contains another', async () => {
    const { error } = await decline((state) => ({ error: `SECRET-${state}-CODE`, code: `SECRET-${state}-CODE`, state }))
    expect(printed(error)).not.toMatch(/SECRET|-CODE/)
  })

  it('when the token endpoint echoes everything it knows', async () => {
    await using server = await startAuthorizationServer({
      callback: { code: 'SECRET-CODE' },
      token: (response, form) => {
        const state = server.seen.authorize[0]?.get('state')
        const echo = `SECRET\u0000-CODE ${form.get('code_verifier')} ${state} SECRET-TOKEN SECRET-REFRESH`
        const tokens = { access_token: 'SECRET-TOKEN', refresh_token: 'SECRET-REFRESH' }
        sendJson(response, 400, { ...tokens, error: form.get('code'), error_description: echo })
      },
    })
    const { error } = await failSignIn(server.options, 'exchange_failed')
    expect(error.message).toContain('400, in the server’s words “… … … … …”')
    expect(printed(error)).not.toMatch(/SECRET/)
  })

  it('when a wrapped fetch quotes the request', async () => {
    await using server = await startAuthorizationServer({ callback: { code: 'SECRET-CODE' } })
    const { fetch } = globalThis
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      if (init?.method !== 'POST') return fetch(input, init)
      throw new Error(`POST ${String(init.body as URLSearchParams)}`, {
        cause: Object.assign(new Error('deep'), { request: init.body }),
      })
    })
    const { error } = await failSignIn(server.options, 'exchange_failed')
    expect(error.cause).toBeInstanceOf(Error)
    expect(printed(error)).not.toMatch(/SECRET-CODE/)
    expect(printed(error)).not.toContain(server.seen.authorize[0]?.get('state'))
  })

  it.each([
    ['token', 'exchange_failed'],
    ['status', 'status_check_failed'],
  ] as const)('when the %s endpoint answers with broken HTTP', async (endpoint, code) => {
    const broken = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n{"access_token":"SECRET-TOKEN"}\r\n'
    for (const answer of [broken, 'SECRET-TOKEN {"access_token":"SECRET-TOKEN"}\r\n\r\n']) {
      const garbage = createServer((socket) => socket.on('error', () => {}).once('data', () => socket.end(answer)))
      await new Promise<void>((resolve) => garbage.listen(0, '127.0.0.1', resolve))
      await using server = await startAuthorizationServer({ token: answerJson({ access_token: 't' }) })
      const url = `http://127.0.0.1:${(garbage.address() as AddressInfo).port}/`
      const { error } = await failSignIn({ ...server.options, [`${endpoint}Url`]: url }, code)
      expect(error.cause).toBeInstanceOf(Error)
      expect(printed(error)).not.toContain('SECRET')
      await new Promise((resolve) => garbage.close(resolve))
    }
  })
})

describe('text of the server in a message', () => {
  it('is cut to 200 characters, without control characters', async () => {
    const long = `\u001b[31mred\r\nnew line\u202e${'x'.repeat(500)}`
    const { error } = await decline((state) => ({ error: 'bad', error_description: long, state }))
    const quoted = error.message.match(/in the server’s words “([^”]*)”$/)![1]!
    expect(quoted).toMatch(/^\[31mrednew linex+…$/)
    expect(quoted).toHaveLength(200)
  })

  it('is not cut in the middle of a character', async () => {
    const { error } = await decline((state) => ({
      error: 'bad',
      error_description: `${'x'.repeat(198)}${'😀'.repeat(9)}`,
      state,
    }))
    expect(error.message).toMatch(/“x{198}…”$/)
  })
})
