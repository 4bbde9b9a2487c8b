import { describe, expect, it } from 'vitest'
import { startOpenidProvider, visit } from '../../../test/support/openid-provider.ts'
import { expectFailure, startLogin } from './support/login.ts'

const client = {
  client_id: 'terminal',
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  // A native client may use any port of this address (RFC 8252 section 7.3).
  redirect_uris: ['http://127.0.0.1/callback'],
  id_token_signed_response_alg: 'ES256',
} as const

function optionsFor(issuer: string) {
  return {
    authorizeUrl: `${issuer}/auth`,
    tokenUrl: `${issuer}/token`,
    statusUrl: `${issuer}/me`,
    clientId: client.client_id,
    scope: ['openid'],
    expectedIssuer: issuer,
  }
}

describe('against a real OpenID provider, with a registered client', () => {
  it('signs in: PKCE, state and issuer are valid on both sides', async () => {
    await using provider = await startOpenidProvider([client], 'ada')
    const login = await startLogin(optionsFor(provider.issuer))
    const page = await visit(login.url)
    expect(await page.text()).toContain('You are signed in')
    const { accessToken, idToken, expiresIn } = await login.result
    expect(expiresIn).toBe(3600)
    const claims = JSON.parse(Buffer.from(idToken?.split('.')[1] ?? '', 'base64url').toString())
    expect(claims).toMatchObject({ iss: provider.issuer, sub: 'ada', aud: client.client_id })
    const me = await fetch(`${provider.issuer}/me`, { headers: { authorization: `Bearer ${accessToken}` } })
    expect(await me.json()).toMatchObject({ sub: 'ada' })
  })

  it('ends with provider_denied when the person declines', async () => {
    await using provider = await startOpenidProvider([client], 'ada')
    const options = optionsFor(provider.issuer)
    const login = await startLogin({ ...options, authorizeUrl: `${options.authorizeUrl}?login_hint=decline` })
    const failure = expectFailure(login.result, 'provider_denied')
    expect(await (await visit(login.url)).text()).toContain('The sign-in was declined')
    expect((await failure).message).toContain('access_denied, in the server’s words “the person said no”')
  })

  it('ends with exchange_failed when the provider refuses the code', async () => {
    await using provider = await startOpenidProvider([client], 'ada')
    const login = await startLogin(optionsFor(provider.issuer))
    const failure = expectFailure(login.result, 'exchange_failed')
    await fetch(login.callback({ code: 'never-issued', state: login.state, iss: provider.issuer }))
    expect((await failure).message).toContain('400: invalid_grant')
  })

  it('ends with state_mismatch when another provider answers', async () => {
    await using provider = await startOpenidProvider([client], 'ada')
    const login = await startLogin({ ...optionsFor(provider.issuer), expectedIssuer: 'https://app.example' })
    const failure = expectFailure(login.result, 'state_mismatch')
    await visit(login.url)
    await failure
  })
})
