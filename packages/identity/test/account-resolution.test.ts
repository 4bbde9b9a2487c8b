import {
  type FederatedIdentityStore,
  FederatedLoginService,
  type FederatedPolicy,
  IdentityConflictError,
  MemoryFederatedIdentityStore,
  MemoryUserService,
  type NormalizedProfile,
  OAuthError,
  UserConflictError,
  type UserExtras,
  type UserRecord,
  type UserService,
} from '@portico/identity'
import { beforeEach, describe, expect, test } from 'vitest'
import { TestClock } from './support/clock.ts'
import { failureOf } from './support/failure.ts'

/** Users in memory, with a count and the delays of a database. */
class Users extends MemoryUserService {
  readonly created = new Set<string>()
  readonly log: string[] = []

  override async findByEmail(email: string): Promise<UserRecord | null> {
    await moment()
    return super.findByEmail(email)
  }

  override async createUser(username: string, extras?: UserExtras): Promise<UserRecord> {
    await moment()
    const user = await super.createUser(username, extras)
    this.created.add(user.id)
    this.log.push('create')
    return user
  }

  override async activateAccount(id: string): Promise<void> {
    await moment()
    this.log.push('activate')
    return super.activateAccount(id)
  }

  override async deleteUser(id: string): Promise<void> {
    await moment()
    this.created.delete(id)
    return super.deleteUser(id)
  }
}

class Identities extends MemoryFederatedIdentityStore {
  readonly log: string[]

  constructor(log: string[], clock: TestClock) {
    super({ clock })
    this.log = log
  }

  override async find(...args: Parameters<FederatedIdentityStore['find']>): ReturnType<FederatedIdentityStore['find']> {
    await moment()
    return super.find(...args)
  }

  override async link(...args: Parameters<FederatedIdentityStore['link']>): ReturnType<FederatedIdentityStore['link']> {
    await moment()
    const linked = await super.link(...args)
    this.log.push('link')
    return linked
  }
}

const moment = () => new Promise((resolve) => setImmediate(resolve))
const email = 'ada@x.example'
const profile: NormalizedProfile = { provider: 'alpha', subject: '7', email, emailVerified: true, raw: { token: 't' } }

let clock: TestClock
let users: Users
let federated: Identities

beforeEach(() => {
  clock = new TestClock()
  users = new Users()
  federated = new Identities(users.log, clock)
})

function service(policy: FederatedPolicy = {}): FederatedLoginService {
  return new FederatedLoginService({ users, federated, policy })
}

/** An active local account. */
async function local(username: string, extras: UserExtras): Promise<UserRecord> {
  const user = await users.createUser(username, extras)
  await users.activateAccount(user.id)
  users.created.clear()
  users.log.length = 0
  return user
}

async function expectCreated(outcome: unknown): Promise<UserRecord> {
  expect(users.created.size).toBe(1)
  const [userId] = users.created
  expect(outcome).toEqual({ kind: 'created', userId, isNew: true })
  return (await users.findById(userId!))!
}

describe('a known identity', () => {
  test('is linked, whatever the policy says about new users', async () => {
    await federated.link({ provider: 'alpha', subject: '7', userId: 'u1' })
    for (const policy of [{}, { allowSignup: false }, { emailMatch: 'create-separate' }] as const)
      expect(await service(policy).resolveUser(profile)).toEqual({ kind: 'linked', userId: 'u1', isNew: false })
  })

  test('takes precedence over an address that matches another account', async () => {
    await federated.link({ provider: 'alpha', subject: '7', userId: 'u1' })
    await local('ada', { email, emailVerified: true })
    const policy: FederatedPolicy = { emailMatch: 'auto-link-if-verified', trustEmailVerifiedFrom: ['alpha'] }
    expect(await service(policy).resolveUser(profile)).toMatchObject({ kind: 'linked', userId: 'u1' })
  })

  test('has its login and latest profile stored, but never raw', async () => {
    await federated.link({ provider: 'alpha', subject: '7', userId: 'u1', email: 'old@x.example' })
    clock.advance(60)
    await service().resolveUser({ ...profile, displayName: 'Ada' })
    const identity = await federated.find('alpha', '7')
    expect(identity).toMatchObject({ email, emailVerified: true, displayName: 'Ada', lastLoginAt: clock.time })
    expect(identity).not.toHaveProperty('raw')
  })

  test('of another provider with the same subject is another person', async () => {
    await federated.link({ provider: 'beta', subject: '7', userId: 'u1' })
    await expectCreated(await service().resolveUser(profile))
  })
})

