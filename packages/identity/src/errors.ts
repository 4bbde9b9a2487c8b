/** The reason for a failure. Branch on this, never on the message. */
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

/** Default message, cause and remedy of every error type. The reference page is generated from it. */
export const oauthErrors: Readonly<Record<OAuthErrorType, { message: string; when: string; remedy: string }>> = {
  UNKNOWN_PROVIDER: {
    message: 'No provider is registered under this id',
    when:
      '`registry.require`, `callbackPath` or `redirectUri` gets an id that no provider has. `details.provider` is the id if ' +
      'it is short and printable.',
    remedy: 'Respond with 404: the address was mistyped, or a provider was removed.',
  },
  INVALID_CONFIG: {
    message: 'The configuration is not valid',
    when:
      'An option is missing or wrong; a store lacks a method; two providers have the same id; a private key is unreadable; ' +
      'a lifetime exceeds the provider’s maximum; a state secret is shorter than 32 bytes. Also if the discovery document ' +
      'names another issuer (`details.expected`, `details.actual`), lacks an endpoint or has one without TLS, or if that ' +
      'of a remote issuer has one on a loopback address. Thrown by the constructor if the options alone show it, ' +
      'otherwise at first use.',
    remedy: 'Fix the configuration; the message names the option. The person who signs in cannot fix it.',
  },
  STATE_INVALID: {
    message: 'The state was not issued here',
    when:
      'The state was tampered with, was signed with another secret or algorithm, belongs to another provider or lacks a ' +
      'field; the callback has no state or several; the callback’s `iss` is not the provider’s (`details.check` is `iss`); ' +
      'or the argument of `readCallback` is not a set of parameters.',
    remedy: 'Stop. Offer to start the sign-in again.',
  },
  STATE_EXPIRED: {
    message: 'The state has expired',
    when: 'The state is valid but older than its `ttlSec`.',
    remedy: 'Offer to start the sign-in again: the person took too long.',
  },
  PROVIDER_DENIED: {
    message: 'The provider did not grant the sign-in',
    when: 'The callback has an `error`. `details.error` is its code, if it looks like one.',
    remedy:
      'For `access_denied`, show that the sign-in was declined; otherwise, that it failed at the provider. Offer another way to sign in.',
  },
  EXCHANGE_FAILED: {
    message: 'The code could not be exchanged for a profile',
    when:
      'The token, userinfo, user or emails endpoint is unreachable, redirects, stalls, or responds with a status other than ' +
      '2xx, with invalid JSON or with `error`; the callback has no code or several; a field of the profile is not a string ' +
      'or too long (`details.field`). `details` has `endpoint`, `status`, `error` and the system `code` (`ECONNREFUSED`) if known.',
    remedy:
      'Offer to start the sign-in again: a code works only once. If it happens often, check the provider’s status page.',
  },
  JWKS_FAILED: {
    message: 'The provider’s keys could not be obtained',
    when:
      'The discovery document or the key set cannot be fetched or read, no key matches the token’s `kid` after a refresh, ' +
      'or a key resolver fails or returns a key that is not public. `details` has `endpoint`, `status` and `code` if known.',
    remedy: 'Try again later: without keys, every sign-in is refused.',
  },
  ID_TOKEN_INVALID: {
    message: 'The id token is not valid',
    when:
      'The token response has no id token, or one that fails a check, or the userinfo endpoint describes another person. ' +
      '`details.check` names the check (table below).',
    remedy: 'Stop, and log `details.check`. Somebody may be forging sign-ins, or a clock is wrong.',
  },
  EMAIL_UNAVAILABLE: {
    message: 'The profile has no email address',
    when: 'A username strategy that needs an address throws it. `resolveUser` turns it into `denied` / `email-unavailable`.',
    remedy: 'Ask the person to share an address with the application, or to sign up another way.',
  },
}

/**
 * Thrown by providers, the registry and the helpers of this library.
 *
 * `message`, `details` and `cause` never contain a secret, code, token or verifier.
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
  /** More facts for logs. Never `undefined`. */
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
export function namingProvider<Result>(providerId: unknown, work: () => Result): Result {
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
