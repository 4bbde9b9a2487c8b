import { Identity, PendingLink, Session, User } from '@portico/auth-server'
import { describe, expect, it } from 'vitest'
import { type TestBrowser, titleOf } from './support/browser.ts'
import { ask, authorizeUrl, returnAs, signIn, startServer, type TestServer } from './support/server.ts'

/** Ada has an account with her identity at work; somebody with the same address signs in at home. */
async function reachLink(it: TestServer, browser: TestBrowser, start = '/auth/oauth/home/start?return_to=/board') {
  await signIn(it.browser(), 'ada', 'work')
  const answer = await returnAs(browser, 'like-ada', start)
  return { path: String(answer.headers.location), page: await browser.get(String(answer.headers.location)) }
}

function proofPath(path: string, provider: string): string {
  return `/auth/oauth/${provider}/start?link=${new URLSearchParams(path.split('?')[1]).get('link')}`
}

describe('an identity with the address of an account that exists', () => {
  it('is linked once its owner has signed in with an identity of that account', async () => {
    await using it = await startServer()
    const browser = it.browser()
    const { path, page } = await reachLink(it, browser)
    expect(titleOf(page)).toBe('Is this your account?')
    expect(browser.cookies.has('__Host-portico-session')).toBe(false)
    const done = await returnAs(browser, 'ada', proofPath(path, 'work'))
    expect([done.statusCode, done.headers.location]).toEqual([303, '/board'])
    const [user] = await it.db.table(User).findMany({})
    const identities = await it.server.identities.listForUser(user!.id)
    expect(identities.map(({ provider, subject }) => [provider, subject])).toEqual([
      ['work', 'work-ada'],
      ['home', 'home-other'],
    ])
    expect(identities[1]).toMatchObject({ email: 'Ada@x.example', displayName: 'Somebody' })
    // From now on it is a way in.
    expect((await signIn(it.browser(), 'like-ada', 'home')).headers.location).toBe('/')
    expect(await it.db.table(User).count()).toBe(1)
  })

  it('leads back to the authorization that was under way', async () => {
    await using it = await startServer()
    const browser = it.browser()
    const { page } = await browser.visit(authorizeUrl(ask()))
    const way = page!.body.match(/href="(\/auth\/oauth\/home\/start[^"]*)"/)![1]!
    const { path } = await reachLink(it, browser, way)
    const { page: consent } = await browser.follow(await returnAs(browser, 'ada', proofPath(path, 'work')))
    expect(titleOf(consent)).toBe('Let a program use your account?')
  })

  it('is not linked to an account that has been disabled meanwhile', async () => {
    await using it = await startServer()
    const browser = it.browser()
    const { path } = await reachLink(it, browser)
    const [user] = await it.db.table(User).findMany({})
    await it.server.users.disable(user!.id)
    const answer = await returnAs(browser, 'ada', proofPath(path, 'work'))
    expect([answer.statusCode, titleOf(answer)]).toEqual([403, 'This account is disabled'])
    expect(await it.db.table(Identity).count()).toBe(1)
  })

  it('is not linked by somebody else’s identity or an unknown one, and neither becomes an account', async () => {
    await using it = await startServer()
    const browser = it.browser()
    await signIn(it.browser(), 'eve', 'work')
    const { path } = await reachLink(it, browser)
    const before = await it.db.table(User).count()
    for (const [person, provider] of [
      ['eve', 'work'],
      ['eve', 'home'],
      ['like-ada', 'home'],
    ] as const) {
      const answer = await returnAs(browser, person, proofPath(path, provider))
      expect([answer.statusCode, titleOf(answer)]).toEqual([403, 'That is another account'])
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
    expect(await it.db.table(User).count()).toBe(before)
    expect(await it.db.table(Identity).count({ provider: 'home' })).toBe(0)
    // The right one still may.
    expect((await returnAs(browser, 'ada', proofPath(path, 'work'))).statusCode).toBe(303)
  })

  it('waits ten minutes, in the browser that brought it, and is used once', async () => {
    await using it = await startServer()
    const browser = it.browser()
    const { path } = await reachLink(it, browser)
    const thief = it.browser()
    await thief.get('/auth/oauth/work/start')
    expect(titleOf(await thief.get(path))).toBe('This can no longer be connected')
    expect(titleOf(await thief.get(proofPath(path, 'work')))).toBe('This can no longer be connected')
    it.clock.pass(600)
    expect(titleOf(await browser.get(path))).toBe('This can no longer be connected')
    const { path: second } = await reachLink(it, browser)
    await returnAs(browser, 'ada', proofPath(second, 'work'))
    expect(titleOf(await browser.get(second))).toBe('This can no longer be connected')
    expect(await it.db.table(PendingLink).count({ expiresAt: { $gt: it.clock.time } })).toBe(0)
  })

  it('is linked once, however many proofs return concurrently', async () => {
    await using it = await startServer()
    const browser = it.browser()
    const { path } = await reachLink(it, browser)
    const callbacks: string[] = []
    for (let n = 0; n < 5; n += 1) {
      const { left } = await browser.visit(proofPath(path, 'work'))
      callbacks.push(
        `/auth/oauth/work/callback?${new URLSearchParams({ code: 'ada', state: left!.searchParams.get('state')! })}`,
      )
    }
    const answers = await Promise.all(callbacks.map((url) => browser.get(url)))
    expect(answers.filter(({ statusCode }) => statusCode === 303)).toHaveLength(1)
    expect(await it.db.table(Session).count()).toBeGreaterThan(0)
  })

  it('becomes a separate account, or is linked immediately, if the policy says so', async () => {
    await using separate = await startServer({ policy: { emailMatch: 'create-separate' } })
    await signIn(separate.browser(), 'ada', 'work')
    expect((await signIn(separate.browser(), 'like-ada', 'home')).headers.location).toBe('/')
    expect(await separate.db.table(User).count()).toBe(2)
    const trusted = ['work', 'home']
    await using linked = await startServer({
      policy: { emailMatch: 'auto-link-if-verified', trustEmailVerifiedFrom: trusted },
    })
    await signIn(linked.browser(), 'ada', 'work')
    expect((await signIn(linked.browser(), 'like-ada', 'home')).headers.location).toBe('/')
    expect([await linked.db.table(User).count(), await linked.db.table(Identity).count()]).toEqual([1, 2])
  })
})