describe('the stored address of an identity', () => {
  test.each([
    ['a new address without emailVerified is not verified', true, { email: 'new@x.example' }, 'new@x.example', false],
    ['a verification without an address is ignored', false, { emailVerified: true }, email, false],
    ['a verified address is verified', false, { email, emailVerified: true }, email, true],
  ])('%s', async (_name, before, update, keptEmail, keptVerified) => {
    await service().resolveUser({ ...profile, emailVerified: before })
    await service().resolveUser({ provider: 'alpha', subject: '7', raw: {}, ...update })
    expect(await federated.find('alpha', '7')).toMatchObject({ email: keptEmail, emailVerified: keptVerified })
  })
})

describe('an address that a local account has', () => {
  const trusting: FederatedPolicy = { emailMatch: 'auto-link-if-verified', trustEmailVerifiedFrom: ['alpha'] }

  test('require-interactive-link, the default: needs-link, and nothing is linked', async () => {
    const ada = await local('ada', { email, emailVerified: true })
    expect(await service().resolveUser(profile)).toEqual({ kind: 'needs-link', candidateUserId: ada.id })
    const policy = { trustEmailVerifiedFrom: ['alpha'] }
    expect(await service(policy).resolveUser(profile)).toEqual({ kind: 'needs-link', candidateUserId: ada.id })
    expect(await federated.find('alpha', '7')).toBeNull()
  })

  test('create-separate: ignores the match and creates a user', async () => {
    await local('ada', { email, emailVerified: true })
    const user = await expectCreated(await service({ emailMatch: 'create-separate' }).resolveUser(profile))
    expect(user).toMatchObject({ username: email, email })
  })

  test('auto-link-if-verified: links if both sides have verified the address', async () => {
    const ada = await local('ada', { email: 'ADA@x.example', emailVerified: true })
    expect(await service(trusting).resolveUser(profile)).toEqual({ kind: 'auto-linked', userId: ada.id, isNew: false })
    expect(await federated.find('alpha', '7')).toMatchObject({ userId: ada.id, email })
    expect(users.created.size).toBe(0)
    expect(await service(trusting).resolveUser(profile)).toMatchObject({ kind: 'linked', userId: ada.id })
  })

  const unproven: [name: string, profile: Partial<NormalizedProfile>, account: UserExtras, policy: FederatedPolicy][] =
    [
      ['the provider did not verify it', { emailVerified: false }, { emailVerified: true }, trusting],
      ['the provider says nothing of it', { emailVerified: undefined as never }, { emailVerified: true }, trusting],
      ['the provider is not trusted', {}, { emailVerified: true }, { ...trusting, trustEmailVerifiedFrom: ['beta'] }],
      ['nobody is trusted', {}, { emailVerified: true }, { emailMatch: 'auto-link-if-verified' }],
      ['the local account did not verify it', {}, { emailVerified: false }, trusting],
      ['the local account says nothing of it', {}, {}, trusting],
    ]
  test.each(unproven)('auto-link-if-verified: needs-link when %s', async (_name, claims, account, policy) => {
    const ada = await local('ada', { email, ...account })
    const outcome = await service(policy).resolveUser({ ...profile, ...claims })
    expect(outcome).toEqual({ kind: 'needs-link', candidateUserId: ada.id })
    expect(await federated.find('alpha', '7')).toBeNull()
  })

  test('is never auto-linked only because a user service returns a match', async () => {
    const eve = await local('eve', { email: 'eve@x.example', emailVerified: true })
    users.findByEmail = async () => ({ ...eve, active: true })
    expect(await service(trusting).resolveUser(profile)).toEqual({ kind: 'needs-link', candidateUserId: eve.id })
  })

  test('is never auto-linked to a user whose record shows no address', async () => {
    const { email: _, ...eve } = await local('eve', { email, emailVerified: true })
    users.findByEmail = async () => ({ ...eve, active: true })
    expect(await service(trusting).resolveUser(profile)).toEqual({ kind: 'needs-link', candidateUserId: eve.id })
    expect(await federated.find('alpha', '7')).toBeNull()
  })

  test('matches even if sign-up is off', async () => {
    const ada = await local('ada', { email })
    expect(await service({ allowSignup: false }).resolveUser(profile)).toMatchObject({ candidateUserId: ada.id })
  })

  test('matches an account that was never activated', async () => {
    const ada = await users.createUser('ada', { email })
    expect(await service().resolveUser(profile)).toEqual({ kind: 'needs-link', candidateUserId: ada.id })
  })

  test('does not match a user name that looks like the address', async () => {
    const eve = await local(email, { email: 'eve@x.example', emailVerified: true })
    for (const emailMatch of ['require-interactive-link', 'auto-link-if-verified'] as const) {
      const outcome = await service({ ...trusting, emailMatch }).resolveUser({ ...profile, subject: emailMatch })
      expect(outcome).toMatchObject({ kind: 'created' })
      expect(outcome).not.toMatchObject({ userId: eve.id })
      await federated.unlink('alpha', emailMatch)
      for (const id of users.created) await users.deleteUser(id)
    }
  })

  test('that somebody else registered without verification is never auto-linked later', async () => {
    const attacker = await service(trusting).resolveUser({ ...profile, subject: 'eve', emailVerified: false })
    expect(attacker).toMatchObject({ kind: 'created' })
    expect(await service(trusting).resolveUser(profile)).toMatchObject({ kind: 'needs-link' })
  })
})

