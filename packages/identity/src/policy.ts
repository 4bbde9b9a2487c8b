import { checkKnownOptions } from './check-options.ts'
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

/** Decides how a profile relates to existing accounts. */
export interface FederatedPolicy {
  /**
   * The reaction to a local account with the profile's address. Default `'require-interactive-link'`.
   *
   * - `'create-separate'`: ignores the match and creates a new user.
   * - `'auto-link-if-verified'`: links the identity if a trusted provider has verified the address and it is verified
   *   locally too. Otherwise the outcome is `needs-link`.
   * - `'require-interactive-link'`: the outcome is `needs-link`. The person signs in to the local account first.
   */
  readonly emailMatch?: 'create-separate' | 'auto-link-if-verified' | 'require-interactive-link' | undefined
  /** Creates a user for an unknown person. Default true. */
  readonly allowSignup?: boolean | undefined
  /** Returns the name of a new user. A promise is `INVALID_CONFIG`. Default `defaultUsernameStrategy`. */
  readonly usernameStrategy?: ((profile: NormalizedProfile) => string) | undefined
  /** Ids of the providers whose `emailVerified` is trusted. Default none. */
  readonly trustEmailVerifiedFrom?: string[] | undefined
}

/** A policy with all defaults. */
export type ResolvedFederatedPolicy = Filled<FederatedPolicy>

/** The address, or `<provider>:<subject>` if there is none. */
export function defaultUsernameStrategy(profile: NormalizedProfile): string {
  return profile.email || `${profile.provider}:${profile.subject}`
}

/** Fills in the defaults of a policy. */
export function resolveFederatedPolicy(policy: FederatedPolicy = {}): ResolvedFederatedPolicy {
  checkKnownOptions(policy, policyRules, 'policy')
  const {
    emailMatch = 'require-interactive-link',
    allowSignup = true,
    usernameStrategy = defaultUsernameStrategy,
    trustEmailVerifiedFrom = [],
  } = policy
  return { emailMatch, allowSignup, usernameStrategy, trustEmailVerifiedFrom: [...trustEmailVerifiedFrom] }
}
