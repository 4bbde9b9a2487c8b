import { AuditEvent, Identity } from '@portico/auth-server'
import { FakeIdentityProvider, type IdentityProvider, OidcProvider } from '@portico/identity'
import { describe, expect, it } from 'vitest'
import { HttpBrowser } from './support/http-browser.ts'
import { listen } from './support/listen.ts'
import { type LiveUpstream, type LiveUpstreamOptions, startLiveUpstream } from './support/live-upstream.ts'

const standIn = 'https://stand-in.example/'
const ada = { subject: 'ada', displayName: 'Ada <Lovelace>', raw: {} }

/** Ada is signed in with a stand-in, and has yet to connect a real provider, at which the browser is nobody. */
async function openForAda(options: LiveUpstreamOptions) {
  let upstream: LiveUpstream | undefined
  let made: OidcProvider | undefined
  const real = () => {
    const { issuer, clientId, clientSecret } = upstream!
    made ??= new OidcProvider({ id: 'real', issuer, clientId, clientSecret })
    return made
  }
  const lazy: IdentityProvider = {
    id: 'real',
    authorizationUrl: (args) => real().authorizationUrl(args),
    exchange: (args) => real().exchange(args),
    checkCallback: (params) => real().checkCallback(params),
  }
  const lines: string[] = []
  const logger = { stream: { write: (line: string) => void lines.push(line) } }
  const fake = new FakeIdentityProvider({ id: 'fake', authorizationEndpoint: standIn, defaultProfile: ada })
  const labels = { providerLabels: { real: 'a work account' } }
  const server = await listen(() => [lazy, fake], labels, [], { logger })
  upstream = await startLiveUpstream(`${server.url}/auth/oauth/real/callback`, options)
  const live = upstream
  const browser = new HttpBrowser()
  const { url } = await browser.open(`${server.url}/auth/oauth/fake/start?return_to=/auth/account`, standIn)
  const query = new URLSearchParams({ code: 'any', state: url.searchParams.get('state')! })
  const { url: here, page } = await browser.open(`${server.url}/auth/oauth/fake/callback?${query}`, 'nowhere')
  // The form of the first provider alone: each has a token of its own.
  const account = { url: here, page: page.slice(0, page.indexOf('</form>')) }
  return {
    server,
    upstream: live,
    lines,
    browser,
    /** Presses “Connect a work account”. */
    connect: (stopAt = 'nowhere') => browser.submit(account, {}, stopAt),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await live[Symbol.asyncDispose]()
    },
  }
}

const titleIn = (page: string) => page.match(/<h1>([^<]*)<\/h1>/)?.[1]
const leadIn = (page: string) => page.match(/<\/h1>\s*<p class="lead">([^<]*)<\/p>/)?.[1]

describe('connecting a real provider', () => {
  it.each([
    ['knows select_account', {}, ['select_account']],
    ['lists that it does not', { canSelect: false, promptValues: ['none', 'login', 'consent'] }, ['login']],
    ['neither knows nor says it', { canSelect: false }, ['select_account', 'login']],
    ['lists nothing that could be sent', { canSelect: false, promptValues: ['none'] }, [undefined]],
  ] as const)('works where it %s', async (_, options, prompts) => {
    await using it = await openForAda(options)
    const page = await it.connect()
    expect(titleIn(page.page)).toBe('Connect a work account?')
    expect(it.upstream.requests.map(({ prompt }) => prompt)).toEqual(prompts)
    expect(await it.server.db.table(Identity).count()).toBe(1)
    await it.browser.submit(page, {}, 'nowhere')
    expect(await it.server.db.table(Identity).count({ provider: 'real' })).toBe(1)
  })

  /** Goes to the provider, and comes back with this in place of a code. */
  async function comeBackWith(it: Awaited<ReturnType<typeof openForAda>>, answer: Record<string, string>) {
    const { url } = await it.connect(it.upstream.issuer)
    const iss = it.upstream.issuer
    const query = new URLSearchParams({ ...answer, iss, state: url.searchParams.get('state')! })
    return it.browser.open(`${it.server.url}/auth/oauth/real/callback?${query}`, 'nowhere')
  }

  it('says that nothing was changed if the provider fails, links back, and logs the reason', async () => {
    await using it = await openForAda({})
    const error_description = `no \u001b[2J\nluck ${'x'.repeat(400)}`
    const { page } = await comeBackWith(it, { error: 'server_error', error_description })
    expect(titleIn(page)).toBe('Nothing was connected')
    expect(leadIn(page)).toBe(
      'A work account could not answer. Nothing was changed, and you are still signed in as Ada &lt;Lovelace&gt;.',
    )
    expect(page).toContain('href="/auth/account">Back to the ways to sign in</a>')
    const line = it.lines.map((text) => JSON.parse(text)).find(({ provider }) => provider === 'real')
    expect(line).toMatchObject({ type: 'PROVIDER_DENIED', details: { error: 'server_error' } })
    expect(line.details.description).toBe(`no [2Jluck ${'x'.repeat(400)}`.slice(0, 200))
    const audited = await it.server.db.table(AuditEvent).findOne({ where: { outcome: 'refused' } })
    expect(audited).toMatchObject({ provider: 'real', reason: expect.stringContaining('connect-failed') })
  })

  it('says declined only if the person declined', async () => {
    await using it = await openForAda({})
    const { page } = await comeBackWith(it, { error: 'access_denied' })
    expect(leadIn(page)).toBe(
      'The sign-in with a work account was declined. Nothing was changed, and you are still signed in as Ada &lt;Lovelace&gt;.',
    )
    expect(it.lines.some((text) => JSON.parse(text).provider === 'real')).toBe(false)
  })
})
