import { AuditEvent, Identity, Invitation, User } from '@portico/auth-server'
import { FakeIdentityProvider, type NormalizedProfile, UserConflictError } from '@portico/identity'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { fieldsOf, titleOf } from './support/browser.ts'
import {
  askAsWeb,
  clientSecret,
  obtainCallback,
  redemption,
  returnAs,
  sendForm,
  signIn,
  startServer,
  type TestServer,
} from './support/server.ts'

type Said = Omit<NormalizedProfile, 'provider' | 'subject' | 'raw'>

/** A provider at which the code is the subject, and everybody says what they are made to say. */
class Directory extends FakeIdentityProvider {
  constructor(id = 'work') {
    super({ id, authorizationEndpoint: `https://${id}.example/authorize` })
  }

  say(subject: string, said: Said): this {
    return this.setProfile(subject, { subject, raw: {}, ...said })
  }
}

const confirmed = (email: string, displayName?: string): Said => ({
  email,
  emailVerified: true,
  ...(displayName !== undefined && { displayName }),
})

async function claimsOf(it: TestServer, person: string) {
  const asked = askAsWeb()
  const form = redemption(asked, await obtainCallback(it.browser(), asked, person))
  const answer = await sendForm(it.app, '/auth/token', { ...form, client_id: 'web', client_secret: clientSecret })
  const { email, email_verified, name, sub } = decodeJwt(answer.json<{ id_token: string }>().id_token)
  return { email, email_verified, name, sub }
}

const trusting = { emailMatch: 'auto-link-if-verified' as const, trustEmailVerifiedFrom: ['work', 'home'] }

describe('id tokens', () => {
  it('follow the provider: address, verification and name', async () => {
    const work = new Directory().say('ada', confirmed('ada@old.example', 'Ada Maiden'))
    await using it = await startServer({ providers: [work], policy: trusting })
    expect(await claimsOf(it, 'ada')).toMatchObject({ email: 'ada@old.example', email_verified: true })
    work.say('ada', confirmed('ada@new.example', 'Ada Married'))
    const claims = await claimsOf(it, 'ada')
    expect(claims).toMatchObject({ email: 'ada@new.example', email_verified: true, name: 'Ada Married' })
    const lines = await it.db.table(AuditEvent).findMany({ where: { event: 'account' } })
    expect(lines).toMatchObject([
      { userId: claims.sub, provider: 'work', reason: 'follows the provider: email, displayName' },
    ])
    expect(JSON.stringify(lines)).not.toContain('new.example')
    expect(await it.server.users.findByEmail('Ada@New.example')).toMatchObject({ id: claims.sub })
    expect(await it.server.users.findByEmail('ada@old.example')).toBeNull()
  })

  it('are confirmed once the provider confirms, and keep what the person has set', async () => {
    const work = new Directory().say('ada', { email: 'ada@x.example', emailVerified: false, displayName: 'Ada' })
    await using it = await startServer({ providers: [work], policy: trusting })
    const { sub, email_verified } = await claimsOf(it, 'ada')
    expect(email_verified).toBe(false)
    work.say('ada', confirmed('ada@x.example', 'Ada'))
    expect(await claimsOf(it, 'ada')).toMatchObject({ email_verified: true })
    await it.server.users.setProfile(sub!, { email: 'own@x.example', emailVerified: true, displayName: 'Countess' })
    work.say('ada', confirmed('ada@third.example', 'Ada L.'))
    const own = { email: 'own@x.example', email_verified: true, name: 'Countess' }
    expect(await claimsOf(it, 'ada')).toMatchObject(own)
    expect(await it.server.users.setProfile('00000000-0000-0000-0000-000000000000', { displayName: 'x' })).toBe(false)
  })
})

