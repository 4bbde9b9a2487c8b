const longestQuote = 200
// Control and format characters, line separators and lone surrogates: what could forge lines or colours in a terminal.
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** A server's words made safe for a message: printable, without any of the secrets it may echo, at most 200 characters. */
export function quoteServerText(text: string, secrets: readonly (string | undefined)[]): string {
  let quoted = text.replace(unprintable, '')
  for (const secret of secrets.map((it) => it?.replace(unprintable, ''))) {
    if (secret) quoted = quoted.replaceAll(secret, '…')
  }
  if (quoted.length <= longestQuote) return quoted
  // The cut may fall into the middle of a character.
  return `${quoted.slice(0, longestQuote - 1).replace(/\p{Cs}$/u, '')}…`
}

/** `error` and `error_description` of an OAuth answer as one remark to put behind a message, or nothing. */
export function remarkOf(error: unknown, description: unknown, secrets: readonly (string | undefined)[]): string {
  const words = [error, description].filter((it): it is string => typeof it === 'string' && it !== '')
  return words.length > 0 ? `: ${quoteServerText(words.join(': '), secrets)}` : ''
}
