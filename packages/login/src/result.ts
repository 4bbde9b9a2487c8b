/** What a login brings. */
export interface AuthorizeResult {
  /** Sent as `Authorization: Bearer <accessToken>`. */
  accessToken: string
  /** Lifetime of the access token in seconds, as the server told it. */
  expiresIn?: number
  /** The OpenID Connect id token, where the server gives one. It is passed on unread. */
  idToken?: string
  /** The person's id, from the token response or else from `statusUrl`. */
  userId?: string
}
