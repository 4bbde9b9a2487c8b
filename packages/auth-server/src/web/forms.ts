import type { HttpRequest } from '@portico/http'
import { isSame, signatureOf } from '../secrets.ts'

/** Whether the browser says that a page of this site sent the request, says otherwise, or says nothing. */
export function readSender({ headers }: HttpRequest, origin: string): 'own' | 'other' | 'unknown' {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return 'other'
  // A page with `Referrer-Policy: no-referrer` sends `Origin: null`; a page without an origin is never `same-origin`.
  if (headers.origin === 'null' && site === 'same-origin') return 'own'
  if (headers.origin !== undefined && headers.origin !== origin) return 'other'
  return headers.origin === undefined && site === undefined ? 'unknown' : 'own'
}

/** Signs forms, each for one purpose, so that nobody but the page that showed a form can send it. */
export class Forms {
  readonly #key: Uint8Array
  readonly #origin: string

  constructor(key: Uint8Array, origin: string) {
    this.#key = key
    this.#origin = origin
  }

  /** The token of a form: bound to the browser, to whoever is signed in there, and to what the form is about. */
  sign(...about: readonly string[]): string {
    return signatureOf(this.#key, about)
  }

  isGenuine(request: HttpRequest, token: string | undefined, ...about: readonly string[]): boolean {
    return readSender(request, this.#origin) !== 'other' && token !== undefined && isSame(token, this.sign(...about))
  }
}
