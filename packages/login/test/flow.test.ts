import { createHash } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { answerJson, startAuthorizationServer } from '../../../test/support/authorization-server.ts'
import { expectFailure, failSignIn, signIn, startLogin } from './support/login.ts'
import { browserProgram, runProgram } from './support/programs.ts'

const base64url32 = /^[\w-]{43}$/

describe('the flow, step by step', () => {
  it('1: sends a fresh random state and the S256 challenge of a fresh verifier', async () => {
    await using server = await startAuthorizationServer()
    await signIn(server.options)
    await signIn(server.options)
    const [first, second] = server.seen.authorize
    const verifiers = server.seen.token.map(({ form }) => form.get('code_verifier') ?? '')
    expect(first?.get('state')).toMatch(base64url32)
    expect(verifiers[0]).toMatch(base64url32)
    expect(first?.get('code_challenge')).toBe(
      createHash('sha256')
        .update(verifiers[0] ?? '')
        .digest('base64url'),
    )
    expect(first?.get('code_challenge_method')).toBe('S256')
    expect(second?.get('state')).not.toBe(first?.get('state'))
    expect(verifiers[1]).not.toBe(verifiers[0])
    expect(verifiers[0]).not.toBe(first?.get('state'))
  })

  it('2: listens on 127.0.0.1 at a random port, before the URL is shown', async () => {
    await using server = await startAuthorizationServer()
    const [one, other] = await Promise.all([startLogin(server.options), startLogin(server.options)])
    expect(one.redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)
    expect(one.port).not.toBe(other.port)
    expect((await fetch(`http://127.0.0.1:${one.port}/`)).status).toBe(404)
    await Promise.all([fetch(one.url), fetch(other.url)])
    await Promise.all([one.result, other.result])
  })

  it.skipIf(process.platform !== 'linux')('2: listens on no other address, not even of this machine', async () => {
    await using server = await startAuthorizationServer()
    const login = await startLogin(server.options)
    await expect(fetch(`http://127.0.0.2:${login.port}/`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
    await expect(fetch(`http://[::1]:${login.port}/`)).rejects.toThrow('fetch failed')
    await fetch(login.url)
    await login.result
  })

  it('2: uses a separate port in each worker of a cluster', async () => {
    await using server = await startAuthorizationServer()
    await using program = await runProgram(`
import cluster from 'node:cluster'
if (cluster.isPrimary) for (let n = 0; n < 2; n += 1) cluster.fork()
else {
  const { authorize } = await import('@portico/login')
  const onUrl = (url) => console.log(cluster.worker.id + ' ' + new URL(url).searchParams.get('redirect_uri'))
  await authorize({ ...${JSON.stringify(server.options)}, openBrowser: false, onUrl })
}
`)
    const lines = await Promise.all([program.line(/^1 http/), program.line(/^2 http/)])
    expect(new Set(lines.map((line) => new URL(line.slice(2)).port)).size).toBe(2)
  })

  it.each([{ openBrowser: true }, { openBrowser: false }])(
    '3: calls onUrl once with the authorize URL, %o',
    async (options) => {
      await using server = await startAuthorizationServer()
      // With an empty PATH no browser is found.
      await using program = await runProgram(browserProgram({ ...server.options, ...options }), { env: { PATH: '' } })
      const url = (await program.line(/^url /)).slice(4)
      expect(url).toContain(`${server.options.authorizeUrl}?response_type=code&redirect_uri=`)
      await (await fetch(url)).text()
      const { output } = await program.ended
      expect(output.match(/^url /gm)).toHaveLength(1)
    },
  )

  it('5: waits for the callback no longer than timeoutMs', async () => {
    await using server = await startAuthorizationServer()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const login = await startLogin({ ...server.options, timeoutMs: 60_000 })
      let hasEnded = false
      const failure = expectFailure(login.result, 'timeout').finally(() => {
        hasEnded = true
      })
      await vi.advanceTimersByTimeAsync(59_999)
      expect(hasEnded).toBe(false)
      await vi.advanceTimersByTimeAsync(1)
      expect((await failure).message).toContain('60 s')
    } finally {
      vi.useRealTimers()
    }
  })

  it('6: ends with provider_denied on a callback with an error', async () => {
    await using server = await startAuthorizationServer({ callback: { code: undefined, error: 'access_denied' } })
    const { error } = await failSignIn(server.options, 'provider_denied')
    expect(error.message).toContain('access_denied')
    expect(server.seen.token).toHaveLength(0)
  })

  it('7: ends with state_mismatch on a callback with another state', async () => {
    await using server = await startAuthorizationServer({ callback: { state: 'another' } })
    await failSignIn(server.options, 'state_mismatch')
    expect(server.seen.token).toHaveLength(0)
  })

  it('8: posts the code, the verifier and the redirect URI as a form', async () => {
    await using server = await startAuthorizationServer()
    await signIn(server.options)
    const [request] = server.seen.token
    expect(request?.method).toBe('POST')
    expect(request?.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/)
    expect(request?.headers.accept).toBe('application/json')
    expect([...(request?.form.keys() ?? [])]).toEqual(['grant_type', 'code', 'code_verifier', 'redirect_uri'])
    expect(request?.form.get('grant_type')).toBe('authorization_code')
    expect(request?.form.get('redirect_uri')).toBe(server.seen.authorize[0]?.get('redirect_uri'))
  })

  it('9: calls statusUrl with the bearer token', async () => {
    await using server = await startAuthorizationServer()
    const { result } = await signIn(server.options)
    expect(server.seen.status).toHaveLength(1)
    expect(server.seen.status[0]?.authorization).toBe(`Bearer ${result.accessToken}`)
  })

  it('9: sends no status request without a statusUrl', async () => {
    await using server = await startAuthorizationServer()
    const { statusUrl: _, ...options } = server.options
    await signIn(options)
    expect(server.seen.status).toHaveLength(0)
  })

  it('10: returns the token, its lifetime, the id token and the user id', async () => {
    const token = { access_token: 'a', expires_in: 60, id_token: 'i', userId: 'u', refresh_token: 'never passed on' }
    await using server = await startAuthorizationServer({
      token: answerJson(token),
      status: answerJson({ userId: 'other' }),
    })
    const { result } = await signIn(server.options)
    expect(result).toEqual({ accessToken: 'a', expiresIn: 60, idToken: 'i', userId: 'u' })
  })
})
