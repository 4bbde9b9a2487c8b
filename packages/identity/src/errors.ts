/** The kind of failure. Branch on this, never on the message. */
export type OAuthErrorType =
  | 'UNKNOWN_PROVIDER'
  | 'INVALID_CONFIG'
  | 'STATE_INVALID'
  | 'STATE_EXPIRED'
  | 'PROVIDER_DENIED'
  | 'EXCHANGE_FAILED'
  | 'JWKS_FAILED'
  | 'ID_TOKEN_INVALID'
  | 'EMAIL_UNAVAILABLE'

/** Every error type with its default message, when it is thrown and what to do: the source of the reference page too. */
export const oauthErrors: Readonly<Record<OAuthErrorType, { message: string; when: string; remedy: string }>> = {
  UNKNOWN_PROVIDER: {
    message: 'No provider is registered under this id',
    when:
      '`registry.require`, `callbackPath` or `redirectUri` gets an id that no provider has; `details.provider` is the id when ' +
      'it is short and printable.',
    remedy: 'Answer 404: the address was mistyped, or a provider was removed.',
  },
  INVALID_CONFIG: {
    message: 'The configuration is not valid',
    when:
      'An option is missing or wrong, a store lacks a method, two providers share an id, a discovery document names another ' +
      'issuer (`details.expected`, `details.actual`), lacks an endpoint, has one without TLS or, for an issuer elsewhere, one on a loopback address, a private key cannot be read, a lifetime exceeds the provider’s maximum, a state secret is ' +
      'shorter than 32 bytes. Thrown by the constructor when the options alone show it, otherwise at first use.',
    remedy: 'Fix the configuration; the message names the option. The person who signs in cannot do anything about it.',
  },
  STATE_INVALID: {
    message: 'The state is not one that was issued here',
    when:
      'The state was tampered with, signed with another secret or algorithm, made for another provider, lacks a field, ' +
      'or is missing from the callback or repeated in it; the callback’s `iss` is not the provider’s (`details.check` is `iss`); ' +
      'or `readCallback` was given something other than parameters.',
    remedy: 'Stop. Offer to start the sign-in again.',
  },
  STATE_EXPIRED: {
    message: 'The state has expired',
    when: 'The state is genuine but older than its `ttlSec`.',
    remedy: 'Offer to start the sign-in again: the person took too long.',
  },
  PROVIDER_DENIED: {
    message: 'The provider did not grant the sign-in',
    when: 'The callback carries `error`; `details.error` is its code when it reads like one.',
    remedy:
      'With `access_denied` say that the sign-in was declined, otherwise that it failed at the provider; offer another way in.',
  },
  EXCHANGE_FAILED: {
    message: 'The code could not be exchanged for a profile',
    when:
      'The token, userinfo, user or emails endpoint cannot be reached, redirects, stalls, answers something other than 2xx, ' +
      'other than JSON, or with `error`; the callback’s code is missing or repeated; a profile’s text is not text or too long ' +
      '(`details.field`). `details` has `endpoint`, `status`, ' +
      '`error` and the system `code` (`ECONNREFUSED`) where known.',
    remedy:
      'Offer to start the sign-in again: a code works only once. If it happens often, look at the provider’s status page.',
  },
  JWKS_FAILED: {
    message: 'The provider’s keys could not be obtained',
    when:
      'The discovery document or the key set cannot be fetched or read, no key fits the token’s `kid` after a refresh, ' +
      'or a key resolver fails or returns a key that is not a public one. `details` has `endpoint`, `status` and `code` where known.',
    remedy: 'Try again later: without keys nobody is let in.',
  },
  ID_TOKEN_INVALID: {
    message: 'The id token is not valid',
    when:
      'The token response holds no id token, or one that fails a check, or the userinfo endpoint speaks of somebody else; ' +
      '`details.check` names the check (table below).',
    remedy: 'Stop, and log `details.check`. Somebody may be forging sign-ins, or a clock is wrong.',
  },
  EMAIL_UNAVAILABLE: {
    message: 'The profile has no email address',
    when: 'A username strategy that needs an address throws it; `resolveUser` turns it into `denied` / `email-unavailable`.',
    remedy: 'Ask the person to share an address with the application, or to sign up another way.',
  },
}

