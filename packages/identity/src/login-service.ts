import { setTimeout as wait } from 'node:timers/promises'
import { checkMethods, checkValue, invalidConfig } from './check-options.ts'
import { IdentityConflictError, isConflict, OAuthError } from './errors.ts'
import { type AccountChange, followProfile, isEmailTrusted, isSameEmail } from './follow-profile.ts'
import { type FederatedPolicy, type ResolvedFederatedPolicy, resolveFederatedPolicy } from './policy.ts'
import { checkProfileText } from './profile.ts'
import type { NormalizedProfile } from './provider.ts'
import { anyObject, nonEmptyString } from './shared/option-checks.ts'
import {
  type FederatedIdentity,
  type FederatedIdentitySnapshot,
  type FederatedIdentityStore,
  snapshotOf,
  type UserRecord,
  type UserService,
} from './stores.ts'

/** The outcome of a sign-in. */
export type ResolveOutcome =
  /** The identity was known. `changes` lists the accounts whose address, confirmation or name was updated. */
  | { kind: 'linked'; userId: string; isNew: false; changes?: AccountChange[] }
  /** A new user was created. */
  | { kind: 'created'; userId: string; isNew: true }
  /** The identity was linked to the local account with the same address. */
  | { kind: 'auto-linked'; userId: string; isNew: false }
  /** A local account has the address: let the person sign in to it, then call `linkIdentity`. */
  | { kind: 'needs-link'; candidateUserId: string }
  /** Nobody was signed in. */
  | { kind: 'denied'; reason: 'signup-disabled' | 'email-unavailable' }

export interface FederatedLoginServiceDeps<ExtraFields = unknown> {
  readonly users: UserService<ExtraFields>
  readonly federated: FederatedIdentityStore
  readonly policy?: FederatedPolicy | undefined
}

/**
 * Pauses between attempts while another process seems to be creating the user of the same identity. It creates the user
 * before it links the identity, so for a moment there is a user without an identity.
 */
const RETRY_AFTER_MS = [10, 20, 40, 80, 160, 320, 640]

const userMethods = ['findByEmail', 'findById', 'createUser', 'activateAccount']
const identityMethods = ['find', 'listForUser', 'link', 'unlink', 'touchLogin', 'deleteAllForUser']

/**
 * Finds the local user of a verified profile: by known identity, then by address. Otherwise it creates a new user.
 *
 * ```ts
 * const logins = new FederatedLoginService({ users, federated, policy: registry.policy })
 * const outcome = await logins.resolveUser(await provider.exchange(args))
 * if ('userId' in outcome) await startSession(outcome.userId) // 'linked', 'created' or 'auto-linked'
 * ```
 *
 * It does not check `active`: load the user, and refuse a disabled one, before you start a session.
 */
export class FederatedLoginService<ExtraFields = unknown> {
  readonly policy: ResolvedFederatedPolicy
  readonly #users: UserService<ExtraFields>
  readonly #federated: FederatedIdentityStore
  /** The last pending login of each identity: logins of one identity take turns. */
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor(deps: FederatedLoginServiceDeps<ExtraFields>) {
    checkDeps(deps)
    this.policy = resolveFederatedPolicy(deps.policy)
    this.#users = deps.users
    this.#federated = deps.federated
  }

