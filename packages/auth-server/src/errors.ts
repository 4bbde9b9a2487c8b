/** Error codes of OAuth responses: RFC 6749 §4.1.2.1 and §5.2, RFC 7009 §2.2.1, OpenID Connect Core 3.1.2.6. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'login_required'
  | 'consent_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'temporarily_unavailable'
  | 'server_error'

/** The user, client and provider of a refusal, for the audit. */
export interface Concerned {
  readonly userId?: string | undefined
  readonly clientId?: string | undefined
  readonly provider?: string | undefined
}

/** A refusal that is sent to a client. The description never quotes the request. */
export class OAuthRefusal extends Error {
  override readonly name = 'OAuthRefusal'
  readonly code: OAuthErrorCode
  readonly concerned: Concerned

  constructor(code: OAuthErrorCode, description: string, concerned: Concerned = {}) {
    super(description)
    this.code = code
    this.concerned = concerned
  }
}

/**
 * Codes of {@link AuthServerError}: a wrong option of `createAuthServer` or a guard, wrong roles, a wrong invitation.
 */
export type AuthServerErrorCode = 'OPTIONS_INVALID' | 'ROLES_INVALID' | 'INVITATION_INVALID'

/** A mistake in the calling program. The message names it. */
export class AuthServerError extends Error {
  override readonly name = 'AuthServerError'
  readonly code: AuthServerErrorCode

  constructor(message: string, code: AuthServerErrorCode = 'OPTIONS_INVALID', options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
