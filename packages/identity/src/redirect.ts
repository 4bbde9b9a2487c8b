import { invalidConfig } from './check-options.ts'

/**
 * Makes the target of a redirect after sign-in safe. Returns a path of this site in normal form, and a URL of this site as
 * path, query and fragment. Returns `/` for everything that would lead to another site.
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
  // Browsers remove tabs and line breaks from a URL. `https:e` is a path on https: sites, but a host elsewhere.
  if (typeof target !== 'string' || /\p{Cc}/u.test(target) || !/^(\/|https?:\/\/)/i.test(target)) return '/'
  if (!URL.canParse(target, base.origin)) return '/'
  const url = new URL(target, base.origin)
  const path = url.pathname + url.search + url.hash
  // `/.//e` is a path of this site, but its normal form `//e` is a host.
  return url.origin === base.origin && !path.startsWith('//') ? path : '/'
}
