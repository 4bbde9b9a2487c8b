export type Severity = 'error' | 'warning'

/** The message, or the message and what would mend it. */
export type Wording = string | readonly [message: string, hint: string | undefined]

export const onlyCase = 'differ only in case, which not every database tells apart'

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
