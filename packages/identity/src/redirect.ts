import { invalidConfig } from './check-options.ts'

/**
 * Where to send a person after the sign-in, made safe: a path of this site comes back in its normal form, a URL of
 * this site as its path, query and fragment, and everything that would lead away from it as `/`.
 *
 * ```ts
 * safeRedirect('/inbox?page=2', 'https://app.example')    // '/inbox?page=2'
 * safeRedirect('//evil.example', 'https://app.example')   // '/'
 * ```
 */
export function safeRedirect(target: string, baseUrl: string): string {
  const base = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (base?.protocol !== 'https:' && base?.protocol !== 'http:')
    throw invalidConfig('`baseUrl` must be an absolute http: or https: URL')
  // Browsers drop tabs and line breaks before they read a URL. `https:e` is a path on https: sites and a host elsewhere.
  if (typeof target !== 'string' || /\p{Cc}/u.test(target) || !/^(\/|https?:\/\/)/i.test(target)) return '/'
  if (!URL.canParse(target, base.origin)) return '/'
  const url = new URL(target, base.origin)
  const path = url.pathname + url.search + url.hash
  // `/.//e` is a path of this site whose normal form `//e` names a host.
  return url.origin === base.origin && !path.startsWith('//') ? path : '/'
}
