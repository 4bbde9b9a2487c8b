import type { HttpRequest } from '@portico/http'
import { isSame, signatureOf } from '../secrets.ts'

/** The sender of a request, as far as the browser reports it: a page of this site, another page, or unknown. */
export function readSender({ headers }: HttpRequest, origin: string): 'own' | 'other' | 'unknown' {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return 'other'
  // A page with `Referrer-Policy: no-referrer` sends `Origin: null`; a page with an opaque origin is never
  // `same-origin`.
  if (headers.origin === 'null' && site === 'same-origin') return 'own'
  if (headers.origin !== undefined && headers.origin !== origin) return 'other'
  return headers.origin === undefined && site === undefined ? 'unknown' : 'own'
}

/** Signs forms, each for one purpose, so that only the page that showed a form can send it. */
export class Forms {
  readonly #key: Uint8Array
  readonly #origin: string

  constructor(key: Uint8Array, origin: string) {
    this.#key = key
    this.#origin = origin
  }

  /** The token of a form, bound to everything in `about`: the browser, the session, the subject of the form. */
  sign(...about: readonly string[]): string {
    return signatureOf(this.#key, about)
  }

  isGenuine(request: HttpRequest, token: string | undefined, ...about: readonly string[]): boolean {
    return readSender(request, this.#origin) !== 'other' && token !== undefined && isSame(token, this.sign(...about))
  }
}
