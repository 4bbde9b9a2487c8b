import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { BETA_ENDPOINTS, BetaProvider, type BetaProviderOptions, USER_AGENT } from '@portico/identity'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { failureOf, MARK } from './support/failure.ts'
import { accessToken, clientId, clientSecret, exchangeArgs, sendJson } from './support/hostile-provider.ts'
import { expectOptionsChecked, notString, wrongEndpoint, wrongString, wrongStrings } from './support/options.ts'

const urlArgs = { redirectUri: 'https://app.example/cb', state: 'state', codeChallenge: 'challenge' }
const user = {
  id: 7,
  login: 'ada',
  name: 'Ada Lovelace',
  avatar_url: 'https://x.example/a.png',
  email: 'public@x.example',
}
const primary = { email: 'ada@x.example', primary: true, verified: true }

/** A Beta server on loopback. Each response is a status and a body. */
let answers: Record<string, [status: number, body: unknown]>
let requests: { path: string; headers: IncomingMessage['headers']; body: string }[]
let server: Server

beforeEach(async () => {
  answers = {
    '/token': [200, { access_token: accessToken, token_type: 'bearer' }],
    '/user': [200, user],
    '/emails': [200, [{ email: 'old@x.example', primary: false, verified: true }, primary]],
  }
  requests = []
  server = createServer(async (request, response) => {
    requests.push({ path: request.url!, headers: request.headers, body: await text(request) })
    const [status, body] = answers[request.url!] ?? [404, {}]
    sendJson(response, body, status)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function selfHosted(extra: Partial<BetaProviderOptions> = {}): BetaProvider {
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return new BetaProvider({
    clientId,
    clientSecret,
    authorizationEndpoint: `${base}/authorize`,
    tokenEndpoint: `${base}/token`,
    userEndpoint: `${base}/user`,
    emailsEndpoint: `${base}/emails`,
    ...extra,
  })
}

const signIn = (extra?: Partial<BetaProviderOptions>) => selfHosted(extra).exchange(exchangeArgs)

test.each(['/user', '/emails'])('a secret that %s echoes as its error is not shown', async (path) => {
  const secret = 'only_small_letters_to_look_like_a_code'
  answers[path] = [400, { error: secret }]
  const error = await failureOf(signIn({ clientSecret: secret }))
  expect(error.type).toBe('EXCHANGE_FAILED')
  expect(JSON.stringify(error.details)).not.toContain(secret)
  expect((await failureOf(selfHosted().exchange({ ...exchangeArgs, code: secret }))).details).not.toHaveProperty(
    'error',
  )
  expect(
    (await failureOf(selfHosted().exchange({ ...exchangeArgs, codeVerifier: secret }))).details,
  ).not.toHaveProperty('error')
})

describe('options', () => {
  test('have the documented defaults', async () => {
    const beta = new BetaProvider({ clientId, clientSecret })
    expect(beta.id).toBe('beta')
    expect(new BetaProvider({ clientId, clientSecret, id: 'git' }).id).toBe('git')
    expect(Object.isFrozen(BETA_ENDPOINTS)).toBe(true)
    expect(USER_AGENT).toBe('portico-identity')
    expect(Object.values(BETA_ENDPOINTS).every((url) => url.startsWith('https://beta.example/'))).toBe(true)
    const url = new URL(await beta.authorizationUrl({ ...urlArgs, nonce: 'nonce' }))
    expect(url.origin + url.pathname).toBe(BETA_ENDPOINTS.authorizationEndpoint)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: 'https://app.example/cb',
      scope: 'read:user user:email',
      state: 'state',
      code_challenge: 'challenge',
      code_challenge_method: 'S256',
    })
  })

  test('set scopes for all calls, or for one', async () => {
    const beta = new BetaProvider({ clientId, clientSecret, scopes: ['a'] })
    expect(await beta.authorizationUrl(urlArgs)).toContain('scope=a&')
    expect(await beta.authorizationUrl({ ...urlArgs, scopes: ['b', 'c'] })).toContain('scope=b+c&')
  })

  test('are checked by the constructor', async () => {
    await expectOptionsChecked((extra) => new BetaProvider({ clientId, clientSecret, ...extra }), {
      clientId: notString,
      clientSecret: notString,
      id: wrongString,
      scopes: wrongStrings,
      userAgent: [...wrongString, 'a\r\nb: c', 'é'],
      authorizationEndpoint: wrongEndpoint,
      tokenEndpoint: wrongEndpoint,
      userEndpoint: wrongEndpoint,
      emailsEndpoint: wrongEndpoint,
      fetch: [{}, 'fetch'],
    })
    expect((await failureOf(() => new BetaProvider(undefined as never))).type).toBe('INVALID_CONFIG')
  })
})

describe('exchange', () => {
  test('exchanges the code, then reads the user and the emails, with its user agent each time', async () => {
    expect(await signIn({ id: 'git' })).toEqual({
      provider: 'git',
      subject: '7',
      email: 'ada@x.example',
      emailVerified: true,
      displayName: 'Ada Lovelace',
      avatarUrl: 'https://x.example/a.png',
      raw: { user, emails: answers['/emails']![1] },
    })
    expect(requests.map((it) => it.path).sort()).toEqual(['/emails', '/token', '/user'])
    expect(requests.map((it) => it.headers['user-agent'])).toEqual(Array(3).fill(USER_AGENT))
    const [token, ...reads] = requests
    expect(Object.fromEntries(new URLSearchParams(token!.body))).toEqual({
      grant_type: 'authorization_code',
      code: exchangeArgs.code,
      redirect_uri: exchangeArgs.redirectUri,
      code_verifier: exchangeArgs.codeVerifier,
      client_id: clientId,
      client_secret: clientSecret,
    })
    for (const read of reads) expect(read.headers.authorization).toBe(`Bearer ${accessToken}`)
  })

  test('sends a configured user agent', async () => {
    await signIn({ userAgent: 'my-app/1.0' })
    expect(requests.map((it) => it.headers['user-agent'])).toEqual(Array(3).fill('my-app/1.0'))
  })

  const emails: [name: string, list: unknown, expected: object][] = [
    ['the primary address when it is verified', [primary], { email: 'ada@x.example', emailVerified: true }],
    [
      'no address that is primary but unverified',
      [{ ...primary, verified: false }],
      { email: user.email, emailVerified: false },
    ],
    [
      'no address that is verified but not primary',
      [{ ...primary, primary: false }],
      { email: user.email, emailVerified: false },
    ],
    ['"true" for neither', [{ ...primary, verified: 'true' }], { email: user.email, emailVerified: false }],
    ['no entry without an address', [{ ...primary, email: undefined }], { email: user.email, emailVerified: false }],
    ['no entry that is not an object', [null, 7, 'a@x.example'], { email: user.email, emailVerified: false }],
    ['an empty list', [], { email: user.email, emailVerified: false }],
  ]
  test.each(emails)('accepts as verified: %s', async (_name, list, expected) => {
    answers['/emails'] = [200, list]
    expect(await signIn()).toMatchObject(expected)
  })

  test('has no address if there is neither a list nor a public one', async () => {
    answers['/emails'] = [200, []]
    answers['/user'] = [200, { id: 7, login: 'ada', email: null }]
    expect(Object.keys(await signIn())).toEqual(['provider', 'subject', 'displayName', 'raw'])
  })

  test.each([401, 403, 404])('treats status %i of the emails endpoint as an empty list', async (status) => {
    answers['/emails'] = [status, { message: 'no' }]
    expect(await signIn()).toMatchObject({ email: user.email, emailVerified: false })
  })

  test.each([400, 429, 500, 503])('fails when the emails endpoint answers %i', async (status) => {
    answers['/emails'] = [status, {}]
    const error = await failureOf(signIn())
    expect(error).toMatchObject({ type: 'EXCHANGE_FAILED', details: { endpoint: 'emails endpoint', status } })
  })

  test.each([null, {}, 'text', { error: 'bad' }])('fails when the emails endpoint answers %j', async (body) => {
    answers['/emails'] = [200, body]
    expect(await failureOf(signIn())).toMatchObject({
      type: 'EXCHANGE_FAILED',
      details: { endpoint: 'emails endpoint' },
    })
  })

  test.each([401, 404, 429, 500, 302])('fails when the user endpoint answers %i', async (status) => {
    answers['/user'] = [status, user]
    expect(await failureOf(signIn())).toMatchObject({
      type: 'EXCHANGE_FAILED',
      details: { endpoint: 'user endpoint', status },
    })
  })

  test.each([
    null,
    [],
    'text',
    { error: 'bad', id: 7 },
    {},
    { id: null },
    { id: '' },
    { id: 1.5 },
    { id: 2 ** 53 },
    { id: 'x'.repeat(256) },
  ])('fails when the user endpoint answers %j', async (body) => {
    answers['/user'] = [200, body]
    expect(await failureOf(signIn())).toMatchObject({ type: 'EXCHANGE_FAILED', details: { endpoint: 'user endpoint' } })
  })

  test.each([
    [{ id: 'abc' }, 'abc'],
    [{ id: 0 }, '0'],
    [{ id: 2 ** 53 - 1 }, '9007199254740991'],
  ])('reads the subject of %j as %s', async (body, subject) => {
    answers['/user'] = [200, body]
    expect((await signIn()).subject).toBe(subject)
  })

  test('uses the login if there is no name, and drops invalid pictures', async () => {
    answers['/user'] = [200, { ...user, name: null, avatar_url: 'javascript:alert(1)' }]
    const profile = await signIn()
    expect(profile.displayName).toBe('ada')
    expect(profile).not.toHaveProperty('avatarUrl')
  })

  const tokenAnswers: [number, unknown][] = [
    [200, { error: 'bad_verification_code', error_description: MARK }],
    [200, { error: 'x', access_token: accessToken }],
    [200, {}],
    [200, { access_token: '' }],
    [200, { access_token: 7 }],
    [200, { access_token: `a\r\nb-${MARK}` }],
    [200, { access_token: accessToken, token_type: 'mac' }],
    [200, null],
    [400, { error: 'invalid_grant' }],
    [307, {}],
  ]
  test.each(tokenAnswers)(
    'fails when the token endpoint answers %i %j, and sends no further request',
    async (status, body) => {
      answers['/token'] = [status, body]
      expect(await failureOf(signIn())).toMatchObject({
        type: 'EXCHANGE_FAILED',
        details: { endpoint: 'token endpoint' },
      })
      expect(requests.map((it) => it.path)).toEqual(['/token'])
    },
  )

  test('keeps an echoed access token out of errors', async () => {
    answers['/token'] = [200, { access_token: 'lowercase' }]
    answers['/user'] = [400, { error: 'lowercase', message: accessToken }]
    expect((await failureOf(signIn())).details).toEqual({ endpoint: 'user endpoint', status: 400, provider: 'beta' })
  })

  test('refuses a call without a code', async () => {
    expect((await failureOf(selfHosted().exchange({ ...exchangeArgs, code: '' }))).type).toBe('EXCHANGE_FAILED')
  })
})
