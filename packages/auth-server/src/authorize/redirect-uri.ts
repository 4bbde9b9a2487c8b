import { isLoopback } from '@portico/identity'
import type { RegisteredClient } from '../clients.ts'
import type { PageProblem } from '../pages/problems.ts'

/** RFC 8252 §7.3: an IP literal of the loopback interface, any port; path and query are the program's own. */
const loopbackUri = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?(?:\/[\x21\x24-\x5b\x5d-\x7e]*)?$/

/** An http address in three parts: host, port, and what follows. */
const httpUri = /^http:\/\/([\w.-]+|\[::1\])(?::(\d{1,5}))?((?:[/?].*)?)$/

/** Longer than a redirect URI needs to be. It is kept with every request. */
const MAX_LENGTH = 2048

/**
 * What is wrong with a redirect URI, if anything. Text is compared, never parsed URLs: two readers of a URL may differ,
 * two readers of text do not (RFC 9700 §4.1.3).
 */
export function checkRedirectUri(
  uri: string | undefined,
  client: RegisteredClient | undefined,
): PageProblem | undefined {
  if (uri === undefined || uri.length > MAX_LENGTH) return 'redirect-invalid'
  if (client) return client.redirectUris.some((it) => matches(it, uri)) ? undefined : 'redirect-invalid'
  // RFC 8252 §8.3: what "localhost" resolves to is for the machine to say, and may be another one.
  if (/^http:\/\/localhost(?:[:/?]|$)/i.test(uri)) return 'redirect-localhost'
  return isLoopbackUri(uri) ? undefined : 'redirect-invalid'
}

/** Character by character; on a loopback address any port will do, since a program takes the one that is free (RFC 8252 §7.3). */
function matches(registered: string, uri: string): boolean {
  if (registered === uri) return true
  const [, host, , rest] = httpUri.exec(registered) ?? []
  const [, givenHost, port, givenRest] = httpUri.exec(uri) ?? []
  // RFC 9700 §2.1 has the port of `localhost` vary too, where it is registered.
  return host !== undefined && isLoopback(host) && host === givenHost && rest === givenRest && isPort(port)
}

function isLoopbackUri(uri: string): boolean {
  const match = loopbackUri.exec(uri)
  return match !== null && isPort(match[1]) && URL.canParse(uri)
}

function isPort(text = '80'): boolean {
  return Number(text) >= 1 && Number(text) <= 65_535
}
