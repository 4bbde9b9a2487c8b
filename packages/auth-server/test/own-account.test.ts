import { Identity, PendingLink, Session, User } from '@portico/auth-server'
import { FakeIdentityProvider, type FederatedPolicy } from '@portico/identity'
import { describe, expect, it } from 'vitest'
import { fieldsOf, type TestBrowser, titleOf } from './support/browser.ts'
import { createPeople, returnAs, signIn, startServer, type TestServer } from './support/server.ts'

const trusting: FederatedPolicy = { trustEmailVerifiedFrom: ['work', 'home'] }

/** Passes on any address, and says that nobody has verified it. */
function createLax(): FakeIdentityProvider {
  return new FakeIdentityProvider({
    id: 'lax',
    authorizationEndpoint: 'https://lax.example/authorize',
    defaultProfile: { subject: 'attacker', email: 'ada@x.example', emailVerified: false, displayName: 'Eve', raw: {} },
  })
}

const startWith = (policy: FederatedPolicy) =>
  startServer({ providers: [createPeople('work'), createPeople('home'), createLax()], policy })

/** Somebody has opened an account with Ada's address at `first`; then Ada comes with her identity at `second`. */
async function meet(it: TestServer, browser: TestBrowser, first = 'lax', second = 'work') {
  await signIn(it.browser(), 'ada', first)
  const answer = await returnAs(browser, 'ada', `/auth/oauth/${second}/start?return_to=/board`)
  const page = await browser.get(String(answer.headers.location))
  expect(titleOf(page)).toBe('Is this your account?')
  return { page, form: fieldsOf(page) }
}

describe('the owner of an address that somebody else opened an account with', () => {
  it.each(['require-interactive-link', 'auto-link-if-verified'] as const)(
    'gets a separate account and leaves the other one unchanged (%s)',
    async (emailMatch) => {
      await using it = await startWith({ ...trusting, emailMatch })
      const browser = it.browser()
      const { page, form } = await meet(it, browser)
      expect(page.body).toContain('Create a separate account')
      // Browsers would hold to it wherever the application sends the person on.
      expect(page.headers['content-security-policy']).not.toContain('form-action')
      const [attacker] = await it.db.table(User).findMany({})
      const done = await browser.post('/auth/link', form)
      expect([done.statusCode, done.headers.location]).toEqual([303, '/board'])
      const owner = await it.server.users.findByEmail('ada@x.example')
      expect(owner).toMatchObject({
        email: 'ada@x.example',
        emailVerified: true,
        active: true,
        username: 'work:work-ada',
      })
      expect(owner!.id).not.toBe(attacker!.id)
      expect(await it.db.table(User).findById(attacker!.id)).toEqual(attacker)
      const identities = await it.db.table(Identity).findMany({ orderBy: { provider: 'asc' } })
      expect(identities.map(({ provider, userId }) => [provider, userId])).toEqual([
        ['lax', attacker!.id],
        ['work', owner!.id],
      ])
      expect(await it.db.table(Session).count({ userId: owner!.id })).toBe(1)
      // From now on the address leads to its owner.
      const later = it.browser()
      const { page: met } = await later.follow(await signIn(later, 'ada', 'home'))
      expect(met!.body).not.toContain('Open an account')
      const isLinked = emailMatch === 'auto-link-if-verified'
      expect(await it.server.identities.listForUser(owner!.id)).toHaveLength(isLinked ? 2 : 1)
      expect(await it.db.table(User).count()).toBe(2)
    },
  )

  it('may also prove the account, if it is theirs', async () => {
    await using it = await startWith(trusting)
    const browser = it.browser()
    const { form } = await meet(it, browser)
    const done = await returnAs(browser, 'any', `/auth/oauth/lax/start?link=${form['link']}`)
    expect([done.headers.location, await it.db.table(User).count()]).toEqual(['/board', 1])
    expect(titleOf(await browser.post('/auth/link', form))).toBe('This can no longer be connected')
  })
})

describe('an account beside another one with the same address is not offered', () => {
  it.each<[string, FederatedPolicy, string, string]>([
    ['where no provider is trusted', {}, 'lax', 'work'],
    ['where the provider is not trusted', { trustEmailVerifiedFrom: ['home'] }, 'lax', 'work'],
    ['where the provider has not verified the address', { trustEmailVerifiedFrom: ['work', 'lax'] }, 'home', 'lax'],
    ['where the address of the other one is verified', trusting, 'work', 'home'],
    ['where no accounts are opened', { ...trusting, allowSignup: false }, 'lax', 'work'],
  ])('%s, nor created on request', async (_, policy, first, second) => {
    await using before = await startWith({ ...policy, allowSignup: true })
    await signIn(before.browser(), 'ada', first)
    await using it = await startServer({
      db: before.db,
      providers: [createPeople('work'), createPeople('home'), createLax()],
      policy,
    })
    const browser = it.browser()
    const { page } = await meet(it, browser, first, second)
    expect(page.body).not.toContain('<form')
    expect(page.headers['content-security-policy']).toContain("form-action 'self'")
    // The token of a form that was shown while it was offered.
    await using offering = await startWith(trusting)
    const stolen = await meet(offering, offering.browser())
    const { id } = (await it.db.table(PendingLink).findOne({}))!
    for (const form_token of ['', stolen.form['form_token']!])
      expect((await browser.post('/auth/link', { link: id, form_token })).statusCode).toBe(403)
    expect([await it.db.table(User).count(), browser.cookies.has('__Host-portico-session')]).toEqual([1, false])
  })

  it('once somebody has verified the address, even with a form that was shown before', async () => {
    await using it = await startWith(trusting)
    const browser = it.browser()
    const { form } = await meet(it, browser)
    await it.server.users.createUser('first', { email: 'ADA@x.example', emailVerified: true })
    expect(titleOf(await browser.post('/auth/link', form))).toBe('This can no longer be connected')
    expect(await it.db.table(Identity).count({ provider: 'work' })).toBe(0)
  })

  it('to another page, another browser or another identity, and not twice', async () => {
    await using it = await startWith(trusting)
    const browser = it.browser()
    const { form } = await meet(it, browser)
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await browser.post('/auth/link', form, { headers: foreign })).statusCode).toBe(403)
    const thief = it.browser()
    await meet(it, thief, 'lax', 'home')
    expect(titleOf(await thief.post('/auth/link', form))).toBe('This can no longer be connected')
    const { form: other } = await meet(it, browser, 'lax', 'home')
    expect((await browser.post('/auth/link', { ...form, form_token: other['form_token']! })).statusCode).toBe(403)
    expect(await it.db.table(User).count()).toBe(1)
    const answers = await Promise.all(Array.from({ length: 5 }, () => browser.post('/auth/link', form)))
    expect(answers.filter(({ statusCode }) => statusCode === 303)).toHaveLength(1)
    expect(await it.db.table(User).count()).toBe(2)
  })
})
