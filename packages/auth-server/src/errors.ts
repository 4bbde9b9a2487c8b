/** Error codes of OAuth answers: RFC 6749 §4.1.2.1 and §5.2, RFC 7009 §2.2.1, OpenID Connect Core 3.1.2.6. */
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

/** Whom a refusal concerns, for the audit. */
export interface Concerned {
  readonly userId?: string
  readonly clientId?: string
  readonly provider?: string
}

/** A refusal that a client is told by its code. The description never quotes what was sent. */
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

/** Codes of {@link AuthServerError}: a wrong option of `createAuthServer` or of a guard, or wrong roles of a user. */
export type AuthServerErrorCode = 'OPTIONS_INVALID' | 'ROLES_INVALID' | 'INVITATION_INVALID'

/** A mistake of the program. The message names it. */
export class AuthServerError extends Error {
  override readonly name = 'AuthServerError'
  readonly code: AuthServerErrorCode

  constructor(message: string, code: AuthServerErrorCode = 'OPTIONS_INVALID', options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
