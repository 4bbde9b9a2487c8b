import { AuditEvent, Consent } from '@portico/auth-server'
import { FakeIdentityProvider } from '@portico/identity'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { fieldsOf, origin, titleOf } from './support/browser.ts'
import {
  type Asked,
  ask,
  askAsWeb,
  authorizeUrl,
  clientSecret,
  clientSecretHash,
  getStatus,
  logIn,
  obtainCallback,
  publicClient,
  reachConsent,
  redemption,
  sendForm,
  signIn,
  startServer,
  type TestServer,
  type Tokens,
  webClient,
} from './support/server.ts'

const credentials = { client_id: 'web', client_secret: clientSecret }

async function obtainTokens(it: TestServer, asked: Asked): Promise<Tokens> {
  const callback = await obtainCallback(it.browser(), asked)
  const answer = await sendForm(it.app, '/auth/token', { ...redemption(asked, callback), ...credentials })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<Tokens>()
}

async function verify(it: TestServer, token: string) {
  const keys = createLocalJWKSet((await it.app.inject('/auth/jwks')).json<JSONWebKeySet>())
  return jwtVerify(token, keys, { currentDate: new Date(it.clock.time) })
}

describe('a confidential client', () => {
  it.each(['ES256', 'RS256'] as const)('gets an id token signed with %s', async (alg) => {
    await using it = await startServer({ clients: [{ ...webClient, idTokenSigningAlg: alg }] })
    const tokens = await obtainTokens(it, askAsWeb({ nonce: 'n-1' }))
    const { payload, protectedHeader } = await verify(it, tokens.id_token!)
    const now = it.clock.time / 1000
    expect(protectedHeader).toMatchObject({ alg, kid: expect.any(String) })
    expect(payload).toEqual({
      iss: origin,
      sub: tokens.userId,
      aud: 'web',
      iat: now,
      exp: now + 300,
      auth_time: now,
      nonce: 'n-1',
      at_hash: expect.stringMatching(/^[\w-]{22}$/),
      email: 'ada@x.example',
      email_verified: false,
      name: 'Ada Lovelace',
    })
  })

  it('gets no more claims than its scopes allow, and no id token without openid', async () => {
    await using it = await startServer()
    const bare = await verify(it, (await obtainTokens(it, askAsWeb({ scope: 'openid' }))).id_token!)
    expect(Object.keys(bare.payload).sort()).toEqual(['at_hash', 'aud', 'auth_time', 'exp', 'iat', 'iss', 'sub'])
    const tokens = await obtainTokens(it, askAsWeb({ scope: 'tasks' }))
    expect(tokens).not.toHaveProperty('id_token')
    expect((await getStatus(it.app, tokens.access_token)).json()).not.toHaveProperty('name')
  })

  it('does not get the address as a name if the provider reports no name', async () => {
    const defaultProfile = { subject: 'ada', email: 'ada@x.example', raw: {} }
    const authorizationEndpoint = 'https://work.example/authorize'
    const provider = new FakeIdentityProvider({ id: 'work', authorizationEndpoint, defaultProfile })
    await using it = await startServer({ providers: [provider] })
    const { id_token } = await obtainTokens(it, askAsWeb({ scope: 'openid profile' }))
    const { payload } = await verify(it, id_token!)
    expect(payload).not.toHaveProperty('name')
    expect(JSON.stringify(payload)).not.toContain('ada@x.example')
  })

  it('proves itself by its form or by HTTP Basic, parts form-encoded', async () => {
    await using it = await startServer()
    const asked = askAsWeb()
    const form = redemption(asked, await obtainCallback(it.browser(), asked))
    const basic = (id: string, secret: string) => ({
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
    })
    const refusals: [Record<string, string>, Record<string, string>, number][] = [
      [{}, {}, 400],
      [{ client_id: 'web' }, {}, 401],
      [{ client_id: 'web', client_secret: 'wrong' }, {}, 401],
      [{ client_id: 'web', client_secret: clientSecretHash }, {}, 401],
      [{}, basic('web', 'wrong'), 401],
      [{}, basic('web', ''), 401],
      [{}, { authorization: 'Basic ???' }, 401],
      [{}, { authorization: 'Bearer x' }, 401],
      [{}, basic('web', '%zz'), 401],
      [{ client_secret: clientSecret }, basic('web', clientSecret), 400],
      [{ client_id: 'phone' }, basic('web', clientSecret), 400],
    ]
    for (const [more, headers, status] of refusals) {
      const answer = await sendForm(it.app, '/auth/token', { ...form, ...more }, headers)
      expect([more, headers, answer.statusCode]).toEqual([more, headers, status])
    }
    const encoded = clientSecret.replaceAll('-', '%2D')
    expect((await sendForm(it.app, '/auth/token', form, basic('web', encoded))).statusCode).toBe(200)
  })

  it('may have two secrets during a rotation', async () => {
    await using it = await startServer({
      clients: [{ ...webClient, secretHashes: ['A'.repeat(43), clientSecretHash] }],
    })
    expect(await obtainTokens(it, askAsWeb())).toHaveProperty('id_token')
  })

  it('cannot redeem the code of another client', async () => {
    await using it = await startServer()
    const asked = ask({ client_id: 'phone', redirect_uri: publicClient.redirectUris[0] })
    const form = redemption(asked, await obtainCallback(it.browser(), asked))
    const stolen = await sendForm(it.app, '/auth/token', { ...form, ...credentials })
    expect(stolen.json().error).toBe('invalid_grant')
    expect((await sendForm(it.app, '/auth/token', { ...form, client_id: 'phone' })).statusCode).toBe(200)
  })
})

