const longestQuote = 200
// Control and format characters, line separators and lone surrogates: what could forge lines or colours in a terminal.
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu
// Fields of a callback or token response that are meant to be shown; every other one may be a secret.
const shown = ['error', 'error_description', 'error_uri', 'iss', 'scope', 'token_type']

/** Makes words from outside safe for a message. It knows the secrets of one login, which servers and libraries may echo. */
export class ForeignText {
  readonly #secrets = new Set<string>()

  /** Adds values that no message may hold. */
  keepOut(...secrets: string[]): void {
    for (const secret of secrets) this.#secrets.add(strip(secret))
  }

  /** Adds every value of an answer but those that are meant to be shown. */
  keepOutFields(fields: Iterable<[string, unknown]>): void {
    for (const [name, value] of fields) {
      if (typeof value === 'string' && !shown.includes(name)) this.keepOut(value)
    }
  }

  /** The text in printable characters, at most 200 of them, without any of the secrets. */
  quote(text: string): string {
    let quoted = strip(text)
    // The longest first: a secret may contain another one.
    for (const secret of [...this.#secrets].sort((a, b) => b.length - a.length)) {
      if (secret !== '') quoted = quoted.replaceAll(secret, '…')
    }
    if (quoted.length <= longestQuote) return quoted
    // The cut may fall into the middle of a character.
    return `${quoted.slice(0, longestQuote - 1).replace(/\p{Cs}$/u, '')}…`
  }

  /** What was said of a refusal: a code as it is, all else quoted, so that it cannot pass for ours. */
  quoteRefusal(error: unknown, description?: unknown): string {
    const isCode = typeof error === 'string' && /^[\w.-]{1,64}$/.test(error)
    const words = [isCode ? '' : error, description].filter((it) => typeof it === 'string' && it !== '').join(': ')
    const quoted = words && `in the server’s words “${this.quote(words).replace(/["“”]/g, "'")}”`
    const said = [isCode && this.quote(error), quoted].filter(Boolean).join(', ')
    return said && `: ${said}`
  }

  /** Why a request failed, in a word: the network's code where there is one. */
  quoteFailure(error: unknown): string {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return readCode(cause) ?? this.quote(cause instanceof Error ? cause.message : String(cause))
  }

  /**
   * A failure as the `cause` to keep: names, codes and safe messages alone. The errors themselves may carry the request or
   * the raw answer, and with them the code or a token.
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
