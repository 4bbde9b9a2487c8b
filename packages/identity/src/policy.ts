import { checkOptions } from './check-options.ts'
import type { Filled } from './filled.ts'
import type { NormalizedProfile } from './provider.ts'
import { anyFunction, listOfStrings, oneOf, trueOrFalse } from './shared/option-checks.ts'
import type { OptionRules } from './shared/options.ts'

const policyRules: OptionRules<FederatedPolicy> = {
  emailMatch: oneOf('create-separate', 'auto-link-if-verified', 'require-interactive-link'),
  allowSignup: trueOrFalse,
  usernameStrategy: anyFunction,
  trustEmailVerifiedFrom: listOfStrings,
}

/** How a profile meets the accounts that are there already. */
export interface FederatedPolicy {
  /**
   * What happens when a local account has the profile's address. Default `'require-interactive-link'`.
   *
   * - `'create-separate'`: the match is ignored and a new user made.
   * - `'auto-link-if-verified'`: linked at once if the address is verified by a trusted provider and verified locally
   *   too; otherwise as below.
   * - `'require-interactive-link'`: the outcome is `needs-link`: the person signs in to the local account first.
   */
  readonly emailMatch?: 'create-separate' | 'auto-link-if-verified' | 'require-interactive-link' | undefined
  /** Whether an unknown person becomes a new user. Default true. */
  readonly allowSignup?: boolean | undefined
  /** Names a new user, at once: one that returns a promise is `INVALID_CONFIG`. Default `defaultUsernameStrategy`. */
  readonly usernameStrategy?: ((profile: NormalizedProfile) => string) | undefined
  /** Ids of the providers whose word on a verified address is taken. Default none. */
  readonly trustEmailVerifiedFrom?: string[] | undefined
}

/** A policy with every field filled in. */
export type ResolvedFederatedPolicy = Filled<FederatedPolicy>

/** The address when there is one, otherwise `<provider>:<subject>`. */
export function defaultUsernameStrategy(profile: NormalizedProfile): string {
  return profile.email || `${profile.provider}:${profile.subject}`
}

/** Fills in the defaults of a policy. */
export function resolveFederatedPolicy(policy: FederatedPolicy = {}): ResolvedFederatedPolicy {
  checkOptions(policy, policyRules, { path: 'policy' })
  const {
    emailMatch = 'require-interactive-link',
    allowSignup = true,
    usernameStrategy = defaultUsernameStrategy,
    trustEmailVerifiedFrom = [],
  } = policy
  return { emailMatch, allowSignup, usernameStrategy, trustEmailVerifiedFrom: [...trustEmailVerifiedFrom] }
}
