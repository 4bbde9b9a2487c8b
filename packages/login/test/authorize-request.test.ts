import { describe, expect, it } from 'vitest'
import { startAuthorizationServer } from '../../../test/support/authorization-server.ts'
import { expectFailure, signIn, startLogin } from './support/login.ts'

/** The authorize URL for these options. Ends the login at once. */
async function authorizeUrl(options: Partial<Parameters<typeof startLogin>[0]>): Promise<URL> {
  const abort = new AbortController()
  const login = await startLogin({
    authorizeUrl: 'https://app.example/auth/authorize',
    tokenUrl: 'https://app.example/auth/token',
    signal: abort.signal,
    ...options,
  })
  abort.abort()
  await expectFailure(login.result, 'timeout')
  return login.url
}

describe('the authorize request', () => {
  it('has exactly the parameters of a public loopback client', async () => {
    const url = await authorizeUrl({})
    expect([...url.searchParams.keys()]).toEqual([
      'response_type',
      'redirect_uri',
      'state',
      'code_challenge',
      'code_challenge_method',
    ])
  })

  it('adds client_id and scope, in this order, only when they are given', async () => {
    const url = await authorizeUrl({ clientId: 'cli', scope: ['openid', 'email'] })
    expect([...url.searchParams.keys()].slice(5)).toEqual(['client_id', 'scope'])
    expect(url.searchParams.get('client_id')).toBe('cli')
    expect(url.searchParams.get('scope')).toBe('openid email')
  })

  it('sends no scope for an empty array', async () => {
    expect((await authorizeUrl({ scope: [] })).searchParams.has('scope')).toBe(false)
  })

  it('keeps the query parameters of authorizeUrl', async () => {
    const url = await authorizeUrl({ authorizeUrl: 'https://app.example/a?tenant=blue%20sky&x=1' })
    expect(url.searchParams.get('tenant')).toBe('blue sky')
    expect(url.searchParams.get('x')).toBe('1')
    expect(url.searchParams.get('response_type')).toBe('code')
  })

  it('sends each of its own parameters once, whatever authorizeUrl contains', async () => {
    const url = await authorizeUrl({
      authorizeUrl: 'https://app.example/a?state=fixed&state=twice&code_challenge_method=plain',
    })
    expect(url.searchParams.getAll('state')).toHaveLength(1)
    expect(url.searchParams.get('state')).not.toBe('fixed')
    expect(url.searchParams.getAll('code_challenge_method')).toEqual(['S256'])
  })

  it('sends client_id to the token endpoint only when it is given', async () => {
    await using server = await startAuthorizationServer({ token: (response) => response.end('{"access_token":"t"}') })
    const { statusUrl: _, ...options } = server.options
    await signIn({ ...options, clientId: 'cli' })
    await signIn(options)
    expect(server.seen.token.map(({ form }) => form.get('client_id'))).toEqual(['cli', null])
  })
})