describe('a public client', () => {
  it('is identified by its client_id and PKCE alone; a secret is refused', async () => {
    await using it = await startServer()
    const asked = ask({ client_id: 'phone', redirect_uri: publicClient.redirectUris[0], scope: 'openid' })
    const callback = await obtainCallback(it.browser(), asked)
    expect(callback.href).toMatch(/^com\.example\.phone:\/callback\?code=/)
    const form = { ...redemption(asked, callback), client_id: 'phone' }
    expect((await sendForm(it.app, '/auth/token', { ...form, client_secret: 'x' })).statusCode).toBe(401)
    expect((await sendForm(it.app, '/auth/token', form)).json()).toHaveProperty('id_token')
  })
})

describe('consent to a registered client', () => {
  it('is remembered for what was granted, and asked again for more', async () => {
    await using it = await startServer()
    const browser = it.browser()
    await obtainCallback(browser, askAsWeb({ scope: 'openid' }))
    const again = await browser.visit(authorizeUrl(askAsWeb({ scope: 'openid' })))
    expect(again.left?.searchParams.has('code')).toBe(true)
    const more = await browser.visit(authorizeUrl(askAsWeb({ scope: 'openid tasks' })))
    expect(titleOf(more.page)).toBe('Sign in to Web shop')
    await browser.post('/auth/consent', { ...fieldsOf(more.page!), decision: 'allow' })
    for (const scope of ['openid', 'tasks', 'openid tasks'])
      expect((await browser.visit(authorizeUrl(askAsWeb({ scope })))).left?.searchParams.has('code')).toBe(true)
  })

  it.each([
    ['com.example.phone:/callback', false],
    ['http://127.0.0.1:4100/callback', false],
    ['https://phone.example/callback', true],
  ])(
    'of a public client at %s is remembered: %s, because another program could listen there',
    async (uri, isRemembered) => {
      await using it = await startServer({ clients: [{ ...publicClient, redirectUris: [uri] }] })
      const browser = it.browser()
      const asked = (prompt?: string) => ask({ client_id: 'phone', redirect_uri: uri, prompt })
      await obtainCallback(browser, asked())
      const again = await browser.visit(authorizeUrl(asked()))
      expect(again.left?.searchParams.has('code') ?? false).toBe(isRemembered)
      const silent = (await browser.visit(authorizeUrl(asked('none')))).left!.searchParams
      expect(silent.get('error')).toBe(isRemembered ? null : 'consent_required')
    },
  )

  it('names the destination of a private-use redirect URI', async () => {
    await using it = await startServer()
    const asked = ask({ client_id: 'phone', redirect_uri: publicClient.redirectUris[0] })
    expect((await reachConsent(it.browser(), asked)).page!.body).toContain(
      'return to <strong>com.example.phone</strong>',
    )
  })

  it('is not remembered when it was denied, nor for another person', async () => {
    await using it = await startServer()
    const browser = it.browser()
    const { page } = await reachConsent(browser, askAsWeb())
    await browser.post('/auth/consent', { ...fieldsOf(page!), decision: 'deny' })
    expect((await browser.visit(authorizeUrl(askAsWeb()))).page).toBeDefined()
    await obtainCallback(browser, askAsWeb())
    expect(titleOf((await reachConsent(it.browser(), askAsWeb(), 'eve')).page)).toBe('Sign in to Web shop')
  })

  it('is asked again with prompt=consent', async () => {
    await using it = await startServer()
    const browser = it.browser()
    await obtainCallback(browser, askAsWeb())
    expect((await browser.visit(authorizeUrl(askAsWeb({ prompt: 'consent' })))).page).toBeDefined()
  })
})

