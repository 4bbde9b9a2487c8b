import {
  foldEmail,
  IdentityConflictError,
  MemoryFederatedIdentityStore,
  MemoryUserService,
  UserConflictError,
} from '@portico/identity'
import { describe, expect, test } from 'vitest'
import { TestClock } from './support/clock.ts'

test('foldEmail folds only ASCII letters', () => {
  expect(foldEmail('Ada@X.Example')).toBe('ada@x.example')
  // The Kelvin sign and the dotted capital I become ASCII letters under Unicode folding.
  expect(foldEmail('\u212A\u0130É@x')).toBe('\u212A\u0130É@x')
})

describe('MemoryUserService', () => {
  test('creates inactive users with unique ids', async () => {
    const users = new MemoryUserService()
    const ada = await users.createUser('ada', { email: 'ada@x.example', emailVerified: true })
    expect(ada).toEqual({ id: ada.id, username: 'ada', email: 'ada@x.example', emailVerified: true, active: false })
    expect((await users.createUser('bob')).id).not.toBe(ada.id)
    expect(await users.findById(ada.id)).toEqual(ada)
    expect(await users.findById('nobody')).toBeNull()
    await users.activateAccount(ada.id)
    expect((await users.findById(ada.id))?.active).toBe(true)
    await users.deleteUser(ada.id)
    expect(await users.findById(ada.id)).toBeNull()
  })

  test('refuses a taken name, even with 50 concurrent calls', async () => {
    const users = new MemoryUserService()
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => users.createUser('ada')))
    const refused = results.filter((it) => it.status === 'rejected').map((it) => it.reason as unknown)
    expect(refused).toHaveLength(49)
    expect(refused[0]).toBeInstanceOf(UserConflictError)
    expect(refused[0]).toMatchObject({ name: 'UserConflictError', type: 'ALREADY_EXISTS' })
  })

  test('stores only an address besides the name', async () => {
    const users = new MemoryUserService()
    const extras = { email: 'ada@x.example', id: 'mine', active: true, username: 'root', emailVerified: undefined }
    const ada = await users.createUser('ada', extras as never)
    expect(ada).toEqual({ id: ada.id, username: 'ada', email: 'ada@x.example', active: false })
    expect(ada.id).not.toBe('mine')
  })

  test('finds by address with ASCII letters folded, never by name', async () => {
    const users = new MemoryUserService()
    await users.createUser('ada@x.example')
    expect(await users.findByEmail('ada@x.example')).toBeNull()
    const ada = await users.createUser('ada', { email: 'Ada@X.example' })
    expect((await users.findByEmail('aDA@x.EXAMPLE'))?.id).toBe(ada.id)
    expect(await users.findByEmail('')).toBeNull()
  })

  test('finds the verified one of several, otherwise the oldest', async () => {
    const users = new MemoryUserService()
    const email = 'ada@x.example'
    const oldest = await users.createUser('a', { email })
    await users.createUser('b', { email, emailVerified: false })
    expect((await users.findByEmail(email))?.id).toBe(oldest.id)
    const verified = await users.createUser('c', { email, emailVerified: true })
    expect((await users.findByEmail(email))?.id).toBe(verified.id)
  })

  test('returns copies', async () => {
    const users = new MemoryUserService()
    const ada = await users.createUser('ada')
    ada.active = true
    const found = await users.findById(ada.id)
    found!.username = 'eve'
    expect(await users.findById(ada.id)).toMatchObject({ username: 'ada', active: false })
  })
})

