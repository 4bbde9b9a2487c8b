/** What `authorize` needs to know. Only the two URLs are required. */
export interface AuthorizeOptions {
  /** URL of the server's authorize endpoint, for example `https://app.example/auth/authorize`. Its own query parameters are kept. */
  readonly authorizeUrl: string
  /** URL of the server's token endpoint, for example `https://app.example/auth/token`. */
  readonly tokenUrl: string
  /** Registered client id. Leave it out for a public loopback client: there, PKCE is the binding. */
  readonly clientId?: string | undefined
  /** Joined with single spaces into the `scope` parameter; an empty array sends none. */
  readonly scope?: string[] | undefined
  /** Whether to open the browser. Set it to `false` over SSH or in a container, and show the URL with `onUrl`. Default `true`. */
  readonly openBrowser?: boolean | undefined
  /** Called once with the authorize URL, also when a browser is opened. */
  readonly onUrl?: ((url: string) => void) | undefined
  /** URL asked, with the new token, to confirm the login, for example `https://app.example/auth/status`. Only a 200 passes. */
  readonly statusUrl?: string | undefined
  /** How long to wait for the person, in milliseconds. Default 300000 (5 minutes). */
  readonly timeoutMs?: number | undefined
  /** Ends the login early, at any step, with code `timeout`. */
  readonly signal?: AbortSignal | undefined
  /** The server's issuer (RFC 9207). When set, a callback whose `iss` differs or is missing ends with `state_mismatch`. */
  readonly expectedIssuer?: string | undefined
}
