import { isLoopback } from '@portico/identity'
import type { RegisteredClient } from '../clients.ts'
import type { PageProblem } from '../pages/problems.ts'

/** RFC 8252 §7.3: an IP literal of the loopback interface with any port; path and query are up to the program. */
const loopbackUri = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?(?:\/[\x21\x24-\x5b\x5d-\x7e]*)?$/

/** An http address in three parts: host, port, and the rest. */
const httpUri = /^http:\/\/([\w.-]+|\[::1\])(?::(\d{1,5}))?((?:[/?].*)?)$/

/** Ample for a redirect URI. It is stored with every request. */
const MAX_LENGTH = 2048

/**
 * The problem with a redirect URI, if there is one. The text itself is compared, not parsed URLs: two URL parsers may
 * disagree (RFC 9700 §4.1.3).
 */
export function checkRedirectUri(
  uri: string | undefined,
  client: RegisteredClient | undefined,
): PageProblem | undefined {
  if (uri === undefined || uri.length > MAX_LENGTH) return 'redirect-invalid'
  if (client) return client.redirectUris.some((it) => matches(it, uri)) ? undefined : 'redirect-invalid'
  // RFC 8252 §8.3: "localhost" may resolve to another machine.
  if (/^http:\/\/localhost(?:[:/?]|$)/i.test(uri)) return 'redirect-localhost'
  return isLoopbackUri(uri) ? undefined : 'redirect-invalid'
}

/**
 * Compares character by character. On a loopback address any port matches, since a program listens on whichever is free
 * (RFC 8252 §7.3).
 */
function matches(registered: string, uri: string): boolean {
  if (registered === uri) return true
  const [, host, , rest] = httpUri.exec(registered) ?? []
  const [, givenHost, port, givenRest] = httpUri.exec(uri) ?? []
  // RFC 9700 §2.1 lets the port of a registered `localhost` address vary too.
  return host !== undefined && isLoopback(host) && host === givenHost && rest === givenRest && isPort(port)
}

function isLoopbackUri(uri: string): boolean {
  const match = loopbackUri.exec(uri)
  return match !== null && isPort(match[1]) && URL.canParse(uri)
}

function isPort(text = '80'): boolean {
  return Number(text) >= 1 && Number(text) <= 65_535
}