describe('a new person', () => {
  test('becomes a user: create, link, activate', async () => {
    const user = await expectCreated(await service().resolveUser(profile))
    expect(user).toMatchObject({ username: email, email, emailVerified: false, active: true })
    expect(users.log).toEqual(['create', 'link', 'activate'])
    const identity = await federated.find('alpha', '7')
    expect(identity).toEqual({
      id: identity!.id,
      provider: 'alpha',
      subject: '7',
      userId: user.id,
      email,
      emailVerified: true,
      linkedAt: clock.time,
    })
  })

  test.each([
    [true, ['alpha'], true],
    [true, ['beta'], false],
    [false, ['alpha'], false],
    [undefined, ['alpha'], false],
  ])('with emailVerified %s and trust in %j has a verified address: %s', async (emailVerified, trust, expected) => {
    const claimed = { ...profile, emailVerified } as NormalizedProfile
    const user = await expectCreated(await service({ trustEmailVerifiedFrom: trust }).resolveUser(claimed))
    expect(user.emailVerified).toBe(expected)
  })

  test('without an address is named by provider and subject', async () => {
    const user = await expectCreated(await service().resolveUser({ provider: 'alpha', subject: '7', raw: {} }))
    expect(user).toEqual({ id: user.id, username: 'alpha:7', active: true })
  })

  test('is named by the strategy of the policy', async () => {
    const usernameStrategy = (it: NormalizedProfile) => `user-${it.subject}`
    const user = await expectCreated(await service({ usernameStrategy }).resolveUser(profile))
    expect(user.username).toBe('user-7')
  })

  test('whose name is taken is named by provider and subject', async () => {
    await local(email, {})
    const user = await expectCreated(await service().resolveUser(profile))
    expect(user).toMatchObject({ username: 'alpha:7', email, active: true })
  })

  test('whose names are both taken gets the conflict error, and no other account changes', async () => {
    await local(email, {})
    await local('alpha:7', {})
    await expect(service().resolveUser(profile)).rejects.toBeInstanceOf(UserConflictError)
    expect(users.created.size).toBe(0)
    expect(await federated.find('alpha', '7')).toBeNull()
  })

  test('is denied if sign-up is off', async () => {
    const outcome = await service({ allowSignup: false }).resolveUser(profile)
    expect(outcome).toEqual({ kind: 'denied', reason: 'signup-disabled' })
    expect(users.created.size).toBe(0)
  })

  const nameless: [name: string, strategy: () => string][] = [
    ['returns an empty name', () => ''],
    ['returns a blank name', () => '  '],
    ['returns no name', () => undefined as never],
    [
      'throws EMAIL_UNAVAILABLE',
      () => {
        throw new OAuthError('EMAIL_UNAVAILABLE')
      },
    ],
  ]
  test.each(nameless)('is denied if the strategy %s', async (_name, usernameStrategy) => {
    const outcome = await service({ usernameStrategy }).resolveUser(profile)
    expect(outcome).toEqual({ kind: 'denied', reason: 'email-unavailable' })
    expect(users.created.size).toBe(0)
  })

  test('gets any other error of the strategy unchanged', async () => {
    const usernameStrategy = () => {
      throw new OAuthError('PROVIDER_DENIED')
    }
    await expect(service({ usernameStrategy }).resolveUser(profile)).rejects.toMatchObject({ type: 'PROVIDER_DENIED' })
  })

  test.each([
    { provider: '', subject: '7' },
    { provider: 'alpha', subject: '' },
    { provider: 'alpha', subject: undefined as never },
  ])('with an incomplete key is refused: %j', async (key) => {
    expect((await failureOf(service().resolveUser({ ...key, raw: {} }))).type).toBe('INVALID_CONFIG')
  })
})

