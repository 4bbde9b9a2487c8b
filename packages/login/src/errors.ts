/**
 * The reason for a failure. Branch on this, never on the message.
 *
 * - `provider_denied`: the server returned an error, usually because the person declined.
 * - `state_mismatch`: the callback does not belong to this login; it may be forged.
 * - `exchange_failed`: the code could not be exchanged for a token, or the login could not start.
 * - `timeout`: nobody signed in within `timeoutMs`, or `signal` was aborted.
 * - `status_check_failed`: `statusUrl` did not confirm the token.
 */
export type AuthorizeErrorCode =
  | 'provider_denied'
  | 'state_mismatch'
  | 'exchange_failed'
  | 'timeout'
  | 'status_check_failed'

/** Every failure of `authorize`. */
export class AuthorizeError extends Error {
  override readonly name = 'AuthorizeError'
  readonly code: AuthorizeErrorCode

  constructor(code: AuthorizeErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
