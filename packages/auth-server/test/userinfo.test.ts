import { FakeIdentityProvider } from '@portico/identity'
import { describe, expect, it } from 'vitest'
import {
  ask,
  askAsWeb,
  clientSecret,
  logIn,
  obtainCallback,
  redemption,
  sendForm,
  startServer,
  type TestServer,
  type Tokens,
} from './support/server.ts'

const path = '/auth/userinfo'

async function obtainToken(it: TestServer, scope: string): Promise<Tokens> {
  const asked = askAsWeb({ scope })
  const form = redemption(asked, await obtainCallback(it.browser(), asked))
  return (await sendForm(it.app, '/auth/token', { ...form, client_id: 'web', client_secret: clientSecret })).json()
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe('userinfo', () => {
  it.each([
    ['openid', {}],
    ['openid profile', { name: 'Ada Lovelace' }],
    ['openid email', { email: 'ada@x.example', email_verified: false }],
    ['openid email profile tasks', { name: 'Ada Lovelace', email: 'ada@x.example', email_verified: false }],
  ])('has the claims of the scopes: %s', async (scope, claims) => {
    await using it = await startServer()
    const { access_token, userId } = await obtainToken(it, scope)
    const answer = await it.app.inject({ url: path, headers: bearer(access_token) })
    expect([answer.statusCode, answer.json()]).toEqual([200, { sub: userId, ...claims }])
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' })
    expect(answer.headers['content-type']).toMatch(/^application\/json/)
  })

  it('has the picture of the identity that was used last', async () => {
    const provider = new FakeIdentityProvider({
      id: 'work',
      authorizationEndpoint: 'https://work.example/authorize',
      defaultProfile: { subject: 'ada', avatarUrl: 'https://work.example/ada.png', raw: {} },
    })
    await using it = await startServer({ providers: [provider] })
    const { access_token, userId } = await obtainToken(it, 'openid profile')
    const answer = await it.app.inject({ url: path, headers: bearer(access_token) })
    expect(answer.json()).toEqual({ sub: userId, picture: 'https://work.example/ada.png' })
  })

  it('accepts the token from the header or, by POST, the form, but not from both or the query', async () => {
    await using it = await startServer()
    const { access_token, userId } = await obtainToken(it, 'openid')
    const headers = bearer(access_token)
    expect((await it.app.inject({ method: 'POST', url: path, headers })).json()).toEqual({ sub: userId })
    expect((await sendForm(it.app, path, {}, headers)).json()).toEqual({ sub: userId })
    expect((await sendForm(it.app, path, { access_token })).json()).toEqual({ sub: userId })
    const twice = await sendForm(it.app, path, { access_token }, headers)
    expect([twice.statusCode, twice.json().error]).toEqual([400, 'invalid_request'])
    expect((await it.app.inject(`${path}?access_token=${access_token}`)).statusCode).toBe(401)
  })

  it('refuses an invalid token, and a token without `openid`', async () => {
    await using it = await startServer()
    const refused = async (headers: Record<string, string>) => {
      const answer = await it.app.inject({ url: path, headers })
      return [answer.statusCode, answer.json().error, answer.headers['www-authenticate']]
    }
    expect(await refused({})).toEqual([401, 'invalid_token', 'Bearer scope="openid"'])
    expect(await refused(bearer('a'.repeat(43)))).toEqual([
      401,
      'invalid_token',
      'Bearer error="invalid_token", scope="openid"',
    ])
    const { access_token } = await logIn(it, ask({ scope: 'tasks profile email' }))
    expect(await refused(bearer(access_token))).toEqual([
      403,
      'insufficient_scope',
      'Bearer error="insufficient_scope", scope="openid"',
    ])
  })

  it('is in the metadata', async () => {
    await using it = await startServer()
    const metadata = (await it.app.inject('/.well-known/openid-configuration')).json()
    expect(metadata.userinfo_endpoint).toBe('https://app.example/auth/userinfo')
  })
})
