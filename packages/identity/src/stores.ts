import { onlyDefined } from './profile.ts'
import type { NormalizedProfile } from './provider.ts'

/** What the library needs to know of a local user. */
export interface UserRecord {
  id: string
  username: string
  email?: string | undefined
  /** Whether this application knows that `email` belongs to the user. */
  emailVerified?: boolean | undefined
  /** False until `activateAccount`. */
  active: boolean
  displayName?: string | undefined
  /**
   * Whether the application made this account for somebody who has not signed in yet. The first sign-in with the account's
   * address, confirmed by a trusted provider, completes it, whatever the policy says of new users.
   */
  provisioned?: boolean | undefined
}

/** What a new user is made with beside the name. */
export interface UserExtras {
  email?: string | undefined
  emailVerified?: boolean | undefined
  /** See {@link UserRecord.provisioned}. The library itself never sets it. */
  provisioned?: boolean | undefined
}

/** What an account takes over from the identity that its address came from; a field without a value stays as it is. */
export interface UserProfileChanges {
  email?: string | undefined
  emailVerified?: boolean | undefined
  displayName?: string | undefined
}

/** The application's users. `T` is whatever it keeps beyond `UserRecord`. */
export interface UserService<T = unknown> {
  /**
   * The user with this address, read from `email` and never from `username`, ASCII letters folded (see `foldEmail`).
   * Where several users share it: the one whose address is verified, else the oldest.
   */
  findByEmail(email: string): Promise<(UserRecord & T) | null>
  findById(id: string): Promise<(UserRecord & T) | null>
  /** Makes an inactive user; a name that is taken throws an error whose `type` is `'ALREADY_EXISTS'`. */
  createUser(username: string, extras?: UserExtras): Promise<UserRecord & T>
  activateAccount(id: string): Promise<void>
  /**
   * Makes an active user and its first identity, both or neither; a name or an identity that is taken throws an error
   * whose `type` is `'ALREADY_EXISTS'`. Without it there are three steps, and a process that stops after the first one
   * leaves a user whom nobody can sign in to, and whose address meets its owner with `needs-link` from then on.
   */
  createLinkedUser?(
    username: string,
    extras: UserExtras,
    identity: Omit<NewFederatedIdentity, 'userId'>,
  ): Promise<UserRecord & T>
  /**
   * Takes over a new address, confirmation or name, and returns the fields that changed. Leave out what the person has set
   * themselves. Without this method an account keeps what it was made with.
   */
  updateProfile?(id: string, changes: UserProfileChanges): Promise<readonly (keyof UserProfileChanges)[]>
  /** Removes a user that lost a race of first logins. Without it such a user stays, inactive. */
  deleteUser?(id: string): Promise<void>
}

/** A provider's person tied to a local user. Holds no token and nothing of `raw`. */
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

/** What an identity keeps of the profile it was last seen with; a field without a value says nothing. */
export type FederatedIdentitySnapshot = Pick<NormalizedProfile, 'email' | 'emailVerified' | 'displayName' | 'avatarUrl'>

/** An identity about to be linked; the store adds `id` and `linkedAt`. */
export type NewFederatedIdentity = FederatedIdentitySnapshot &
  Pick<FederatedIdentity, 'provider' | 'subject' | 'userId'>

/** Where identities are kept. A provider's subject is there at most once. */
export interface FederatedIdentityStore {
  find(provider: string, subject: string): Promise<FederatedIdentity | null>
  listForUser(userId: string): Promise<FederatedIdentity[]>
  /**
   * Adds an identity, atomically: of two calls for one provider and subject the second throws an error whose `type` is
   * `'ALREADY_EXISTS'`.
   */
  link(identity: NewFederatedIdentity): Promise<FederatedIdentity>
  /** Whether there was something to remove. */
  unlink(provider: string, subject: string): Promise<boolean>
  /** Notes a login: sets `lastLoginAt` and takes over the defined fields of the snapshot. */
  touchLogin(provider: string, subject: string, snapshot?: FederatedIdentitySnapshot): Promise<void>
  /** How many were removed. */
  deleteAllForUser(userId: string): Promise<number>
}

/**
 * Folds ASCII letters to lower case and leaves the rest alone. Folding by Unicode would make one address of two: the
 * Kelvin sign becomes a plain k.
 */
export function foldEmail(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** The fields of a profile that are kept, where they have a value; whatever else the object carries is left behind. */
export function snapshotOf(
  profile: FederatedIdentitySnapshot,
): Pick<FederatedIdentity, keyof FederatedIdentitySnapshot> {
  const { email, emailVerified, displayName, avatarUrl } = profile
  return onlyDefined({ email, emailVerified, displayName, avatarUrl })
}
