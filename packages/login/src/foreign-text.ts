const MAX_QUOTE_LENGTH = 200
// Control and format characters, line separators and lone surrogates could forge lines or colours in a terminal.
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu
// Fields of a callback or token response that are safe to show; every other one may be a secret.
const shown = ['error', 'error_description', 'error_uri', 'iss', 'scope', 'token_type']

/** Makes text from outside safe for a message. Servers and libraries may echo the secrets of a login: it removes them. */
export class ForeignText {
  readonly #secrets = new Set<string>()

  /** Adds values that no message may contain. */
  keepOut(...secrets: string[]): void {
    for (const secret of secrets) this.#secrets.add(strip(secret))
  }

  /** Adds every value of a response, except the fields that are safe to show. */
  keepOutFields(fields: Iterable<[string, unknown]>): void {
    for (const [name, value] of fields) {
      if (typeof value === 'string' && !shown.includes(name)) this.keepOut(value)
    }
  }

  /** The text without unprintable characters and secrets, at most 200 characters. */
  quote(text: string): string {
    let quoted = strip(text)
    // Longest first: a secret may contain another one.
    for (const secret of [...this.#secrets].sort((a, b) => b.length - a.length)) {
      if (secret !== '') quoted = quoted.replaceAll(secret, '…')
    }
    if (quoted.length <= MAX_QUOTE_LENGTH) return quoted
    // The cut may split a surrogate pair.
    return `${quoted.slice(0, MAX_QUOTE_LENGTH - 1).replace(/\p{Cs}$/u, '')}…`
  }

  /**
   * The end of a message about an error response: `: invalid_grant, in the server’s words “too old”`. Anything but a plain
   * code is in quotation marks that it cannot close, so that nobody takes it for our text.
   */
  quoteRefusal(error: unknown, description: unknown): string {
    const text = String(error)
    const code = /^[a-z_]{1,40}$/.test(text) ? `: ${this.quote(text)}` : ''
    const words = typeof description === 'string' ? this.quote(description).replace(/["“”]/g, "'") : ''
    return code + (words && `, in the server’s words “${words}”`)
  }

  /** The code of a network error such as `ECONNREFUSED`, otherwise the error's message. */
  quoteFailure(error: unknown): string {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return readCode(cause) ?? this.quote(cause instanceof Error ? cause.message : String(cause))
  }

  /**
   * A copy of an error for `cause`, with only its name, code and safe message. The error itself may hold the request or the
   * raw response, and with them the code or a token.
   */
  copyCause(error: unknown, depth = 0): ErrorOptions {
    if (!(error instanceof Error) || depth > 4) return {}
    const copy = new Error(this.quote(error.message), this.copyCause(error.cause, depth + 1))
    const code = readCode(error)
    return { cause: Object.assign(copy, { name: this.quote(error.name), stack: undefined }, code && { code }) }
  }
}

function strip(text: string): string {
  return text.replace(unprintable, '')
}

function readCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? code : undefined
}
