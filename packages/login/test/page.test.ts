import { describe, expect, it } from 'vitest'
import { answerJson, type Overrides, startAuthorizationServer } from '../../../test/support/authorization-server.ts'
import { signIn, startLogin } from './support/login.ts'

/** The page that a browser shows at the end of a login. */
async function pageOf(overrides: Overrides) {
  await using server = await startAuthorizationServer(overrides)
  const login = await startLogin(server.options)
  const settled = login.result.catch(() => {})
  const page = await fetch(login.url)
  const text = await page.text()
  await settled
  return { page, text }
}

const endings: [string, number, string, string, Overrides][] = [
  ['signed in', 200, 'You are signed in', 'close this window', {}],
  [
    'declined',
    400,
    'The sign-in was declined',
    'run the command in your terminal again',
    { callback: { error: 'access_denied' } },
  ],
  ...['server_error', 'temporarily_unavailable'].map((error): (typeof endings)[number] => [
    `unavailable: ${error}`,
    400,
    'The service cannot sign you in now',
    'Wait a moment',
    { callback: { error } },
  ]),
  ...['invalid_scope', 'unauthorized_client', 'access_denied_'].map((error): (typeof endings)[number] => [
    `refused: ${error}`,
    400,
    'The sign-in was refused',
    'Your terminal says why',
    { callback: { error } },
  ]),
  ['failed at the state', 400, 'The sign-in failed', 'Your terminal says why', { callback: { state: 'x' } }],
  ['failed at the exchange', 400, 'The sign-in failed', 'Your terminal says why', { token: answerJson({}, 500) }],
  ['failed at the status', 400, 'The sign-in failed', 'Your terminal says why', { status: answerJson({}, 500) }],
]

describe('the page shows the outcome and what to do next', () => {
  it.each(endings)('%s', async (_, status, title, next, overrides) => {
    const { page, text } = await pageOf(overrides)
    expect(page.status).toBe(status)
    expect(text).toContain(`<title>${title}</title>`)
    expect(text).toContain(`<h1>${title}</h1>`)
    expect(text).toContain(next)
    expect(text.length).toBeLessThan(4_000)
  })

  it.each(endings)('%s: with headers that block everything else', async (_, _status, _title, _next, overrides) => {
    const { page } = await pageOf(overrides)
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      connection: 'close',
    })
  })

  it('reflects nothing of the query: two logins with different queries see the same bytes', async () => {
    const plain = await pageOf({ callback: { error: 'a' } })
    const hostile = await pageOf({
      callback: {
        error: '<script>alert(1)</script>',
        error_description: '"><img src=x>',
        error_uri: 'https://evil.example',
      },
    })
    expect(hostile.text).toBe(plain.text)
  })

  it('is not shown before the exchange has ended', async () => {
    let finish = () => {}
    await using server = await startAuthorizationServer({
      token: (response) => {
        finish = () => response.end('{"access_token":"t"}')
      },
      status: answerJson({}),
    })
    const login = await startLogin(server.options)
    let shown = false
    const page = fetch(login.url).then((response) => {
      shown = true
      return response.text()
    })
    await expect.poll(() => server.seen.token.length).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(shown).toBe(false)
    finish()
    expect(await page).toContain('You are signed in')
    await login.result
  })

  it('arrives completely before authorize returns', async () => {
    await using server = await startAuthorizationServer()
    for (let round = 0; round < 20; round += 1) expect((await signIn(server.options)).text).toMatch(/<\/html>\n$/)
  })
})
