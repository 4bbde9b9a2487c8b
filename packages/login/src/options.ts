/** Only the two URLs are required. */
export interface AuthorizeOptions {
  /** The authorize endpoint, such as `https://app.example/auth/authorize`. Its own query parameters are kept. */
  readonly authorizeUrl: string
  /** The token endpoint, such as `https://app.example/auth/token`. */
  readonly tokenUrl: string
  /** The id of a registered client. Leave it out for a public loopback client. */
  readonly clientId?: string | undefined
  /** Joined with spaces into the `scope` parameter. An empty array sends none. */
  readonly scope?: string[] | undefined
  /** Set it to `false` over SSH or in a container, and show the URL with `onUrl`. Default `true`. */
  readonly openBrowser?: boolean | undefined
  /** Called once with the URL to sign in at, even if a browser opens. */
  readonly onUrl?: ((url: string) => void) | undefined
  /** Confirms the new token, such as `https://app.example/auth/status`. Anything but 200 fails the login. */
  readonly statusUrl?: string | undefined
  /** Time limit for the person to sign in, in milliseconds. Default 300000 (5 minutes). */
  readonly timeoutMs?: number | undefined
  /** Ends the login early, at any step, with code `timeout`. */
  readonly signal?: AbortSignal | undefined
  /** The server's issuer (RFC 9207). A callback with another `iss`, or without one, is a `state_mismatch`. */
  readonly expectedIssuer?: string | undefined
}
