// Copied from shared/loopback.ts by `npm run copies`; edit it there.
/**
 * True if the host of a URL, as in `url.hostname`, is this machine: `localhost`, 127.0.0.0/8 or `[::1]`. Per RFC 6761
 * §6.3, `localhost` resolves only to loopback addresses.
 *
 * ```ts
 * isLoopback(new URL('http://127.0.0.1:3000').hostname) // true
 * ```
 */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}