  /** Maps a verified profile to a user. Concurrent first logins create one user and one identity. */
  async resolveUser(profile: NormalizedProfile): Promise<ResolveOutcome> {
    // With an empty key, everybody would share one account.
    checkValue(profile.provider, 'profile.provider', nonEmptyString)
    checkValue(profile.subject, 'profile.subject', nonEmptyString)
    checkProfileText(profile)
    return this.#inTurn(profile, async () => {
      for (const [attempt, ms] of RETRY_AFTER_MS.entries()) {
        const outcome = await this.#resolve(profile, attempt)
        if (outcome) return outcome
        await wait(ms)
      }
      return (await this.#resolve(profile, RETRY_AFTER_MS.length))!
    })
  }

  /**
   * Completes an interactive link. Call it after the person has signed in to the local account `userId`. Linking the same user
   * again succeeds; an identity of another user throws `IdentityConflictError`.
   */
  async linkIdentity(args: {
    provider: string
    subject: string
    userId: string
    profile?: NormalizedProfile | undefined
  }): Promise<FederatedIdentity> {
    const { provider, subject, userId, profile } = args
    checkValue(provider, 'provider', nonEmptyString)
    checkValue(subject, 'subject', nonEmptyString)
    checkValue(userId, 'userId', nonEmptyString)
    if (profile && (profile.provider !== provider || profile.subject !== subject))
      throw invalidConfig('`profile` must have the same provider and subject as the identity to link')
    if (profile) checkProfileText(profile)
    try {
      return await this.#federated.link({ ...(profile && snapshotOf(profile)), provider, subject, userId })
    } catch (error) {
      if (!isConflict(error)) throw error
      const identity = await this.#federated.find(provider, subject)
      if (identity?.userId === userId) return identity
      throw new IdentityConflictError('This identity is linked to another user')
    }
  }

  async #inTurn<Result>({ provider, subject }: NormalizedProfile, work: () => Promise<Result>): Promise<Result> {
    const key = JSON.stringify([provider, subject])
    const turn = settled(this.#turns.get(key)).then(work)
    this.#turns.set(key, turn)
    try {
      return await turn
    } finally {
      if (this.#turns.get(key) === turn) this.#turns.delete(key)
    }
  }

  /** Returns `undefined` to ask for another attempt; the last attempt never does. */
  async #resolve(profile: NormalizedProfile, attempt: number): Promise<ResolveOutcome | undefined> {
    const known = await this.#signInKnown(profile)
    if (known) return known
    const match = await this.#matchByEmail(profile)
    if (!match) return this.#signUp(profile, attempt)
    if (!isLast(attempt) && (await this.#isUnfinished(match))) return undefined
    const linked = (await this.#mayAutoLink(profile, match)) ? await this.#autoLink(profile, match) : undefined
    // A concurrent login may have linked this identity meanwhile: then the account is the person's own.
    return linked ?? (await this.#signInKnown(profile)) ?? { kind: 'needs-link', candidateUserId: match.id }
  }

  async #signInKnown(profile: NormalizedProfile): Promise<ResolveOutcome | undefined> {
    const { provider, subject } = profile
    const identity = await this.#federated.find(provider, subject)
    if (!identity) return undefined
    const { policy } = this
    const changes = await followProfile({ users: this.#users, federated: this.#federated, policy }, profile, identity)
    await this.#federated.touchLogin(provider, subject, loginSnapshotOf(profile))
    return { kind: 'linked', userId: identity.userId, isNew: false, ...(changes.length > 0 && { changes }) }
  }

  /**
   * True if another process may be creating this user right now: it is not active and has no identity yet. With a store that
   * creates both in one step there is never such a user.
   */
  async #isUnfinished(user: UserRecord): Promise<boolean> {
    if (user.active || user.provisioned || this.#users.createLinkedUser) return false
    return (await this.#federated.listForUser(user.id)).length === 0
  }

  async #matchByEmail(profile: NormalizedProfile): Promise<UserRecord | null> {
    if (!profile.email) return null
    const match = await this.#users.findByEmail(profile.email)
    // A provisioned account waits for its owner, so it matches even if other matches are ignored.
    return this.policy.emailMatch === 'create-separate' && !match?.provisioned ? null : match
  }

  /**
   * Both sides must have verified the address. Otherwise the first to register it would own the other's account. An account
   * with another subject of the same provider belongs to another person: addresses are reassigned, subjects never are.
   */
  async #mayAutoLink(profile: NormalizedProfile, user: UserRecord): Promise<boolean> {
    if (!isEmailTrusted(this.policy, profile) || !isSameEmail(user.email, profile.email)) return false
    const isWaiting = user.provisioned === true && !user.active
    if (!isWaiting && (this.policy.emailMatch !== 'auto-link-if-verified' || user.emailVerified !== true)) return false
    const identities = await this.#federated.listForUser(user.id)
    return isWaiting ? identities.length === 0 : !identities.some((it) => isAnotherSubject(it, profile))
  }

  /** Links an account by its address. The outcome is `needs-link` if another person was linked to it at the same time. */
  async #autoLink(profile: NormalizedProfile, user: UserRecord): Promise<ResolveOutcome | undefined> {
    const rival = await this.#link(profile, user.id)
    if (rival) return rival
    const { provider, subject } = profile
    // Two subjects of one provider may pass `#mayAutoLink` at the same time. Then neither is linked.
    if ((await this.#federated.listForUser(user.id)).some((it) => isAnotherSubject(it, profile))) {
      await this.#federated.unlink(provider, subject)
      return { kind: 'needs-link', candidateUserId: user.id }
    }
    if (user.provisioned) await this.#complete(user)
    return { kind: 'auto-linked', userId: user.id, isNew: false }
  }

  /** The owner of a provisioned account has signed in with its confirmed address. */
  async #complete(user: UserRecord): Promise<void> {
    if (user.emailVerified !== true) await this.#users.updateProfile?.(user.id, { emailVerified: true })
    await this.#users.activateAccount(user.id)
  }

  async #signUp(profile: NormalizedProfile, attempt: number): Promise<ResolveOutcome | undefined> {
    if (!this.policy.allowSignup) return { kind: 'denied', reason: 'signup-disabled' }
    const username = this.#nameFor(profile)
    if (username === undefined) return { kind: 'denied', reason: 'email-unavailable' }
    const user = await this.#createUser(profile, username, attempt)
    if (!user) return undefined
    const rival = this.#users.createLinkedUser ? undefined : await this.#linkNew(profile, user)
    return rival ?? { kind: 'created', userId: user.id, isNew: true }
  }

  #nameFor(profile: NormalizedProfile): string | undefined {
    try {
      const name: unknown = this.policy.usernameStrategy(profile)
      if (isThenable(name)) throw invalidConfig('`usernameStrategy` must return a string, got a promise')
      return typeof name === 'string' && name.trim() !== '' ? name : undefined
    } catch (error) {
      if (error instanceof OAuthError && error.type === 'EMAIL_UNAVAILABLE') return undefined
      throw error
    }
  }

  /**
   * A taken name may belong to a concurrent login of the same identity, which the next attempt finds. From the second attempt
   * on, the name belongs to somebody else, and the fallback name is tried.
   */
  async #createUser(profile: NormalizedProfile, name: string, attempt: number): Promise<UserRecord | undefined> {
    const { email, provider, subject } = profile
    const extras = email ? { email, emailVerified: isEmailTrusted(this.policy, profile) } : {}
    try {
      if (!this.#users.createLinkedUser) return await this.#users.createUser(name, extras)
      return await this.#users.createLinkedUser(name, extras, { ...snapshotOf(profile), provider, subject })
    } catch (error) {
      if (!isConflict(error)) throw error
      const fallback = `${provider}:${subject}`
      if (attempt > 0 && name !== fallback) return this.#createUser(profile, fallback, attempt)
      if (isLast(attempt)) throw error
      return undefined
    }
  }

  /** Links and activates a new user, or removes it if that fails. */
  async #linkNew(profile: NormalizedProfile, user: UserRecord): Promise<ResolveOutcome | undefined> {
    const { provider, subject } = profile
    try {
      const rival = await this.#link(profile, user.id)
      if (!rival) await this.#users.activateAccount(user.id)
      else await this.#removeUnused(user)
      return rival
    } catch (error) {
      const identity = await this.#federated.find(provider, subject)
      if (identity?.userId === user.id) await this.#federated.unlink(provider, subject)
      await this.#removeUnused(user)
      throw error
    }
  }

  /** Keeps the user if another identity was linked to it meanwhile. */
  async #removeUnused(user: UserRecord): Promise<void> {
    if ((await this.#federated.listForUser(user.id)).length === 0) await this.#users.deleteUser?.(user.id)
  }

  /** Links the profile to the user. If a concurrent login linked it first, returns the outcome of that one. */
  async #link(profile: NormalizedProfile, userId: string): Promise<ResolveOutcome | undefined> {
    const { provider, subject } = profile
    try {
      await this.#federated.link({ ...snapshotOf(profile), provider, subject, userId })
      return undefined
    } catch (error) {
      if (!isConflict(error)) throw error
      // A driver that resends a link after a lost response conflicts with itself.
      if ((await this.#federated.find(provider, subject))?.userId === userId) return undefined
      const rival = await this.#signInKnown(profile)
      if (!rival) throw error
      return rival
    }
  }
}

/** The store merges fields: without `emailVerified`, a new address would inherit the verification of the old one. */
function loginSnapshotOf(profile: NormalizedProfile): FederatedIdentitySnapshot {
  const { email, emailVerified, ...rest } = snapshotOf(profile)
  return email === undefined ? rest : { ...rest, email, emailVerified: emailVerified === true }
}

function isAnotherSubject(identity: FederatedIdentity, { provider, subject }: NormalizedProfile): boolean {
  return identity.provider === provider && identity.subject !== subject
}

function checkDeps(deps: FederatedLoginServiceDeps): void {
  checkValue(deps, 'deps', anyObject)
  checkMethods(deps.users, 'users', userMethods)
  for (const name of ['deleteUser', 'createLinkedUser', 'updateProfile'] as const)
    if (deps.users[name] !== undefined) checkMethods(deps.users, 'users', [name])
  checkMethods(deps.federated, 'federated', identityMethods)
}

/** Also handles a rejection of the promise, which would end the process. */
function isThenable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('then' in value) || typeof value.then !== 'function')
    return false
  Promise.resolve(value).catch(() => undefined)
  return true
}

function isLast(attempt: number): boolean {
  return attempt >= RETRY_AFTER_MS.length
}

async function settled(promise: Promise<unknown> | undefined): Promise<void> {
  await promise?.catch(() => undefined)
}