describe('concurrent first logins of one identity', () => {
  const everyPolicy: FederatedPolicy[] = [
    {},
    { emailMatch: 'create-separate' },
    { emailMatch: 'auto-link-if-verified', trustEmailVerifiedFrom: ['alpha'] },
    { usernameStrategy: () => 'the-same-for-all' },
  ]

  async function expectOneUser(outcomes: Awaited<ReturnType<FederatedLoginService['resolveUser']>>[]): Promise<void> {
    expect(users.created.size).toBe(1)
    const [userId] = users.created
    expect(outcomes.filter((it) => it.kind === 'created')).toEqual([{ kind: 'created', userId, isNew: true }])
    const others = outcomes.filter((it) => it.kind !== 'created')
    expect(others).toEqual(Array(outcomes.length - 1).fill({ kind: 'linked', userId, isNew: false }))
    expect(await federated.listForUser(userId!)).toHaveLength(1)
    expect((await users.findById(userId!))?.active).toBe(true)
  }

  test.each(everyPolicy)('50 in one process create one user and one identity: %j', async (policy) => {
    const logins = service(policy)
    await expectOneUser(await Promise.all(Array.from({ length: 50 }, () => logins.resolveUser(profile))))
  })

  test.each(everyPolicy)('50 in 50 processes create one user and one identity: %j', async (policy) => {
    await expectOneUser(await Promise.all(Array.from({ length: 50 }, () => service(policy).resolveUser(profile))))
  })

  test('50 different people become 50 users', async () => {
    const logins = service()
    const people = Array.from({ length: 50 }, (_, index) => ({ provider: 'alpha', subject: `${index}`, raw: {} }))
    const outcomes = await Promise.all(people.map((person) => logins.resolveUser(person)))
    expect(new Set(outcomes.map((it) => it.kind))).toEqual(new Set(['created']))
    expect(users.created.size).toBe(50)
  })

  test('a failed login does not block the next one', async () => {
    let failures = 1
    const usernameStrategy = () => {
      if (failures-- > 0) throw new Error('database is away')
      return 'ada'
    }
    const logins = service({ usernameStrategy })
    const [first, second] = await Promise.allSettled([logins.resolveUser(profile), logins.resolveUser(profile)])
    expect([first.status, second.status]).toEqual(['rejected', 'fulfilled'])
  })

  test.each(everyPolicy)(
    'a login that finds the unfinished user of another process waits for it: %j',
    async (policy) => {
      const rival = await users.createUser(policy.usernameStrategy?.(profile) ?? email, { email, emailVerified: true })
      users.created.clear()
      const linked = new Promise((resolve) => setTimeout(resolve, 5)).then(() =>
        federated.link({ provider: 'alpha', subject: '7', userId: rival.id }),
      )
      expect(await service(policy).resolveUser(profile)).toEqual({ kind: 'linked', userId: rival.id, isNew: false })
      expect(users.log.filter((it) => it === 'create')).toHaveLength(1)
      await linked
    },
  )

  test('a login that finds the account just after another process has linked it uses that account', async () => {
    const rival = await users.createUser(email, { email, emailVerified: true })
    users.created.clear()
    const findByEmail = users.findByEmail.bind(users)
    users.findByEmail = async (address) => {
      // The other process completes its last two steps between the lookups by identity and by address.
      await federated.link({ provider: 'alpha', subject: '7', userId: rival.id })
      await users.activateAccount(rival.id)
      return findByEmail(address)
    }
    expect(await service().resolveUser(profile)).toEqual({ kind: 'linked', userId: rival.id, isNew: false })
  })

  test('logins in one process wait for each other, however slow the store is', async () => {
    const link = federated.link.bind(federated)
    federated.link = async (identity) => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      return link(identity)
    }
    const logins = service()
    await expectOneUser(await Promise.all([logins.resolveUser(profile), logins.resolveUser(profile)]))
  })

  test('a login that loses the race to link removes its user and uses the winner’s', async () => {
    const link = federated.link.bind(federated)
    federated.link = async (identity) => {
      federated.link = link
      await link({ ...identity, userId: 'winner' })
      return link(identity)
    }
    expect(await service().resolveUser(profile)).toEqual({ kind: 'linked', userId: 'winner', isNew: false })
    expect(users.created.size).toBe(0)
  })

  test('an auto-link that loses the race uses the winner’s user', async () => {
    await local('ada', { email, emailVerified: true })
    const link = federated.link.bind(federated)
    federated.link = async (identity) => {
      await link({ ...identity, userId: 'winner' })
      return link(identity)
    }
    const policy: FederatedPolicy = { emailMatch: 'auto-link-if-verified', trustEmailVerifiedFrom: ['alpha'] }
    expect(await service(policy).resolveUser(profile)).toMatchObject({ kind: 'linked', userId: 'winner' })
  })

  test('a link that is resent after a lost response is not a race: the user stays', async () => {
    const link = federated.link.bind(federated)
    federated.link = async (identity) => {
      await link(identity)
      return link(identity)
    }
    const user = await expectCreated(await service().resolveUser(profile))
    expect(user.active).toBe(true)
    federated.link = link
    expect(await service().resolveUser(profile)).toMatchObject({ kind: 'linked', userId: user.id })
  })

  test('a user with another identity, linked meanwhile, is not removed', async () => {
    const link = federated.link.bind(federated)
    federated.link = async ({ userId }) => {
      await link({ provider: 'beta', subject: '9', userId })
      throw new Error('database is away')
    }
    await expect(service().resolveUser(profile)).rejects.toThrow('database is away')
    const identity = await federated.find('beta', '9')
    expect(await users.findById(identity!.userId)).not.toBeNull()
  })

  test('the identity of a concurrent login is not unlinked if activation fails', async () => {
    const link = federated.link.bind(federated)
    federated.link = async (identity) => {
      await link({ ...identity, userId: 'winner' })
      throw new Error('database is away')
    }
    await expect(service().resolveUser(profile)).rejects.toThrow('database is away')
    expect(await federated.find('alpha', '7')).toMatchObject({ userId: 'winner' })
  })

  test.each(everyPolicy)('20 in 5 processes with a slow store create one user: %j', async (policy) => {
    const link = federated.link.bind(federated)
    federated.link = async (identity) => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      return link(identity)
    }
    const processes = Array.from({ length: 5 }, () => service(policy))
    const logins = Array.from({ length: 20 }, (_, index) => processes[index % 5]!.resolveUser(profile))
    await expectOneUser(await Promise.all(logins))
  })

  test('a user service that creates user and identity in one step does only that, and a concurrent login is found', async () => {
    const taken = new Map<string, string>()
    const createLinkedUser: NonNullable<UserService['createLinkedUser']> = async (username, extras, identity) => {
      await moment()
      if (taken.has(identity.subject)) throw new UserConflictError()
      taken.set(identity.subject, username)
      const user = await MemoryUserService.prototype.createUser.call(users, username, extras)
      await MemoryUserService.prototype.activateAccount.call(users, user.id)
      await MemoryFederatedIdentityStore.prototype.link.call(federated, { ...identity, userId: user.id })
      return { ...user, active: true }
    }
    const linking = Object.assign(users, { createLinkedUser })
    const profile = { provider: 'p', subject: 's', email: 'ada@x.example', displayName: 'Ada', raw: {} }
    const services = Array.from({ length: 5 }, () => new FederatedLoginService({ users: linking, federated }))
    const outcomes = await Promise.all(services.map((it) => it.resolveUser(profile)))
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['created', 'linked', 'linked', 'linked', 'linked'])
    expect(users.log).not.toContain('create')
    expect(users.log).not.toContain('activate')
    expect(await federated.find('p', 's')).toMatchObject({ displayName: 'Ada', email: 'ada@x.example' })
  })

  test('a user service without deleteUser works', async () => {
    Object.defineProperty(users, 'deleteUser', { value: undefined })
    federated.link = async (identity) => {
      await MemoryFederatedIdentityStore.prototype.link.call(federated, { ...identity, userId: 'winner' })
      throw Object.assign(new Error('taken'), { type: 'ALREADY_EXISTS' })
    }
    expect(await service().resolveUser(profile)).toMatchObject({ kind: 'linked', userId: 'winner' })
  })
})

