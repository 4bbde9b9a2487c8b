export type Severity = 'error' | 'warning'

/** The message, optionally with a hint that says how to fix it. */
export type Wording = string | readonly [message: string, hint: string | undefined]

export const onlyCase = 'differ only in case, which some databases ignore'

export function meant(name: string | undefined): string | undefined {
  return name && `did you mean \`${name}\`?`
}

export function cut(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

export function list(words: readonly string[]): string {
  const quoted = words.map((word) => `\`${word.replaceAll('`', '')}\``)
  return quoted.length < 2 ? quoted.join() : `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`
}
