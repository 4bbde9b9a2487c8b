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

/** What became of a sign-in. */
export type ResolveOutcome =
  /** The identity was known. `changes` are the accounts that took over a new address, confirmation or name, if any. */
  | { kind: 'linked'; userId: string; isNew: false; changes?: AccountChange[] }
  /** A new user was made. */
  | { kind: 'created'; userId: string; isNew: true }
  /** The identity was linked to the local account with the same address. */
  | { kind: 'auto-linked'; userId: string; isNew: false }
  /** A local account has the address: let the person sign in to it, then call `linkIdentity`. */
  | { kind: 'needs-link'; candidateUserId: string }
  /** Nobody was signed in. */
  | { kind: 'denied'; reason: 'signup-disabled' | 'email-unavailable' }

export interface FederatedLoginServiceDeps<T = unknown> {
  readonly users: UserService<T>
  readonly federated: FederatedIdentityStore
  /** Default: see `FederatedPolicy`. */
  readonly policy?: FederatedPolicy | undefined
}

/**
 * How long to wait before looking again while another process seems to be making the user of this very identity. It
 * makes the user before it links the identity, so that for a moment there is a user and no identity.
 */
const RETRY_AFTER_MS = [10, 20, 40, 80, 160, 320, 640]

const userMethods = ['findByEmail', 'findById', 'createUser', 'activateAccount']
const identityMethods = ['find', 'listForUser', 'link', 'unlink', 'touchLogin', 'deleteAllForUser']

/**
 * Finds the local user of a verified profile: by known identity, then by address, then by making a new user.
 *
 * ```ts
 * const logins = new FederatedLoginService({ users, federated, policy: registry.policy })
 * const outcome = await logins.resolveUser(await provider.exchange(args))
 * if ('userId' in outcome) await startSession(outcome.userId) // 'linked', 'created' or 'auto-linked'
 * ```
 *
 * It does not look at `active`: load the user and refuse a disabled one before you sign it in.
 */
export class FederatedLoginService<T = unknown> {
  readonly policy: ResolvedFederatedPolicy
  readonly #users: UserService<T>
  readonly #federated: FederatedIdentityStore
  /** The last login under way of each identity: those of one identity take turns. */
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor(deps: FederatedLoginServiceDeps<T>) {
    checkDeps(deps)
    this.policy = resolveFederatedPolicy(deps.policy)
    this.#users = deps.users
    this.#federated = deps.federated
  }

