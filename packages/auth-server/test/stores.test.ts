import { authTables, IdentityStore, UserStore } from '@portico/auth-server'
import type { Database } from '@portico/db'
import { FederatedLoginService, IdentityConflictError, UserConflictError } from '@portico/identity'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { heavy } from '../../../test/support/heavy.ts'
import { engines, type SharedDatabase } from './support/engines.ts'

describe.each(engines)('the stores on %s', (_, share) => {
  let database: SharedDatabase
  let db: Database
  let users: UserStore
  let identities: IdentityStore
  let time = 1000
  const now = () => time

  beforeAll(async () => {
    database = await share()
    db = await database.open()
    await db.sync(authTables)
    users = new UserStore(db, now)
    identities = new IdentityStore(db, now)
  })
  afterAll(() => database?.[Symbol.asyncDispose]())

  it('create inactive users, and refuse a name that is taken', async () => {
    const user = await users.createUser('ada', { email: 'Ada@X.example', emailVerified: true })
    expect(user).toMatchObject({ username: 'ada', email: 'Ada@X.example', emailVerified: true, active: false })
    await expect(users.createUser('ada')).rejects.toBeInstanceOf(UserConflictError)
    expect(await users.createUser('Ada')).toMatchObject({ username: 'Ada', active: false })
    await users.activateAccount(user.id)
    expect(await users.findById(user.id)).toMatchObject({ active: true })
    const email = 'Inner@x.example'
    const { id } = await users.createUser('inner', { email })
    await users.setProfile(id, { email, displayName: 'Inner' })
    for (const found of [await users.findById(id), await users.findByEmail(email)])
      expect(Object.keys(found!).sort()).toEqual([
        'active',
        'createdAt',
        'displayName',
        'email',
        'emailVerified',
        'id',
        'username',
      ])
    expect(await users.findById('00000000-0000-0000-0000-000000000000')).toBeNull()
  })

  it('create a user and its first identity, both or neither', async () => {
    const identity = { provider: 'p', subject: 'one-step', displayName: 'One' }
    const user = await users.createLinkedUser('one-step', { email: 'one@x.example' }, identity)
    expect(await users.findById(user.id)).toMatchObject({ active: true, email: 'one@x.example', emailVerified: false })
    expect(await identities.find('p', 'one-step')).toMatchObject({
      userId: user.id,
      displayName: 'One',
      linkedAt: time,
    })
    await expect(users.createLinkedUser('one-step', {}, { ...identity, subject: 'x' })).rejects.toBeInstanceOf(
      UserConflictError,
    )
    expect(await identities.find('p', 'x')).toBeNull()
    await expect(users.createLinkedUser('no-step', { email: 'no@x.example' }, identity)).rejects.toBeInstanceOf(
      UserConflictError,
    )
    expect(await users.findByEmail('no@x.example')).toBeNull()
  })

  it('find the user of an address: ASCII folded, the verified one first, else the oldest, never by name', async () => {
    time = 2000
    const older = await users.createUser('kim-1', { email: 'kim@x.example' })
    time = 1500
    const oldest = await users.createUser('kim-2', { email: 'KIM@x.example' })
    expect((await users.findByEmail('Kim@X.example'))?.id).toBe(oldest.id)
    const verified = await users.createUser('kim-3', { email: 'kim@x.example', emailVerified: true })
    expect((await users.findByEmail('kim@x.example'))?.id).toBe(verified.id)
    // The Kelvin sign folds to k by Unicode, and not here.
    expect(await users.findByEmail('\u212Aim@x.example')).toBeNull()
    await users.createUser('somebody@x.example')
    expect(await users.findByEmail('somebody@x.example')).toBeNull()
    expect(older.id).not.toBe(oldest.id)
  })

  it('store the first name that a provider reports', async () => {
    const { id } = await users.createUser('named')
    await users.setFirstName(id, undefined)
    await users.setFirstName(id, 'First')
    await users.setFirstName(id, 'Second')
    expect((await users.findById(id))?.displayName).toBe('First')
  })

  it('link an identity once, case-sensitively, and find, touch and unlink it', async () => {
    const { id: userId } = await users.createUser('linked')
    const other = await users.createUser('other')
    time = 3000
    const linked = await identities.link({
      provider: 'p',
      subject: 's',
      userId,
      email: 'a@x.example',
      emailVerified: true,
    })
    expect(linked).toEqual({
      id: expect.any(String),
      provider: 'p',
      subject: 's',
      userId,
      email: 'a@x.example',
      emailVerified: true,
      linkedAt: 3000,
    })
    for (const owner of [userId, other.id])
      await expect(identities.link({ provider: 'p', subject: 's', userId: owner })).rejects.toBeInstanceOf(
        IdentityConflictError,
      )
    await identities.link({ provider: 'p', subject: 'S', userId: other.id })
    time = 4000
    await identities.touchLogin('p', 's', { displayName: 'Ada' })
    await identities.touchLogin('p', 'unknown', { displayName: 'Nobody' })
    expect(await identities.find('p', 's')).toEqual({ ...linked, displayName: 'Ada', lastLoginAt: 4000 })
    expect(await identities.find('P', 's')).toBeNull()
    expect(await identities.listForUser(userId)).toHaveLength(1)
    expect([await identities.unlink('p', 's'), await identities.unlink('p', 's')]).toEqual([true, false])
    expect(await identities.deleteAllForUser(other.id)).toBe(1)
  })

  it('store neither raw nor other fields of a profile', async () => {
    const { id: userId } = await users.createUser('raw')
    const profile = { provider: 'p', subject: 'raw', userId, raw: { token: 'x' }, accessToken: 'y' }
    expect(Object.keys(await identities.link(profile)).sort()).toEqual([
      'id',
      'linkedAt',
      'provider',
      'subject',
      'userId',
    ])
  })

  it('delete the identities with the user', async () => {
    const { id } = await users.createUser('leaving')
    await identities.link({ provider: 'p', subject: 'leaving', userId: id })
    await users.deleteUser(id)
    expect(await identities.find('p', 'leaving')).toBeNull()
  })

  it('create one user and one identity for fifty concurrent first logins on several instances', async () => {
    const services = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const own = await database.open()
        return new FederatedLoginService({ users: new UserStore(own, now), federated: new IdentityStore(own, now) })
      }),
    )
    const profile = { provider: 'p', subject: 'crowd', email: 'crowd@x.example', raw: {} }
    const outcomes = await Promise.all(
      Array.from({ length: heavy(50) }, (_, n) => services[n % 3]!.resolveUser(profile)),
    )
    expect(outcomes.filter(({ kind }) => kind === 'created')).toHaveLength(1)
    expect(new Set(outcomes.map((it) => 'userId' in it && it.userId)).size).toBe(1)
    const user = await users.findByEmail('crowd@x.example')
    expect(await identities.listForUser(user!.id)).toHaveLength(1)
    expect(user).toMatchObject({ active: true })
  })
})