describe('a store that fails', () => {
  test('while linking leaves no user behind', async () => {
    federated.link = async () => {
      throw new Error('database is away')
    }
    await expect(service().resolveUser(profile)).rejects.toThrow('database is away')
    expect(users.created.size).toBe(0)
  })

  test('while activating leaves neither user nor identity behind, so that the next login works', async () => {
    const activate = users.activateAccount.bind(users)
    users.activateAccount = async () => {
      throw new Error('database is away')
    }
    await expect(service().resolveUser(profile)).rejects.toThrow('database is away')
    expect(users.created.size).toBe(0)
    expect(await federated.find('alpha', '7')).toBeNull()
    users.activateAccount = activate
    await expectCreated(await service().resolveUser(profile))
  })

  test('while creating throws its own error', async () => {
    users.createUser = async () => {
      throw new Error('database is away')
    }
    await expect(service().resolveUser(profile)).rejects.toThrow('database is away')
  })
})

describe('linkIdentity', () => {
  const key = { provider: 'alpha', subject: '7' }

  test('completes an interactive link, with the fields of the profile', async () => {
    const identity = await service().linkIdentity({ ...key, userId: 'u1', profile })
    expect(identity).toEqual({
      ...key,
      id: identity.id,
      userId: 'u1',
      email,
      emailVerified: true,
      linkedAt: clock.time,
    })
    expect(await service().resolveUser(profile)).toEqual({ kind: 'linked', userId: 'u1', isNew: false })
  })

  test('works without a profile', async () => {
    const identity = await service().linkIdentity({ ...key, userId: 'u1' })
    expect(identity).toEqual({ ...key, id: identity.id, userId: 'u1', linkedAt: clock.time })
  })

  test('of the same user again succeeds', async () => {
    const first = await service().linkIdentity({ ...key, userId: 'u1' })
    expect(await service().linkIdentity({ ...key, userId: 'u1', profile })).toEqual(first)
  })

  test('of another user’s identity is a conflict, and nothing changes', async () => {
    const first = await service().linkIdentity({ ...key, userId: 'u1' })
    const attempt = service().linkIdentity({ ...key, userId: 'eve', profile })
    await expect(attempt).rejects.toBeInstanceOf(IdentityConflictError)
    await expect(attempt).rejects.toMatchObject({ type: 'ALREADY_EXISTS' })
    expect(await federated.find('alpha', '7')).toEqual(first)
  })

  test('by two users at once succeeds for one', async () => {
    const results = await Promise.allSettled(['u1', 'u2'].map((userId) => service().linkIdentity({ ...key, userId })))
    expect(results.map((it) => it.status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('throws other errors of the store unchanged, and refuses empty keys', async () => {
    for (const wrong of [{ provider: '' }, { subject: '' }, { userId: '' }])
      expect((await failureOf(service().linkIdentity({ ...key, userId: 'u1', ...wrong }))).type).toBe('INVALID_CONFIG')
    federated.link = async () => {
      throw new Error('database is away')
    }
    await expect(service().linkIdentity({ ...key, userId: 'u1' })).rejects.toThrow('database is away')
  })
})

test('the service exposes its policy with defaults', () => {
  expect(service({ allowSignup: false }).policy).toMatchObject({
    allowSignup: false,
    emailMatch: 'require-interactive-link',
  })
})

describe('the dependencies of the service', () => {
  const methods = {
    users: ['findByEmail', 'findById', 'createUser', 'activateAccount'],
    federated: ['find', 'listForUser', 'link', 'unlink', 'touchLogin', 'deleteAllForUser'],
  }

  test('must have every required method; the error names the missing one', async () => {
    for (const [dep, names] of Object.entries(methods)) {
      for (const name of names) {
        const stores = { users: new MemoryUserService(), federated: new MemoryFederatedIdentityStore() }
        Object.assign(stores[dep as keyof typeof stores], { [name]: undefined })
        const error = await failureOf(() => new FederatedLoginService(stores))
        expect(error).toMatchObject({
          type: 'INVALID_CONFIG',
          message: `\`${dep}\` must be an object with a method ${name}(), got an object`,
        })
      }
    }
  })

  test('are required', async () => {
    for (const deps of [undefined, {}, { users }, { federated }, { users: null, federated }])
      expect((await failureOf(() => new FederatedLoginService(deps as never))).type).toBe('INVALID_CONFIG')
    const withName = { users: Object.assign(new MemoryUserService(), { deleteUser: 'no' as never }), federated }
    expect((await failureOf(() => new FederatedLoginService(withName))).message).toBe(
      '`users` must be an object with a method deleteUser(), got an object',
    )
  })
})

test('a strategy that returns a promise is INVALID_CONFIG, and its rejection is handled', async () => {
  const strategies = [async () => 'ada', () => Promise.reject(new Error('later'))]
  for (const strategy of strategies) {
    const error = await failureOf(service({ usernameStrategy: strategy as never }).resolveUser(profile))
    expect(error).toMatchObject({
      type: 'INVALID_CONFIG',
      message: expect.stringContaining('usernameStrategy') as string,
    })
  }
  expect(users.created.size).toBe(0)
})

test('linking with the profile of another person is INVALID_CONFIG, and nothing is linked', async () => {
  const { id: userId } = await users.createUser('ada')
  for (const wrong of [{ subject: '8' }, { provider: 'beta' }]) {
    const args = { provider: 'alpha', subject: '7', userId, profile: { ...profile, ...wrong } }
    expect((await failureOf(service().linkIdentity(args))).type).toBe('INVALID_CONFIG')
  }
  expect(await federated.listForUser(userId)).toEqual([])
})