describe('an address that went to somebody else at the same provider', () => {
  it('does not open the account of its former owner, and its new owner can create one', async () => {
    const work = new Directory()
      .say('alice', confirmed('alice@corp.example', 'Alice'))
      .say('bob', confirmed('alice@corp.example', 'Bob'))
    await using it = await startServer({ providers: [work], policy: trusting })
    const alice = await claimsOf(it, 'alice')
    const browser = it.browser()
    const answer = await signIn(browser, 'bob')
    const page = await browser.get(String(answer.headers.location))
    expect([titleOf(page), await it.db.table(Identity).count()]).toEqual(['Is this your account?', 1])
    expect(page.body).toContain('Create a separate account')
    const fields = Object.fromEntries(
      [...page.body.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name!, value!]),
    )
    expect((await browser.post('/auth/link', fields)).headers.location).toBe('/')
    const bob = await claimsOf(it, 'bob')
    expect(bob).toMatchObject({ email: 'alice@corp.example', email_verified: true, name: 'Bob' })
    expect(bob.sub).not.toBe(alice.sub)
    expect(await it.server.users.findById(alice.sub!)).toMatchObject({ emailVerified: false })
  })
})

it('an address set for one account is never verified for another, whatever a provider says', async () => {
  const work = new Directory()
    .say('alice', confirmed('alice@corp.example', 'Alice'))
    .say('bob', confirmed('bob@corp.example', 'Bob'))
    .say('kim', confirmed('alice@corp.example', 'Kim'))
  await using it = await startServer({ providers: [work], policy: trusting })
  const alice = await claimsOf(it, 'alice')
  await it.server.users.setProfile(alice.sub!, { email: 'alice@corp.example', emailVerified: true })
  await signIn(it.browser(), 'bob')
  // By an account that follows its provider, and by a new one.
  work.say('bob', confirmed('alice@corp.example', 'Bob'))
  expect(await claimsOf(it, 'bob')).toMatchObject({ email: 'alice@corp.example', email_verified: false })
  const browser = it.browser()
  const page = await browser.get(String((await signIn(browser, 'kim')).headers.location))
  expect((await browser.post('/auth/link', fieldsOf(page))).headers.location).toBe('/')
  expect(await claimsOf(it, 'kim')).toMatchObject({ email: 'alice@corp.example', email_verified: false })
  expect(await it.db.table(User).findMany({ where: { emailVerified: true } })).toMatchObject([{ id: alice.sub }])
})

