import type { HttpRequest } from '@portico/http'
import { createSecret, hashOf } from '../secrets.ts'

/** Browsers keep no cookie longer than 400 days (RFC 6265bis §5.5); how long its content counts is for the server to say. */
const LONGEST_SEC = 400 * 86_400

/** The cookies of this server: one that knows a browser, and one for whoever is signed in there. */
export class Cookies {
  readonly #prefix: string
  readonly #suffix: string
  readonly #attributes: string

  constructor(origin: string) {
    const { protocol, port } = new URL(origin)
    const isSecure = protocol === 'https:'
    // RFC 6265bis §4.1.3.2: a `__Host-` cookie can be set by this very host alone, not by a neighbour under its domain.
    this.#prefix = isSecure ? '__Host-' : ''
    // Cookies do not tell ports apart (RFC 6265 §8.5), and servers on one machine would sign each other's people out.
    this.#suffix = port === '' ? '' : `-${port}`
    this.#attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  }

  /** The hash of the browser's own cookie, where it has one. */
  browserHash(request: HttpRequest): string | undefined {
    const value = this.#read(request, 'portico-browser')
    return value === undefined ? undefined : hashOf(value)
  }

  /** The hash of the browser's cookie, and the cookie to set where it has none yet. */
  knowBrowser(request: HttpRequest): { hash: string; setCookie: string[] } {
    const known = this.browserHash(request)
    if (known !== undefined) return { hash: known, setCookie: [] }
    const value = createSecret()
    return { hash: hashOf(value), setCookie: [this.#write('portico-browser', value, LONGEST_SEC)] }
  }

  get sessionName(): string {
    return this.#nameOf('portico-session')
  }

  session(request: HttpRequest): string | undefined {
    return this.#read(request, 'portico-session')
  }

  setSession(token: string): string {
    return this.#write('portico-session', token, LONGEST_SEC)
  }

  clearSession(): string {
    return this.#write('portico-session', '', 0)
  }

  /** Only what this server could have set: anything else is as good as no cookie. */
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
