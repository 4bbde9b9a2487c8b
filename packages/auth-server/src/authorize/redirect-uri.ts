import type { RegisteredClient } from '../clients.ts'
import type { PageProblem } from '../pages/problems.ts'

/** RFC 8252 §7.3: an IP literal of the loopback interface, any port; path and query are the program's own. */
const loopbackUri = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?(?:\/[\x21\x24-\x5b\x5d-\x7e]*)?$/

/**
 * What is wrong with a redirect URI, if anything. Text is compared, never parsed URLs: two readers of a URL may differ,
 * two readers of text do not (RFC 9700 §4.1.3).
 */
export function checkRedirectUri(
  uri: string | undefined,
  client: RegisteredClient | undefined,
): PageProblem | undefined {
  if (uri === undefined) return 'redirect-invalid'
  if (client) return client.redirectUris.includes(uri) ? undefined : 'redirect-invalid'
  // RFC 8252 §8.3: what "localhost" resolves to is for the machine to say, and may be another one.
  if (/^http:\/\/localhost(?:[:/?]|$)/i.test(uri)) return 'redirect-localhost'
  return isLoopbackUri(uri) ? undefined : 'redirect-invalid'
}

function isLoopbackUri(uri: string): boolean {
  const match = loopbackUri.exec(uri)
  const port = Number(match?.[1] ?? 80)
  return match !== null && port >= 1 && port <= 65_535 && URL.canParse(uri)
}