describe('an invitation', () => {
  const closed = { allowSignup: false, trustEmailVerifiedFrom: ['work'] }
  const invitee = { email: 'Ada@X.example', roles: ['editor'], expiresInSec: 3600 }

  function startOf(url: string, provider = 'work'): string {
    return `/auth/oauth/${provider}/start?invitation=${new URL(url).searchParams.get('token')}`
  }

  it('is completed by the first sign-in with its verified address, even without sign-up', async () => {
    await using it = await startServer({ policy: closed })
    expect((await signIn(it.browser(), 'kim')).statusCode).toBe(403)
    const { userId, url, expiresAt } = await it.server.users.invite(invitee)
    expect([expiresAt, new URL(url).origin]).toEqual([it.clock.time + 3_600_000, 'https://app.example'])
    expect((await signIn(it.browser(), 'ada')).headers.location).toBe('/')
    expect(await it.server.users.findById(userId)).toMatchObject({
      active: true,
      emailVerified: true,
      roles: ['editor'],
      displayName: 'Ada Lovelace',
    })
    expect(await it.db.table(User).count()).toBe(1)
    // It is the person's from now on: the link opens nothing any more.
    expect(titleOf(await it.browser().get(url))).toBe('This invitation is no longer valid')
  })

  it('is completed by its link with any account, once, in whichever browser', async () => {
    await using it = await startServer({ policy: closed })
    const { userId, url } = await it.server.users.invite(invitee)
    const browser = it.browser()
    const page = await browser.get(url)
    expect([titleOf(page), page.statusCode]).toEqual(['You are invited to Tracker', 200])
    expect(page.body).toContain('Ada@X.example')
    const back = await returnAs(browser, 'kim', startOf(url))
    expect(back.headers.location).toBe('/')
    expect(await it.server.identities.listForUser(userId)).toMatchObject([{ subject: 'work-kim' }])
    // Nobody vouched for the address that was invited; the one that Kim brought is confirmed.
    expect(await it.server.users.findById(userId)).toMatchObject({ email: 'kim@x.example', emailVerified: true })
    for (const path of [url, startOf(url)])
      expect(titleOf(await it.browser().get(path))).toBe('This invitation is no longer valid')
    expect(await it.db.table(Invitation).count()).toBe(0)
  })

  it('is completed once, however many requests use its link concurrently', async () => {
    await using it = await startServer({ policy: closed })
    const { userId, url } = await it.server.users.invite(invitee)
    const people = ['ada', 'eve', 'kim']
    const answers = await Promise.all(people.map((person) => returnAs(it.browser(), person, startOf(url))))
    expect(answers.filter(({ statusCode }) => statusCode === 303)).toHaveLength(1)
    expect(await it.server.identities.listForUser(userId)).toHaveLength(1)
  })

  it('is not completed by a known person, an unverified address, or after it expired', async () => {
    await using it = await startServer({ policy: { trustEmailVerifiedFrom: ['work'] } })
    const browser = it.browser()
    await signIn(browser, 'eve')
    const { url, userId } = await it.server.users.invite(invitee)
    expect(titleOf(await returnAs(it.browser(), 'eve', startOf(url)))).toBe('You already have an account here')
    // This provider is not trusted with addresses; nobody can prove an account that has no way in.
    expect(titleOf(await signIn(it.browser(), 'ada', 'home'))).toBe('Open your invitation first')
    it.clock.pass(3600)
    expect(titleOf(await it.browser().get(url))).toBe('This invitation is no longer valid')
    expect((await signIn(it.browser(), 'ada')).headers.location).toBe('/')
    expect(await it.server.identities.listForUser(userId)).toEqual([])
    expect(await it.server.users.findByEmail('ada@x.example')).not.toMatchObject({ id: userId })
  })

  it('replaces the previous one, and is refused for an address that has an account', async () => {
    await using it = await startServer({ policy: closed })
    const first = await it.server.users.invite(invitee)
    const second = await it.server.users.invite({ ...invitee, email: 'ada@x.example' })
    expect(second.userId).toBe(first.userId)
    expect(titleOf(await it.browser().get(first.url))).toBe('This invitation is no longer valid')
    await signIn(it.browser(), 'ada')
    await expect(it.server.users.invite(invitee)).rejects.toBeInstanceOf(UserConflictError)
    for (const wrong of [{ email: 'nobody' }, { email: 'a@x.example', expiresInSec: 0 }, { email: 7 as never }])
      await expect(it.server.users.invite(wrong)).rejects.toMatchObject({ code: 'INVITATION_INVALID' })
    expect(await it.db.table(User).count()).toBe(1)
  })

  it('creates one account, however many invite the same address at once', async () => {
    await using it = await startServer({ policy: closed })
    // Another account has the name that the first one of them would take.
    await it.server.users.createUser('ada@x.example')
    const addresses = ['ada@x.example', 'ADA@x.example', 'ada@x.example']
    const made = await Promise.all(addresses.map((email) => it.server.users.invite({ ...invitee, email })))
    expect(new Set(made.map(({ userId }) => userId)).size).toBe(1)
    expect((await it.server.users.invite(invitee)).userId).toBe(made[0]!.userId)
    expect(await it.db.table(User).count({ emailFolded: 'ada@x.example' })).toBe(1)
  })

  it('does not admit a disabled person', async () => {
    await using it = await startServer({ policy: closed })
    const { userId, url } = await it.server.users.invite(invitee)
    await it.server.users.disable(userId)
    expect(titleOf(await it.browser().get(url))).toBe('This invitation is no longer valid')
    expect((await signIn(it.browser(), 'ada')).headers['set-cookie']).toBeUndefined()
    expect(await it.db.table(Identity).count()).toBe(0)
  })
})

