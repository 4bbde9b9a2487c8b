import type { HttpRequest } from '@portico/http'
import { createSecret, hashOf } from '../secrets.ts'

/**
 * Browsers cap the lifetime of cookies at 400 days (RFC 6265bis §5.5). The server decides how long their content is
 * valid.
 */
const MAX_AGE_SEC = 400 * 86_400

/** The cookies of this server: one identifies the browser, the other holds the session. */
export class Cookies {
  readonly #prefix: string
  readonly #suffix: string
  readonly #attributes: string

  constructor(origin: string) {
    const { protocol, port } = new URL(origin)
    const isSecure = protocol === 'https:'
    // RFC 6265bis §4.1.3.2: only this very host can set a `__Host-` cookie, not a sibling under the same domain.
    this.#prefix = isSecure ? '__Host-' : ''
    // Cookies ignore ports (RFC 6265 §8.5): servers on one machine would overwrite each other’s sessions.
    this.#suffix = port === '' ? '' : `-${port}`
    this.#attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  }

  /** The hash of the browser cookie, if it is set. */
  browserHash(request: HttpRequest): string | undefined {
    const value = this.#read(request, 'portico-browser')
    return value === undefined ? undefined : hashOf(value)
  }

  /** The hash of the browser cookie, and the cookie to set if it is missing. */
  knowBrowser(request: HttpRequest): { hash: string; setCookie: string[] } {
    const known = this.browserHash(request)
    if (known !== undefined) return { hash: known, setCookie: [] }
    const value = createSecret()
    return { hash: hashOf(value), setCookie: [this.#write('portico-browser', value, MAX_AGE_SEC)] }
  }

  get sessionName(): string {
    return this.#nameOf('portico-session')
  }

  session(request: HttpRequest): string | undefined {
    return this.#read(request, 'portico-session')
  }

  setSession(token: string): string {
    return this.#write('portico-session', token, MAX_AGE_SEC)
  }

  clearSession(): string {
    return this.#write('portico-session', '', 0)
  }

  /** Reads only values that this server could have set; anything else counts as no cookie. */
  #read({ headers }: HttpRequest, name: string): string | undefined {
    const start = `${this.#nameOf(name)}=`
    const found = (headers.cookie ?? '')
      .split(';')
      .map((it) => it.trim())
      .filter((it) => it.startsWith(start))
    const value = found.length === 1 ? found[0]!.slice(start.length) : ''
    return /^[\w-]{43}$/.test(value) ? value : undefined
  }

  #write(name: string, value: string, maxAgeSec: number): string {
    return `${this.#nameOf(name)}=${value}; ${this.#attributes}; Max-Age=${maxAgeSec}`
  }

  #nameOf(name: string): string {
    return `${this.#prefix}${name}${this.#suffix}`
  }
}
