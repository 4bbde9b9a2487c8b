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

/** An account that changed with what a provider says of a person. */
export interface AccountChange {
  userId: string
  /** The fields that have another value now. */
  fields: (keyof UserProfileChanges)[]
}

export interface FollowDeps {
  users: UserService
  federated: FederatedIdentityStore
  policy: ResolvedFederatedPolicy
}

/** Both must be known to be an address: two that are absent are not the same one. */
export function isSameEmail(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && foldEmail(a) === foldEmail(b)
}

export function isEmailTrusted({ trustEmailVerifiedFrom }: ResolvedFederatedPolicy, profile: SaidEmail): boolean {
  return profile.emailVerified === true && trustEmailVerifiedFrom.includes(profile.provider)
}

type SaidEmail = Pick<NormalizedProfile, 'provider' | 'email' | 'emailVerified'>

/**
 * Brings an account up to date when the identity that its address came from signs in. `before` is that identity as it was
 * stored before this login. Nothing happens where the store has no `updateProfile`.
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
  const { changes, superseded } = mayGiveEmail({ profile, user, isTrusted, isSource, hasSource: source !== undefined })
    ? await changeEmail(deps, profile, user, isTrusted)
    : { changes: {}, superseded: undefined }
  // The name comes from the same identity as the address, and where none has the address, from the first one.
  if (isSource || (!source && isSameIdentity(identities[0], before)))
    changes.displayName = nameToTake(profile, user, before)
  const withdrawn = superseded ? await update(deps, superseded, { emailVerified: false }) : []
  // The store may keep what the other person has set: then the address is confirmed of that account, and not of two.
  if (superseded && withdrawn.length === 0) changes.emailVerified = false
  return [...withdrawn, ...(await update(deps, user, changes))]
}

/**
 * The identity that an account's address came from: one that was last seen with this address. A confirmed address came
 * from one that confirms it; of several it is the one linked first.
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

interface Given {
  profile: NormalizedProfile
  user: UserRecord
  isTrusted: boolean
  isSource: boolean
  hasSource: boolean
}

/**
 * Whether an account takes this address: from the identity that its own came from, where it has none yet, and from a
 * trusted provider where its own is not confirmed and either the same or one that no identity has any more.
 */
function mayGiveEmail({ profile, user, isTrusted, isSource, hasSource }: Given): boolean {
  if (!profile.email) return false
  if (isSource || user.email === undefined) return true
  return isTrusted && user.emailVerified !== true && (!hasSource || isSameEmail(profile.email, user.email))
}

/** A store that keeps no names is not asked to change one at every login. */
function nameToTake(
  { displayName }: NormalizedProfile,
  user: UserRecord,
  before: FederatedIdentity,
): string | undefined {
  return user.displayName === undefined && displayName === before.displayName ? undefined : displayName
}

/** An address and its confirmation change together. Another account that has the address may stand in the way. */
async function changeEmail(
  deps: FollowDeps,
  profile: NormalizedProfile,
  user: UserRecord,
  isTrusted: boolean,
): Promise<{ changes: UserProfileChanges; superseded?: UserRecord | undefined }> {
  const { email } = profile
  // A provider that says nothing of an address that is known has not taken its word back.
  const isKept = isSameEmail(email, user.email) && profile.emailVerified === undefined
  const changes: UserProfileChanges = { email, emailVerified: isKept ? user.emailVerified === true : isTrusted }
  if (deps.policy.emailMatch === 'create-separate' || (isSameEmail(email, user.email) && user.emailVerified === true))
    return { changes }
  const other = await deps.users.findByEmail(email!)
  if (!other || other.id === user.id) return { changes }
  // Nobody gets the address of another account on an unconfirmed word; the old one is not vouched for any more either.
  if (!isTrusted) return { changes: { emailVerified: false } }
  if (other.emailVerified !== true) return { changes }
  // One provider speaks of one address: its newer word replaces its older one. Two providers that differ cancel out.
  return (await wasConfirmedBy(deps, other, profile.provider))
    ? { changes, superseded: other }
    : { changes: { email, emailVerified: false } }
}

/** Whether this provider is the one that an account's confirmed address came from. */
async function wasConfirmedBy(deps: FollowDeps, user: UserRecord, provider: string): Promise<boolean> {
  return sourceOf(deps.policy, user, await listInOrder(deps, user))?.provider === provider
}

/** The identities of a user, the one linked first at the front: stores may list them in any order. */
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
