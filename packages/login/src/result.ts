export interface AuthorizeResult {
  /** Sent as `Authorization: Bearer <accessToken>`. */
  accessToken: string
  /** Lifetime of the access token in seconds, as reported by the server. */
  expiresIn?: number
  /** The OpenID Connect id token, if the server sends one. It is not verified. */
  idToken?: string
  /** From the token response, otherwise from `statusUrl`. */
  userId?: string
}