describe('MemoryFederatedIdentityStore', () => {
  const clock = new TestClock()
  const ada = { provider: 'alpha', subject: '7', userId: 'u1', email: 'ada@x.example' }

  test('links, finds, lists and unlinks', async () => {
    const store = new MemoryFederatedIdentityStore({ clock })
    const linked = await store.link(ada)
    expect(linked).toEqual({ ...ada, id: linked.id, linkedAt: clock.time })
    expect(await store.find('alpha', '7')).toEqual(linked)
    expect(await store.find('alpha', '8')).toBeNull()
    expect(await store.listForUser('u1')).toEqual([linked])
    expect(await store.listForUser('u2')).toEqual([])
    expect(await store.unlink('alpha', '7')).toBe(true)
    expect(await store.unlink('alpha', '7')).toBe(false)
    expect(await store.find('alpha', '7')).toBeNull()
  })

  test('keeps provider and subject apart, whatever characters they contain', async () => {
    const store = new MemoryFederatedIdentityStore()
    await store.link({ provider: 'a:b', subject: 'c', userId: 'u1' })
    await store.link({ provider: 'a', subject: 'b:c', userId: 'u2' })
    expect((await store.find('a', 'b:c'))?.userId).toBe('u2')
  })

  test('links one identity once, even with 50 concurrent calls', async () => {
    const store = new MemoryFederatedIdentityStore()
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) => store.link({ ...ada, userId: `u${index}` })),
    )
    const refused = results.filter((it) => it.status === 'rejected').map((it) => it.reason as unknown)
    expect(refused).toHaveLength(49)
    expect(refused[0]).toBeInstanceOf(IdentityConflictError)
    expect(refused[0]).toMatchObject({ name: 'IdentityConflictError', type: 'ALREADY_EXISTS' })
  })

  test('stores only the fields of an identity: no raw, no token', async () => {
    const store = new MemoryFederatedIdentityStore({ clock })
    const linked = await store.link({ ...ada, raw: { token: 't' }, accessToken: 't' } as never)
    await store.touchLogin('alpha', '7', { displayName: 'Ada', raw: {} } as never)
    expect(Object.keys(linked).sort()).toEqual(['email', 'id', 'linkedAt', 'provider', 'subject', 'userId'])
    expect(await store.find('alpha', '7')).toEqual({ ...linked, displayName: 'Ada', lastLoginAt: clock.time })
  })

  test('records a login and updates only defined fields', async () => {
    const store = new MemoryFederatedIdentityStore({ clock })
    const linked = await store.link({ ...ada, displayName: 'Ada' })
    clock.advance(60)
    const snapshot = { email: undefined, emailVerified: false, avatarUrl: 'https://x.example/a.png' }
    await store.touchLogin('alpha', '7', snapshot as never)
    expect(await store.find('alpha', '7')).toEqual({
      ...linked,
      emailVerified: false,
      avatarUrl: 'https://x.example/a.png',
      lastLoginAt: clock.time,
    })
    await store.touchLogin('alpha', 'nobody')
    expect(await store.find('alpha', 'nobody')).toBeNull()
  })

  test('removes all identities of a user and returns their number', async () => {
    const store = new MemoryFederatedIdentityStore()
    await store.link(ada)
    await store.link({ ...ada, subject: '8' })
    await store.link({ ...ada, subject: '9', userId: 'u2' })
    expect(await store.deleteAllForUser('u1')).toBe(2)
    expect(await store.deleteAllForUser('u1')).toBe(0)
    expect(await store.listForUser('u2')).toHaveLength(1)
  })

  test('returns copies', async () => {
    const store = new MemoryFederatedIdentityStore()
    const linked = await store.link(ada)
    linked.userId = 'evil'
    const [listed] = await store.listForUser('u1')
    listed!.userId = 'evil'
    const found = await store.find('alpha', '7')
    found!.userId = 'evil'
    expect((await store.find('alpha', '7'))?.userId).toBe('u1')
  })
})

test('undefined fields are accepted and not stored', async () => {
  const nothing = { email: undefined, emailVerified: undefined }
  const user = await new MemoryUserService().createUser('ada', nothing)
  expect(Object.keys(user)).toEqual(['id', 'username', 'active'])
  const identities = new MemoryFederatedIdentityStore()
  const key = { provider: 'alpha', subject: '7', userId: user.id }
  const linked = await identities.link({ ...key, ...nothing, displayName: 'Ada', avatarUrl: undefined })
  expect(Object.keys(linked)).toEqual(['id', 'provider', 'subject', 'userId', 'displayName', 'linkedAt'])
  await identities.touchLogin('alpha', '7', { displayName: undefined })
  expect(await identities.find('alpha', '7')).toMatchObject({ displayName: 'Ada' })
})
