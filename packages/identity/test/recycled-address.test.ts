import {
  FederatedLoginService,
  type FederatedPolicy,
  MemoryFederatedIdentityStore,
  MemoryUserService,
  type NormalizedProfile,
  type UserService,
} from '@portico/identity'
import { beforeEach, describe, expect, test } from 'vitest'
import { failureOf } from './support/failure.ts'

const trusting: FederatedPolicy = { emailMatch: 'auto-link-if-verified', trustEmailVerifiedFrom: ['alpha', 'beta'] }
const email = 'alice@corp.example'

let users: MemoryUserService
let federated: MemoryFederatedIdentityStore

beforeEach(() => {
  users = new MemoryUserService()
  federated = new MemoryFederatedIdentityStore()
})

function service(policy: FederatedPolicy = trusting): FederatedLoginService {
  return new FederatedLoginService({ users, federated, policy })
}

function person(provider: string, subject: string, said: Partial<NormalizedProfile> = {}): NormalizedProfile {
  return { provider, subject, email, emailVerified: true, raw: {}, ...said }
}

async function signIn(profile: NormalizedProfile, policy = trusting): Promise<string> {
  const outcome = await service(policy).resolveUser(profile)
  if (!('userId' in outcome)) throw new Error(`nobody is signed in: ${outcome.kind}`)
  return outcome.userId
}

describe('an address that a provider has given to somebody else', () => {
  test('is not linked to the account that has another subject of the same provider', async () => {
    const alice = await signIn(person('alpha', 'alice'))
    const outcome = await service().resolveUser(person('alpha', 'bob'))
    expect(outcome).toEqual({ kind: 'needs-link', candidateUserId: alice })
    expect(await federated.find('alpha', 'bob')).toBeNull()
    // Another provider says nothing against its being the same person.
    expect(await service().resolveUser(person('beta', 'a-1'))).toMatchObject({ kind: 'auto-linked', userId: alice })
    expect(await service().resolveUser(person('beta', 'a-2'))).toMatchObject({ kind: 'needs-link' })
  })

  test('is free once its owner has come back with another one', async () => {
    const alice = await signIn(person('alpha', 'alice'))
    await signIn(person('alpha', 'alice', { email: 'alice.smith@corp.example' }))
    expect(await service().resolveUser(person('alpha', 'bob'))).toMatchObject({ kind: 'created' })
    expect(await users.findById(alice)).toMatchObject({ email: 'alice.smith@corp.example', emailVerified: true })
  })

  test('links neither of two subjects that come together', async () => {
    const user = await users.createUser('alice', { email, emailVerified: true })
    await users.activateAccount(user.id)
    const outcomes = await Promise.all(
      ['bob', 'carol'].map((subject) => service().resolveUser(person('alpha', subject))),
    )
    expect(outcomes.filter(({ kind }) => kind === 'auto-linked').length).toBeLessThanOrEqual(1)
    expect((await federated.listForUser(user.id)).length).toBeLessThanOrEqual(1)
  })
})

describe('the account of an identity that signs in', () => {
  test('follows its address and name', async () => {
    const id = await signIn(person('alpha', 'ada', { displayName: 'Ada Maiden' }))
    const said = { email: 'ada@new.example', displayName: 'Ada Married' }
    expect(await service().resolveUser(person('alpha', 'ada', said))).toEqual({
      kind: 'linked',
      userId: id,
      isNew: false,
      changes: [{ userId: id, fields: ['email', 'displayName'] }],
    })
    expect(await users.findById(id)).toMatchObject({ ...said, emailVerified: true })
    expect(await service().resolveUser(person('alpha', 'ada', said))).toEqual({
      kind: 'linked',
      userId: id,
      isNew: false,
    })
  })

  test.each([
    ['is confirmed where it was not', { emailVerified: false }, { emailVerified: true }, true],
    ['is no longer confirmed where the provider takes it back', {}, { emailVerified: false }, false],
    ['stays confirmed where the provider says nothing of it', {}, { emailVerified: undefined }, true],
    ['is not confirmed with another, unconfirmed address', {}, { email: 'x@x.example', emailVerified: false }, false],
  ] as [string, Partial<NormalizedProfile>, Partial<NormalizedProfile>, boolean][])(
    '%s',
    async (_name, before, after, expected) => {
      const id = await signIn(person('alpha', 'ada', before))
      await signIn(person('alpha', 'ada', after))
      expect(await users.findById(id)).toMatchObject({ email: after.email ?? email, emailVerified: expected })
    },
  )

  test('does not follow an identity that its address did not come from', async () => {
    const id = await signIn(person('alpha', 'ada', { displayName: 'Ada' }))
    await service().linkIdentity({ provider: 'beta', subject: 'b', userId: id })
    await signIn(person('beta', 'b', { email: 'other@x.example', displayName: 'Somebody' }))
    expect(await users.findById(id)).toMatchObject({ email, emailVerified: true })
    expect((await users.findById(id))?.displayName).not.toBe('Somebody')
  })

  test('is confirmed by any of its identities that a trusted provider confirms the same address of', async () => {
    const policy: FederatedPolicy = { ...trusting, trustEmailVerifiedFrom: ['beta'] }
    const id = await signIn(person('alpha', 'ada'), policy)
    await service(policy).linkIdentity({ provider: 'beta', subject: 'b', userId: id })
    await signIn(person('beta', 'b'), policy)
    expect(await users.findById(id)).toMatchObject({ email, emailVerified: true })
    // From now on the one that confirms it is the one it came from.
    await signIn(person('alpha', 'ada', { email: 'unsaid@x.example', emailVerified: false }), policy)
    expect(await users.findById(id)).toMatchObject({ email, emailVerified: true })
  })

  test('stays as it is where the store cannot change it', async () => {
    const methods: UserService = {
      findByEmail: (it) => users.findByEmail(it),
      findById: (id) => users.findById(id),
      createUser: (name, extras) => users.createUser(name, extras),
      activateAccount: (id) => users.activateAccount(id),
    }
    const logins = new FederatedLoginService({ users: methods, federated, policy: trusting })
    const outcome = await logins.resolveUser(person('alpha', 'ada'))
    const again = await logins.resolveUser(person('alpha', 'ada', { email: 'new@x.example' }))
    expect(again).toEqual({ kind: 'linked', userId: (outcome as { userId: string }).userId, isNew: false })
  })
})