it('an imported user with a verified address signs in at once', async () => {
  await using it = await startServer({ policy: { allowSignup: false, trustEmailVerifiedFrom: ['work'] } })
  const { id } = await it.server.users.createUser('ada', { email: 'ada@x.example', emailVerified: true })
  const browser = it.browser()
  expect((await signIn(browser, 'ada')).headers.location).toBe('/')
  expect(await it.server.identities.listForUser(id)).toHaveLength(1)
})

describe('a provider that says nonsense of a person', () => {
  it.each([
    ['an address that is not text', { email: 7 }],
    ['an address that is too long', { email: `${'a'.repeat(513)}@x.example` }],
    ['a name that is not text', { displayName: {} }],
  ])('is reported as failed: %s', async (_name, said) => {
    const work = new Directory().say('ada', said as unknown as Said)
    await using it = await startServer({ providers: [work] })
    const answer = await signIn(it.browser(), 'ada')
    expect([answer.statusCode, titleOf(answer)]).toEqual([502, 'The provider did not answer as it should'])
    expect(await it.db.table(User).count()).toBe(0)
  })

  it('cannot reverse the direction of our text, or store an endless name', async () => {
    const work = new Directory().say('eve', { displayName: `\u202eevil\u2066${'x'.repeat(1000)}` })
    await using it = await startServer({ providers: [work] })
    const browser = it.browser()
    await signIn(browser, 'eve')
    const page = await browser.get('/auth/logout')
    expect(page.body).toContain('evilxxx')
    expect(page.body).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
    expect((await it.db.table(User).findMany({}))[0]!.displayName).toHaveLength(200)
    // Names stored before are shown without them too.
    const [user] = await it.db.table(User).findMany({})
    await it.db.table(User).updateOne({ id: user!.id, displayName: 'a\u202eb' })
    expect((await browser.get('/auth/logout')).body).toContain('<strong>ab</strong>')
  })
})

describe('a server with clients that trusts no provider with addresses', () => {
  const warningsOf = async (options: Parameters<typeof startServer>[0]) => {
    const lines: string[] = []
    const logger = { stream: { write: (line: string) => void lines.push(line) } }
    await using it = await startServer({ ...options, app: { logger: logger as never } })
    await it.app.inject('/auth/sign-in')
    return lines.filter((line) => line.includes('trustEmailVerifiedFrom')).length
  }

  it('logs a warning at start, and others do not', async () => {
    expect(await warningsOf({})).toBe(1)
    expect(await warningsOf({ clients: [] })).toBe(0)
    expect(await warningsOf({ policy: { trustEmailVerifiedFrom: ['work'] } })).toBe(0)
  })
})

it('a callback with another issuer signs nobody in', async () => {
  const work = Object.assign(new Directory().say('ada', {}), {
    checkCallback: async (params: URLSearchParams) => {
      if (params.get('iss') !== 'https://work.example')
        throw new (await import('@portico/identity')).OAuthError('STATE_INVALID')
    },
  })
  await using it = await startServer({ providers: [work] })
  const browser = it.browser()
  const back = async (iss: Record<string, string>) => {
    const { left } = await browser.visit('/auth/oauth/work/start')
    const state = left!.searchParams.get('state')!
    return browser.get(`/auth/oauth/work/callback?${new URLSearchParams({ code: 'ada', state, ...iss })}`)
  }
  for (const iss of [{}, { iss: 'https://evil.example' }] as Record<string, string>[])
    expect(titleOf(await back(iss))).toBe('This sign-in cannot be continued')
  expect((await back({ iss: 'https://work.example' })).statusCode).toBe(303)
})
