import { onlyDefined } from './profile.ts'
import type { NormalizedProfile } from './provider.ts'

/** The fields of a local user that the library uses. */
export interface UserRecord {
  id: string
  username: string
  email?: string | undefined
  /** True if this application has verified that `email` belongs to the user. */
  emailVerified?: boolean | undefined
  /** False until `activateAccount`. */
  active: boolean
  displayName?: string | undefined
  /**
   * True if the application created this account for somebody who has not signed in yet. The first sign-in with the account's
   * address, verified by a trusted provider, activates it, even if the policy allows no new users.
   */
  provisioned?: boolean | undefined
}

/** The fields of a new user besides the name. */
export interface UserExtras {
  email?: string | undefined
  emailVerified?: boolean | undefined
  /** See {@link UserRecord.provisioned}. The library never sets it. */
  provisioned?: boolean | undefined
}

/** New values from the identity that the account's address came from. An undefined field stays as it is. */
export interface UserProfileChanges {
  email?: string | undefined
  emailVerified?: boolean | undefined
  displayName?: string | undefined
}

/** The application's users. `ExtraFields` are those that it keeps beyond `UserRecord`. */
export interface UserService<ExtraFields = unknown> {
  /**
   * The user whose `email` is this address, ignoring the case of ASCII letters (see `foldEmail`). Never compare `username`.
   * If several users share the address, return the one whose address is verified, otherwise the oldest.
   */
  findByEmail(email: string): Promise<(UserRecord & ExtraFields) | null>
  findById(id: string): Promise<(UserRecord & ExtraFields) | null>
  /** Creates an inactive user. Throws an error with the `type` `'ALREADY_EXISTS'` if the name is taken. */
  createUser(username: string, extras?: UserExtras): Promise<UserRecord & ExtraFields>
  activateAccount(id: string): Promise<void>
  /**
   * Creates an active user and its first identity in one transaction. Throws an error with the `type` `'ALREADY_EXISTS'` if the
   * name or the identity is taken. Without this method there are three steps. A process that stops after the first one leaves
   * a user that nobody can sign in to, and the owner of its address then always gets `needs-link`.
   */
  createLinkedUser?(
    username: string,
    extras: UserExtras,
    identity: Omit<NewFederatedIdentity, 'userId'>,
  ): Promise<UserRecord & ExtraFields>
  /**
   * Saves a new address, confirmation or name, and returns the fields that changed. Skip what the person has set themselves.
   * Without this method an account keeps its first values.
   */
  updateProfile?(id: string, changes: UserProfileChanges): Promise<readonly (keyof UserProfileChanges)[]>
  /** Removes a user that lost a race between first logins. Without it, that user remains, inactive. */
  deleteUser?(id: string): Promise<void>
}

/** Links a person of a provider to a local user. Contains no token and nothing of `raw`. */
export interface FederatedIdentity {
  id: string
  provider: string
  subject: string
  userId: string
  email?: string
  emailVerified?: boolean
  displayName?: string
  avatarUrl?: string
  /** Milliseconds since the epoch. */
  linkedAt: number
  /** Milliseconds since the epoch. */
  lastLoginAt?: number
}

/** The stored fields of the last profile. An undefined field means no information. */
export type FederatedIdentitySnapshot = Pick<NormalizedProfile, 'email' | 'emailVerified' | 'displayName' | 'avatarUrl'>

/** An identity to link. The store adds `id` and `linkedAt`. */
export type NewFederatedIdentity = FederatedIdentitySnapshot &
  Pick<FederatedIdentity, 'provider' | 'subject' | 'userId'>

/** Stores identities. Provider and subject together are unique. */
export interface FederatedIdentityStore {
  find(provider: string, subject: string): Promise<FederatedIdentity | null>
  listForUser(userId: string): Promise<FederatedIdentity[]>
  /**
   * Adds an identity atomically. If provider and subject are already linked, throws an error with the `type`
   * `'ALREADY_EXISTS'`.
   */
  link(identity: NewFederatedIdentity): Promise<FederatedIdentity>
  /** Returns true if there was an identity to remove. */
  unlink(provider: string, subject: string): Promise<boolean>
  /** Records a login: sets `lastLoginAt` and the defined fields of the snapshot. */
  touchLogin(provider: string, subject: string, snapshot?: FederatedIdentitySnapshot): Promise<void>
  /** Returns the number of removed identities. */
  deleteAllForUser(userId: string): Promise<number>
}

/**
 * Converts ASCII letters to lower case. Unicode folding would merge two different addresses: the Kelvin sign becomes a
 * plain k.
 */
export function foldEmail(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** Picks the defined fields that are stored. */
export function snapshotOf(
  profile: FederatedIdentitySnapshot,
): Pick<FederatedIdentity, keyof FederatedIdentitySnapshot> {
  const { email, emailVerified, displayName, avatarUrl } = profile
  return onlyDefined({ email, emailVerified, displayName, avatarUrl })
}
