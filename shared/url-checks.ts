import { isLoopback } from './loopback.ts'
import { expecting, type OptionCheck } from './option-checks.ts'

/** An address without credentials: they end up in logs, and `fetch` refuses them. */
export const httpUrl: OptionCheck = expecting('an http: or https: URL without credentials', (value) => {
  const url = parseUrl(value)
  return url !== undefined && /^https?:$/.test(url.protocol) && !hasCredentials(url)
})

/** An address for secrets: over TLS unless it stays on this machine. RFC 6749 §3.1 forbids the fragment. */
export const httpsUrl: OptionCheck = expecting(
  'an https: URL (or http: on a loopback host) without fragment or credentials',
  (value) => {
    const url = parseUrl(value)
    if (url?.hash !== '' || hasCredentials(url)) return false
    return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
  },
)

function parseUrl(value: unknown): URL | undefined {
  return typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined
}

function hasCredentials(url: URL): boolean {
  return url.username !== '' || url.password !== ''
}
