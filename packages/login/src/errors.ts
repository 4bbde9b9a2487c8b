/**
 * Why a login failed. Branch on this, never on the message.
 *
 * - `provider_denied`: the server came back with an error, most often because the person declined.
 * - `state_mismatch`: the answer does not belong to this login; somebody else may have made it.
 * - `exchange_failed`: the code could not be turned into a token, or the login could not be started at all.
 * - `timeout`: nobody answered within `timeoutMs`, or `signal` was aborted.
 * - `status_check_failed`: `statusUrl` did not confirm the token.
 */
export type AuthorizeErrorCode =
  | 'provider_denied'
  | 'state_mismatch'
  | 'exchange_failed'
  | 'timeout'
  | 'status_check_failed'

/** The one error that `authorize` rejects with. */
export class AuthorizeError extends Error {
  override readonly name = 'AuthorizeError'
  readonly code: AuthorizeErrorCode

  constructor(code: AuthorizeErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