describe('consent that is taken back', () => {
  it('is listed for its owner, with what was granted to whom', async () => {
    await using it = await startServer()
    const browser = it.browser()
    const { userId } = await obtainTokens(it, askAsWeb({ scope: 'openid email' }))
    it.clock.pass(60)
    await obtainCallback(browser, ask({ client_id: 'phone', redirect_uri: publicClient.redirectUris[0] }))
    await obtainCallback(browser, ask())
    const grantedAt = it.clock.time
    expect(await it.server.listConsents(userId)).toEqual([
      { clientId: 'phone', clientName: 'Phone', scope: [], grantedAt },
      { clientId: 'web', clientName: 'Web shop', scope: ['openid', 'email'], grantedAt: grantedAt - 60_000 },
    ])
    await using without = await startServer({ db: it.db, clients: [] })
    expect((await without.server.listConsents(userId)).map((one) => one.clientName)).toEqual([undefined, undefined])
  })

  it('ends the tokens of the client at once and has it ask again, for this person and client alone', async () => {
    await using it = await startServer()
    const browser = it.browser()
    const { access_token, userId } = await obtainTokens(it, askAsWeb())
    const own = await logIn(it)
    await obtainCallback(browser, askAsWeb())
    const eve = await obtainCallback(it.browser(), askAsWeb(), 'eve')
    expect(eve.searchParams.has('code')).toBe(true)
    expect(await it.server.revokeConsent(userId, 'phone')).toBe(false)
    expect(await it.server.revokeConsent(userId, 'web')).toBe(true)
    expect(await it.server.revokeConsent(userId, 'web')).toBe(false)
    expect((await getStatus(it.app, access_token)).statusCode).toBe(401)
    expect((await getStatus(it.app, own.access_token)).statusCode).toBe(200)
    expect(titleOf((await browser.visit(authorizeUrl(askAsWeb()))).page)).toBe('Sign in to Web shop')
    const [consent] = await it.db.table(Consent).findMany({})
    expect([await it.db.table(Consent).count(), consent!.userId === userId]).toEqual([1, false])
    const lines = await it.db.table(AuditEvent).findMany({ where: { event: 'revocation' } })
    expect(lines).toMatchObject([{ outcome: 'granted', userId, clientId: 'web' }])
  })

  it('refuses a code that was already issued', async () => {
    await using it = await startServer()
    const asked = askAsWeb()
    const form = { ...redemption(asked, await obtainCallback(it.browser(), asked)), ...credentials }
    const user = await it.server.users.findByEmail('ada@x.example')
    await it.server.revokeConsent(user!.id, 'web')
    expect((await sendForm(it.app, '/auth/token', form)).json().error).toBe('invalid_grant')
  })
})

describe('prompt and max_age', () => {
  it('none shows no page: login_required, consent_required, or a code', async () => {
    await using it = await startServer()
    const browser = it.browser()
    const silent = async () => (await browser.visit(authorizeUrl(askAsWeb({ prompt: 'none' })))).left!.searchParams
    expect((await silent()).get('error')).toBe('login_required')
    await signIn(browser)
    expect((await silent()).get('error')).toBe('consent_required')
    await obtainCallback(browser, askAsWeb())
    expect((await silent()).has('code')).toBe(true)
  })

  it.each(['login', 'select_account'])('%s asks for a new sign-in even where somebody is signed in', async (prompt) => {
    await using it = await startServer()
    const browser = it.browser()
    await signIn(browser)
    it.clock.pass(5)
    const { page } = await browser.visit(authorizeUrl(askAsWeb({ prompt })))
    expect(titleOf(page)).toBe('Sign in to Tracker')
    it.clock.pass(5)
    expect(titleOf((await reachConsent(browser, askAsWeb({ prompt }))).page)).toBe('Sign in to Web shop')
  })

  it('max_age asks for a sign-in that is recent enough', async () => {
    await using it = await startServer()
    const browser = it.browser()
    await signIn(browser)
    it.clock.pass(100)
    const titleFor = async (max_age: string) => titleOf((await browser.visit(authorizeUrl(askAsWeb({ max_age })))).page)
    expect(await titleFor('100')).toBe('Sign in to Web shop')
    expect(await titleFor('99')).toBe('Sign in to Tracker')
  })
})

describe('the metadata', () => {
  it.each(['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'])(
    '%s lists every endpoint',
    async (path) => {
      await using it = await startServer()
      const answer = await it.app.inject(path)
      expect(answer.headers['access-control-allow-origin']).toBe('*')
      expect(answer.json()).toMatchObject({
        issuer: origin,
        authorization_endpoint: `${origin}/auth/authorize`,
        token_endpoint: `${origin}/auth/token`,
        revocation_endpoint: `${origin}/auth/revoke`,
        jwks_uri: `${origin}/auth/jwks`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['ES256', 'RS256'],
        authorization_response_iss_parameter_supported: true,
        scopes_supported: ['openid', 'profile', 'email', 'tasks'],
      })
    },
  )
})