/**
 * The one error that providers, registry and helpers of this library throw.
 *
 * Neither `message` nor `details` nor `cause` ever holds a secret, code, token or verifier.
 *
 * ```ts
 * if (error instanceof OAuthError && error.type === 'STATE_EXPIRED') return startAgain()
 * ```
 */
export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly type: OAuthErrorType
  /** The same as `type`: every error of the platform has a `code`. */
  readonly code: OAuthErrorType
  /** Facts beyond the type, for logs; empty when there are none. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(type: OAuthErrorType, message?: string, details?: Record<string, unknown>, options?: ErrorOptions) {
    // Plain JavaScript may pass an unknown type. Throwing here would hide the original failure.
    super(message ?? (Object.hasOwn(oauthErrors, type) ? oauthErrors[type].message : 'The sign-in failed'), options)
    this.type = type
    this.code = type
    this.details = { ...details }
  }
}

/** `UserService.createUser` throws this if the user name is taken. */
export class UserConflictError extends Error {
  override readonly name = 'UserConflictError'
  readonly type = 'ALREADY_EXISTS'
  readonly code = 'ALREADY_EXISTS'

  constructor(message = 'A user with this name exists already', options?: ErrorOptions) {
    super(message, options)
  }
}

/** `FederatedIdentityStore.link` and `linkIdentity` throw this if the identity is already linked. */
export class IdentityConflictError extends Error {
  override readonly name = 'IdentityConflictError'
  readonly type = 'ALREADY_EXISTS'
  readonly code = 'ALREADY_EXISTS'

  constructor(message = 'This identity is linked to a user already', options?: ErrorOptions) {
    super(message, options)
  }
}

/** Checks the `type`, so that your own stores need not use the classes above. */
export function isConflict(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'type' in error && error.type === 'ALREADY_EXISTS'
}

/**
 * Reduces the cause of a failure to its name and system code (`ECONNREFUSED`, `CERT_HAS_EXPIRED`). Messages and other
 * fields of foreign errors are dropped: parsers quote their input there, and HTTP clients the request with its secrets.
 */
export function describeCause(error: unknown, depth = 0): ErrorOptions {
  if (!(error instanceof Error) || depth > 4) return {}
  const code =
    'code' in error && typeof error.code === 'string' && /^[A-Z0-9_]{1,64}$/.test(error.code) ? error.code : ''
  const cause = new Error(code, describeCause(error.cause, depth + 1))
  cause.name = /^[A-Za-z]{1,64}$/.test(error.name) ? error.name : 'Error'
  return { cause }
}

/** The first system code in the result of `describeCause`, for `details.code`. */
export function systemCodeOf({ cause }: ErrorOptions): string | undefined {
  if (!(cause instanceof Error)) return undefined
  return cause.message || systemCodeOf(cause)
}

/** Sets `details.provider` on an error and throws it again; for `promise.catch`. */
export function rethrowFrom(providerId: unknown): (error: unknown) => never {
  return (error) => {
    if (error instanceof OAuthError && typeof providerId === 'string' && !('provider' in error.details))
      Object.assign(error.details, { provider: providerId })
    throw error
  }
}

/** The same for synchronous work. */
export function namingProvider<T>(providerId: unknown, work: () => T): T {
  try {
    return work()
  } catch (error) {
    return rethrowFrom(providerId)(error)
  }
}

/** Makes foreign text safe for `details`: printable, and at most `max` characters long. */
export function printable(text: string, max: number): string {
  return text.replace(/[^\x20-\x7e]/g, '').slice(0, max)
}

/**
 * The `error` code of an OAuth response, for `details`. It is foreign text, so it is used only if it looks like a code
 * (`invalid_grant`) and contains nothing that was sent: a hostile endpoint could answer with our own secret.
 */
export function readErrorCode(value: unknown, sent: readonly string[] = []): string | undefined {
  if (typeof value !== 'string' || !/^[a-z_]{1,64}$/.test(value)) return undefined
  return sent.some((secret) => secret !== '' && value.includes(secret)) ? undefined : value
}