  /** Maps a verified profile to a user. However many first logins run at once, one user and one identity come of it. */
  async resolveUser(profile: NormalizedProfile): Promise<ResolveOutcome> {
    // An empty key would make one account of everybody.
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
   * Completes an interactive link: call it once the person has signed in to the local account `userId`. Linking the same
   * user again is fine; an identity of another user throws `IdentityConflictError`.
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
      throw invalidConfig('The profile is that of another provider or subject than the one to link')
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

  async #inTurn<R>({ provider, subject }: NormalizedProfile, work: () => Promise<R>): Promise<R> {
    const key = JSON.stringify([provider, subject])
    const turn = settled(this.#turns.get(key)).then(work)
    this.#turns.set(key, turn)
    try {
      return await turn
    } finally {
      if (this.#turns.get(key) === turn) this.#turns.delete(key)
    }
  }

  /** One attempt; `undefined` asks for another one, which only the last attempt may not do. */
  async #resolve(profile: NormalizedProfile, attempt: number): Promise<ResolveOutcome | undefined> {
    const known = await this.#signInKnown(profile)
    if (known) return known
    const match = await this.#matchByEmail(profile)
    if (!match) return this.#signUp(profile, attempt)
    if (!isLast(attempt) && (await this.#isUnfinished(match))) return undefined
    const linked = (await this.#mayAutoLink(profile, match)) ? await this.#autoLink(profile, match) : undefined
    // A rival may have linked this very identity after the first look: then the account is the person's own.
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
   * Whether another process may be making this user at this moment: it is not active yet, and nothing leads to it. A store
   * that makes user and identity in one step never shows such a user.
   */
  async #isUnfinished(user: UserRecord): Promise<boolean> {
    if (user.active || user.provisioned || this.#users.createLinkedUser) return false
    return (await this.#federated.listForUser(user.id)).length === 0
  }

  async #matchByEmail(profile: NormalizedProfile): Promise<UserRecord | null> {
    if (!profile.email) return null
    const match = await this.#users.findByEmail(profile.email)
    // An account that waits for its owner is not somebody else's: it counts where other matches are ignored.
    return this.policy.emailMatch === 'create-separate' && !match?.provisioned ? null : match
  }

  /**
   * Both sides must have proved the address, or whoever registered it first would own the account of the other. An account
   * with another subject of the same provider is another person's: addresses are given to others, subjects never are.
   */
  async #mayAutoLink(profile: NormalizedProfile, user: UserRecord): Promise<boolean> {
    if (!isEmailTrusted(this.policy, profile) || !isSameEmail(user.email, profile.email)) return false
    const isWaiting = user.provisioned === true && !user.active
    if (!isWaiting && (this.policy.emailMatch !== 'auto-link-if-verified' || user.emailVerified !== true)) return false
    const identities = await this.#federated.listForUser(user.id)
    return isWaiting ? identities.length === 0 : !identities.some((it) => isAnotherSubject(it, profile))
  }

  /** Links an account by its address; `undefined` where somebody else was linked to it at the same moment. */
  async #autoLink(profile: NormalizedProfile, user: UserRecord): Promise<ResolveOutcome | undefined> {
    const rival = await this.#link(profile, user.id)
    if (rival) return rival
    const { provider, subject } = profile
    // Two subjects of one provider may pass the check above together: then neither stays.
    if ((await this.#federated.listForUser(user.id)).some((it) => isAnotherSubject(it, profile))) {
      await this.#federated.unlink(provider, subject)
      return { kind: 'needs-link', candidateUserId: user.id }
    }
    if (user.provisioned) await this.#complete(user)
    return { kind: 'auto-linked', userId: user.id, isNew: false }
  }

  /** The owner of a provisioned account has come, with its address confirmed. */
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
      if (isThenable(name)) throw invalidConfig('usernameStrategy must return a name, not a promise of one')
      return typeof name === 'string' && name.trim() !== '' ? name : undefined
    } catch (error) {
      if (error instanceof OAuthError && error.type === 'EMAIL_UNAVAILABLE') return undefined
      throw error
    }
  }

  /**
   * A taken name may be that of a rival's user, made a moment ago: the other name is tried from the second attempt on. A
   * taken identity is a rival's too, and known by then.
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

  /** Links and activates a user just made, and removes it again when that fails. */
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

  /** Another identity may have been linked to the user in the meantime: then it is somebody's and stays. */
  async #removeUnused(user: UserRecord): Promise<void> {
    if ((await this.#federated.listForUser(user.id)).length === 0) await this.#users.deleteUser?.(user.id)
  }

  /** Links the profile to the user; when somebody else was quicker, returns the outcome that theirs makes. */
  async #link(profile: NormalizedProfile, userId: string): Promise<ResolveOutcome | undefined> {
    const { provider, subject } = profile
    try {
      await this.#federated.link({ ...snapshotOf(profile), provider, subject, userId })
      return undefined
    } catch (error) {
      if (!isConflict(error)) throw error
      // A link whose answer was lost on the way, and which the driver sent again, conflicts with itself.
      if ((await this.#federated.find(provider, subject))?.userId === userId) return undefined
      const rival = await this.#signInKnown(profile)
      if (!rival) throw error
      return rival
    }
  }
}

/** An address and its verification belong together: the store merges fields, and must not pair a new one with an old one. */
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

/** Also keeps the rejection of such a promise from ending the process. */
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
