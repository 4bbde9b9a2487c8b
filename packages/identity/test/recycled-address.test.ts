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

function person(provider: string, subject: string, claims: Partial<NormalizedProfile> = {}): NormalizedProfile {
  return { provider, subject, email, emailVerified: true, raw: {}, ...claims }
}

async function signIn(profile: NormalizedProfile, policy = trusting): Promise<string> {
  const outcome = await service(policy).resolveUser(profile)
  if (!('userId' in outcome)) throw new Error(`nobody is signed in: ${outcome.kind}`)
  return outcome.userId
}

describe('an address that a provider has reassigned to another person', () => {
  test('is not linked to an account with another subject of the same provider', async () => {
    const alice = await signIn(person('alpha', 'alice'))
    const outcome = await service().resolveUser(person('alpha', 'bob'))
    expect(outcome).toEqual({ kind: 'needs-link', candidateUserId: alice })
    expect(await federated.find('alpha', 'bob')).toBeNull()
    // An identity of another provider may belong to the same person.
    expect(await service().resolveUser(person('beta', 'a-1'))).toMatchObject({ kind: 'auto-linked', userId: alice })
    expect(await service().resolveUser(person('beta', 'a-2'))).toMatchObject({ kind: 'needs-link' })
  })

  test('is free after its owner has signed in with another one', async () => {
    const alice = await signIn(person('alpha', 'alice'))
    await signIn(person('alpha', 'alice', { email: 'alice.smith@corp.example' }))
    expect(await service().resolveUser(person('alpha', 'bob'))).toMatchObject({ kind: 'created' })
    expect(await users.findById(alice)).toMatchObject({ email: 'alice.smith@corp.example', emailVerified: true })
  })

  test('links neither of two subjects that sign in at the same time', async () => {
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
  test('takes over its address and name', async () => {
    const id = await signIn(person('alpha', 'ada', { displayName: 'Ada Maiden' }))
    const claims = { email: 'ada@new.example', displayName: 'Ada Married' }
    expect(await service().resolveUser(person('alpha', 'ada', claims))).toEqual({
      kind: 'linked',
      userId: id,
      isNew: false,
      changes: [{ userId: id, fields: ['email', 'displayName'] }],
    })
    expect(await users.findById(id)).toMatchObject({ ...claims, emailVerified: true })
    expect(await service().resolveUser(person('alpha', 'ada', claims))).toEqual({
      kind: 'linked',
      userId: id,
      isNew: false,
    })
  })

  test.each([
    ['is confirmed if it was not', { emailVerified: false }, { emailVerified: true }, true],
    ['is no longer confirmed if the provider withdraws it', {}, { emailVerified: false }, false],
    ['stays confirmed if the provider does not mention it', {}, { emailVerified: undefined }, true],
    ['is not confirmed with another, unconfirmed address', {}, { email: 'x@x.example', emailVerified: false }, false],
  ] as [string, Partial<NormalizedProfile>, Partial<NormalizedProfile>, boolean][])(
    '%s',
    async (_name, before, after, expected) => {
      const id = await signIn(person('alpha', 'ada', before))
      await signIn(person('alpha', 'ada', after))
      expect(await users.findById(id)).toMatchObject({ email: after.email ?? email, emailVerified: expected })
    },
  )

  test('ignores an identity that its address did not come from', async () => {
    const id = await signIn(person('alpha', 'ada', { displayName: 'Ada' }))
    await service().linkIdentity({ provider: 'beta', subject: 'b', userId: id })
    await signIn(person('beta', 'b', { email: 'other@x.example', displayName: 'Somebody' }))
    expect(await users.findById(id)).toMatchObject({ email, emailVerified: true })
    expect((await users.findById(id))?.displayName).not.toBe('Somebody')
  })

  test('is confirmed by any of its identities with the same address from a trusted provider', async () => {
    const policy: FederatedPolicy = { ...trusting, trustEmailVerifiedFrom: ['beta'] }
    const id = await signIn(person('alpha', 'ada'), policy)
    await service(policy).linkIdentity({ provider: 'beta', subject: 'b', userId: id })
    await signIn(person('beta', 'b'), policy)
    expect(await users.findById(id)).toMatchObject({ email, emailVerified: true })
    // From now on, the address comes from the identity that confirms it.
    await signIn(person('alpha', 'ada', { email: 'unsaid@x.example', emailVerified: false }), policy)
    expect(await users.findById(id)).toMatchObject({ email, emailVerified: true })
  })

  test('stays unchanged if the store cannot update it', async () => {
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

  async function two(otherProvider: string, claims: Partial<NormalizedProfile> = {}) {
    const other = await signIn(person(otherProvider, 'other', { email: taken, ...claims }))
    return { other, own: await signIn(person('alpha', 'ada')) }
  }

  test('moves if the same provider confirms it for the other account', async () => {
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

  test('is not confirmed for a second account if two providers disagree', async () => {
    const { other, own } = await two('beta')
    await signIn(person('alpha', 'ada', { email: taken }))
    expect(await users.findById(other)).toMatchObject({ email: taken, emailVerified: true })
    expect(await users.findById(own)).toMatchObject({ email: taken, emailVerified: false })
    expect((await users.findByEmail(taken))?.id).toBe(other)
  })

  test('is taken over if nobody has confirmed it for the other account', async () => {
    const { other, own } = await two('alpha', { emailVerified: false })
    await signIn(person('alpha', 'ada', { email: taken }))
    expect((await users.findByEmail(taken))?.id).toBe(own)
    expect(await users.findById(other)).toMatchObject({ email: taken, emailVerified: false })
  })

  test('is not taken over without confirmation, and the old address is no longer confirmed', async () => {
    const { own } = await two('alpha', { emailVerified: false })
    await signIn(person('alpha', 'ada', { email: taken, emailVerified: false }))
    expect(await users.findById(own)).toMatchObject({ email, emailVerified: false })
    // Once it is confirmed, the account takes it over.
    await signIn(person('alpha', 'ada', { email: taken }))
    expect(await users.findById(own)).toMatchObject({ email: taken, emailVerified: true })
  })
})

describe('a provisioned account', () => {
  test.each([
    ['by default', {}],
    ['without sign-up', { allowSignup: false }],
    ['with separate accounts', { emailMatch: 'create-separate' }],
  ] as const)('belongs to the first sign-in with its address (%s)', async (_name, rest) => {
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

  test('is not linked without a confirmed address, nor to a second person', async () => {
    const policy: FederatedPolicy = { trustEmailVerifiedFrom: ['alpha'] }
    const user = await users.createUser('ada', { email, provisioned: true })
    for (const profile of [person('alpha', 'x', { emailVerified: false }), person('gamma', 'x')])
      expect(await service(policy).resolveUser(profile)).toEqual({ kind: 'needs-link', candidateUserId: user.id })
    await signIn(person('alpha', 'ada'), policy)
    expect(await service(policy).resolveUser(person('alpha', 'eve'))).toMatchObject({ kind: 'needs-link' })
  })
})

describe('a profile of a custom provider', () => {
  test.each([
    ['email', 7],
    ['email', `${'x'.repeat(513)}@x.example`],
    ['displayName', { name: 'Ada' }],
    ['subject', 's'.repeat(256)],
  ])('is refused if its %s is not a string or too long', async (field, value) => {
    const broken = { ...person('alpha', 'ada'), [field]: value } as NormalizedProfile
    const failure = await failureOf(service().resolveUser(broken))
    expect([failure.type, failure.details]).toEqual(['EXCHANGE_FAILED', { provider: 'alpha', field }])
    expect(await users.findByEmail(email)).toBeNull()
  })
})
