import {
  defaultUsernameStrategy,
  FederatedLoginService,
  type FederatedPolicy,
  MemoryFederatedIdentityStore,
  MemoryUserService,
  type ResolvedFederatedPolicy,
  resolveFederatedPolicy,
} from '@portico/identity'
import { expect, test } from 'vitest'
import { failureOf } from './support/failure.ts'
import { wrongStrings } from './support/options.ts'

test('a policy has defaults for everything', () => {
  const defaults = {
    emailMatch: 'require-interactive-link',
    allowSignup: true,
    usernameStrategy: defaultUsernameStrategy,
    trustEmailVerifiedFrom: [],
  }
  expect(resolveFederatedPolicy()).toEqual(defaults)
  expect(resolveFederatedPolicy({})).toEqual(defaults)
})

test('a policy keeps the given values', () => {
  const policy: ResolvedFederatedPolicy = {
    emailMatch: 'auto-link-if-verified',
    allowSignup: false,
    usernameStrategy: () => 'x',
    trustEmailVerifiedFrom: ['alpha'],
  }
  const resolved = resolveFederatedPolicy(policy)
  expect(resolved).toEqual(policy)
  policy.trustEmailVerifiedFrom.push('beta')
  expect(resolved.trustEmailVerifiedFrom).toEqual(['alpha'])
})

test('a wrong policy is INVALID_CONFIG, wherever it is passed', async () => {
  const wrong: Record<string, readonly unknown[]> = {
    emailMatch: ['link', null, true],
    allowSignup: ['yes', null],
    usernameStrategy: ['email', null],
    trustEmailVerifiedFrom: wrongStrings,
  }
  const stores = { users: new MemoryUserService(), federated: new MemoryFederatedIdentityStore() }
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      const policy = { [name]: value } as FederatedPolicy
      expect((await failureOf(() => resolveFederatedPolicy(policy))).message).toContain(name)
      expect((await failureOf(() => new FederatedLoginService({ ...stores, policy }))).type).toBe('INVALID_CONFIG')
    }
  }
})

test('an unknown option of a policy is INVALID_CONFIG: a misspelled one would silently loosen it', async () => {
  for (const name of ['allowSignUp', 'emailmatch', 'trustEmailVerified']) {
    const error = await failureOf(() => resolveFederatedPolicy({ [name]: undefined } as FederatedPolicy))
    expect(error.type).toBe('INVALID_CONFIG')
    expect(error.message).toContain(`unknown option \`policy.${name}\`; did you mean`)
  }
})

test('the default name is the address, otherwise provider and subject', () => {
  const profile = { provider: 'alpha', subject: '7', raw: {} }
  expect(defaultUsernameStrategy({ ...profile, email: 'ada@x.example' })).toBe('ada@x.example')
  expect(defaultUsernameStrategy(profile)).toBe('alpha:7')
  expect(defaultUsernameStrategy({ ...profile, email: '' })).toBe('alpha:7')
})
