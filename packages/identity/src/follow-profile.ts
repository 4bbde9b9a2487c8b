import type { ResolvedFederatedPolicy } from './policy.ts'
import type { NormalizedProfile } from './provider.ts'
import {
  type FederatedIdentity,
  type FederatedIdentityStore,
  foldEmail,
  type UserProfileChanges,
  type UserRecord,
  type UserService,
} from './stores.ts'

/** An account that was updated from a provider's profile. */
export interface AccountChange {
  userId: string
  /** The fields that changed. */
  fields: (keyof UserProfileChanges)[]
}

export interface FollowDeps {
  users: UserService
  federated: FederatedIdentityStore
  policy: ResolvedFederatedPolicy
}

/** Two missing addresses are not the same. */
export function isSameEmail(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && foldEmail(a) === foldEmail(b)
}

export function isEmailTrusted({ trustEmailVerifiedFrom }: ResolvedFederatedPolicy, profile: EmailStatement): boolean {
  return profile.emailVerified === true && trustEmailVerifiedFrom.includes(profile.provider)
}

type EmailStatement = Pick<NormalizedProfile, 'provider' | 'email' | 'emailVerified'>

/**
 * Updates an account from the identity that signs in, if the account's address came from it. `before` is the identity as it
 * was stored before this login. Does nothing if the store has no `updateProfile`.
 */
export async function followProfile(
  deps: FollowDeps,
  profile: NormalizedProfile,
  before: FederatedIdentity,
): Promise<AccountChange[]> {
  const user = deps.users.updateProfile && (await deps.users.findById(before.userId))
  if (!user) return []
  const identities = await listInOrder(deps, user)
  const isTrusted = isEmailTrusted(deps.policy, profile)
  const source = sourceOf(deps.policy, user, identities)
  const isSource = isSameIdentity(source, before)
  const { changes, superseded } = mayTakeEmail({ profile, user, isTrusted, isSource, hasSource: source !== undefined })
    ? await changeEmail(deps, profile, user, isTrusted)
    : { changes: {}, superseded: undefined }
  // The name comes from the same identity as the address. If no identity has the address, it comes from the first one.
  if (isSource || (!source && isSameIdentity(identities[0], before)))
    changes.displayName = newNameOf(profile, user, before)
  const withdrawn = superseded ? await update(deps, superseded, { emailVerified: false }) : []
  // The store may keep what the other person has set. Then only that account has the address confirmed, not both.
  if (superseded && withdrawn.length === 0) changes.emailVerified = false
  return [...withdrawn, ...(await update(deps, user, changes))]
}

/**
 * The identity that the account's address came from: one whose last profile had this address. A confirmed address came from
 * an identity that confirms it. Among several, it is the one that was linked first.
 */
function sourceOf(
  policy: ResolvedFederatedPolicy,
  user: UserRecord,
  identities: readonly FederatedIdentity[],
): FederatedIdentity | undefined {
  const having = identities.filter(({ email }) => isSameEmail(email, user.email))
  const confirming = user.emailVerified ? having.find((it) => isEmailTrusted(policy, it)) : undefined
  return confirming ?? having[0]
}

interface EmailDecision {
  profile: NormalizedProfile
  user: UserRecord
  isTrusted: boolean
  isSource: boolean
  hasSource: boolean
}

/**
 * An account takes the address of a profile if its own came from this identity, or if it has none. A trusted provider may
 * also replace an unconfirmed address, if it is the same or if no identity has it any more.
 */
function mayTakeEmail({ profile, user, isTrusted, isSource, hasSource }: EmailDecision): boolean {
  if (!profile.email) return false
  if (isSource || user.email === undefined) return true
  return isTrusted && user.emailVerified !== true && (!hasSource || isSameEmail(profile.email, user.email))
}

/** Avoids an update at every login with a store that does not keep names. */
function newNameOf(
  { displayName }: NormalizedProfile,
  user: UserRecord,
  before: FederatedIdentity,
): string | undefined {
  return user.displayName === undefined && displayName === before.displayName ? undefined : displayName
}

/** An address and its confirmation change together. `superseded` is an account that loses its confirmation. */
async function changeEmail(
  deps: FollowDeps,
  profile: NormalizedProfile,
  user: UserRecord,
  isTrusted: boolean,
): Promise<{ changes: UserProfileChanges; superseded?: UserRecord | undefined }> {
  const { email } = profile
  // A provider that is silent about a known address has not withdrawn its confirmation.
  const isKept = isSameEmail(email, user.email) && profile.emailVerified === undefined
  const changes: UserProfileChanges = { email, emailVerified: isKept ? user.emailVerified === true : isTrusted }
  if (deps.policy.emailMatch === 'create-separate' || (isSameEmail(email, user.email) && user.emailVerified === true))
    return { changes }
  const other = await deps.users.findByEmail(email!)
  if (!other || other.id === user.id) return { changes }
  // Without confirmation nobody gets the address of another account. The old address is no longer confirmed either.
  if (!isTrusted) return { changes: { emailVerified: false } }
  if (other.emailVerified !== true) return { changes }
  // If the same provider confirmed both, the newer confirmation wins. If two providers disagree, neither does.
  return (await wasConfirmedBy(deps, other, profile.provider))
    ? { changes, superseded: other }
    : { changes: { email, emailVerified: false } }
}

/** True if the account's confirmed address came from this provider. */
async function wasConfirmedBy(deps: FollowDeps, user: UserRecord, provider: string): Promise<boolean> {
  return sourceOf(deps.policy, user, await listInOrder(deps, user))?.provider === provider
}

/** Sorted by the time of linking, since stores may list them in any order. */
async function listInOrder({ federated }: FollowDeps, { id }: UserRecord): Promise<FederatedIdentity[]> {
  return [...(await federated.listForUser(id))].sort((a, b) => a.linkedAt - b.linkedAt)
}

async function update({ users }: FollowDeps, user: UserRecord, wanted: UserProfileChanges): Promise<AccountChange[]> {
  const isOther = ([name, value]: [string, unknown]): boolean =>
    value !== undefined && value !== (name === 'emailVerified' ? user.emailVerified === true : user[name as 'email'])
  const changes: UserProfileChanges = Object.fromEntries(Object.entries(wanted).filter(isOther))
  if (Object.keys(changes).length === 0) return []
  const fields = await users.updateProfile!(user.id, changes)
  return fields.length > 0 ? [{ userId: user.id, fields: [...fields] }] : []
}

function isSameIdentity(a: FederatedIdentity | undefined, b: FederatedIdentity): boolean {
  return a?.provider === b.provider && a.subject === b.subject
}
