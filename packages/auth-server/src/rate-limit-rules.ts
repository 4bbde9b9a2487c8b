export interface RateLimitRule {
  /** The number of requests that one address may make in a window. */
  readonly limit: number
  readonly windowSec: number
}

/** The limits of a server, with their defaults. */
export interface RateLimits {
  /** Every route for browsers; a whole sign-in takes about seven requests. Default 300 in 60 s. */
  readonly signIn: RateLimitRule
  /** Token and revoke. The users of a web application share its address. Default 300 in 60 s. */
  readonly token: RateLimitRule
  /** Status and userinfo. Default 600 in 60 s. */
  readonly status: RateLimitRule
}