describe('an address that another account has', () => {
  const taken = 'taken@x.example'

  async function two(otherProvider: string, said: Partial<NormalizedProfile> = {}) {
    const other = await signIn(person(otherProvider, 'other', { email: taken, ...said }))
    return { other, own: await signIn(person('alpha', 'ada')) }
  }

  test('goes over with the newer word of the same provider', async () => {
    const { other, own } = await two('alpha')
    const outcome = await service().resolveUser(person('alpha', 'ada', { email: taken }))
    expect(outcome).toMatchObject({
      changes: [
        { userId: other, fields: ['emailVerified'] },
        { userId: own, fields: ['email'] },
      ],
    })
    expect(await users.findById(other)).toMatchObject({ email: taken, emailVerified: false })
    expect(await users.findById(own)).toMatchObject({ email: taken, emailVerified: true })
  })

  test('is not confirmed of a second one where two providers differ', async () => {
    const { other, own } = await two('beta')
    await signIn(person('alpha', 'ada', { email: taken }))
    expect(await users.findById(other)).toMatchObject({ email: taken, emailVerified: true })
    expect(await users.findById(own)).toMatchObject({ email: taken, emailVerified: false })
    expect((await users.findByEmail(taken))?.id).toBe(other)
  })

  test('is taken over where nobody has confirmed it of the other', async () => {
    const { other, own } = await two('alpha', { emailVerified: false })
    await signIn(person('alpha', 'ada', { email: taken }))
    expect((await users.findByEmail(taken))?.id).toBe(own)
    expect(await users.findById(other)).toMatchObject({ email: taken, emailVerified: false })
  })

  test('is not taken over on an unconfirmed word, and the old one is not vouched for any more', async () => {
    const { own } = await two('alpha', { emailVerified: false })
    await signIn(person('alpha', 'ada', { email: taken, emailVerified: false }))
    expect(await users.findById(own)).toMatchObject({ email, emailVerified: false })
    // Once it is confirmed, the account follows after all.
    await signIn(person('alpha', 'ada', { email: taken }))
    expect(await users.findById(own)).toMatchObject({ email: taken, emailVerified: true })
  })
})

describe('an account that was made for somebody', () => {
  test.each([
    ['by default', {}],
    ['without sign-up', { allowSignup: false }],
    ['where accounts are kept apart', { emailMatch: 'create-separate' }],
  ] as const)('is theirs with the first sign-in, at once (%s)', async (_name, rest) => {
    const policy: FederatedPolicy = { trustEmailVerifiedFrom: ['alpha'], ...rest }
    const user = await users.createUser('ada', { email, provisioned: true })
    let reads = 0
    const find = users.findByEmail.bind(users)
    users.findByEmail = (it) => {
      reads += 1
      return find(it)
    }
    expect(await signIn(person('alpha', 'ada'), policy)).toBe(user.id)
    expect(reads).toBe(1)
    expect(await users.findById(user.id)).toMatchObject({ active: true, emailVerified: true })
    expect(await users.findById(user.id)).not.toHaveProperty('provisioned')
  })

  test('is not theirs without a confirmed address, and once it is somebody’s, it is not given again', async () => {
    const policy: FederatedPolicy = { trustEmailVerifiedFrom: ['alpha'] }
    const user = await users.createUser('ada', { email, provisioned: true })
    for (const profile of [person('alpha', 'x', { emailVerified: false }), person('gamma', 'x')])
      expect(await service(policy).resolveUser(profile)).toEqual({ kind: 'needs-link', candidateUserId: user.id })
    await signIn(person('alpha', 'ada'), policy)
    expect(await service(policy).resolveUser(person('alpha', 'eve'))).toMatchObject({ kind: 'needs-link' })
  })
})

describe('a profile of a provider of one’s own', () => {
  test.each([
    ['email', 7],
    ['email', `${'x'.repeat(513)}@x.example`],
    ['displayName', { name: 'Ada' }],
    ['subject', 's'.repeat(256)],
  ])('is refused as the provider’s mistake where its %s is no text of a fit length', async (field, value) => {
    const broken = { ...person('alpha', 'ada'), [field]: value } as NormalizedProfile
    const failure = await failureOf(service().resolveUser(broken))
    expect([failure.type, failure.details]).toEqual(['EXCHANGE_FAILED', { provider: 'alpha', field }])
    expect(await users.findByEmail(email)).toBeNull()
  })
})
