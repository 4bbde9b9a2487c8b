import { checkObject, checkOptionalFunction, checkOptionalTexts, invalidConfig } from './check-options.ts'
import { printable } from './errors.ts'
import type { Filled } from './filled.ts'
import type { NormalizedProfile } from './provider.ts'

const options = [
  'emailMatch',
  'allowSignup',
  'usernameStrategy',
  'trustEmailVerifiedFrom',
] as const satisfies readonly (keyof FederatedPolicy)[]
const emailMatches = ['create-separate', 'auto-link-if-verified', 'require-interactive-link'] as const

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
  emailMatch?: 'create-separate' | 'auto-link-if-verified' | 'require-interactive-link' | undefined
  /** Whether an unknown person becomes a new user. Default true. */
  allowSignup?: boolean | undefined
  /** Names a new user, at once: one that returns a promise is `INVALID_CONFIG`. Default `defaultUsernameStrategy`. */
  usernameStrategy?: ((profile: NormalizedProfile) => string) | undefined
  /** Ids of the providers whose word on a verified address is taken. Default none. */
  trustEmailVerifiedFrom?: string[] | undefined
}

/** A policy with every field filled in. */
export type ResolvedFederatedPolicy = Filled<FederatedPolicy>

/** The address when there is one, otherwise `<provider>:<subject>`. */
export function defaultUsernameStrategy(profile: NormalizedProfile): string {
  return profile.email || `${profile.provider}:${profile.subject}`
}

/** Fills in the defaults of a policy. */
export function resolveFederatedPolicy(policy: FederatedPolicy = {}): ResolvedFederatedPolicy {
  checkObject(policy, 'policy')
  for (const name of Object.keys(policy))
    if (!(options as readonly string[]).includes(name))
      throw invalidConfig(`policy has no option ${printable(name, 40)}; there are ${options.join(', ')}`)
  const {
    emailMatch = 'require-interactive-link',
    allowSignup = true,
    usernameStrategy = defaultUsernameStrategy,
    trustEmailVerifiedFrom = [],
  } = policy
  if (!emailMatches.includes(emailMatch)) throw invalidConfig(`emailMatch must be one of ${emailMatches.join(', ')}`)
  if (typeof allowSignup !== 'boolean') throw invalidConfig('allowSignup must be true or false')
  checkOptionalFunction(usernameStrategy, 'usernameStrategy')
  checkOptionalTexts(trustEmailVerifiedFrom, 'trustEmailVerifiedFrom')
  return { emailMatch, allowSignup, usernameStrategy, trustEmailVerifiedFrom: [...trustEmailVerifiedFrom] }
}
