const simpleEscapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\\': '\\', "'": "'", '"': '"' }

/** The length of the escape at an offset, or 0 when the language has no such escape. */
export function escapeLength(text: string, at: number): number {
  const sign = text[at + 1] ?? ''
  if (sign in simpleEscapes) return 2
  if (sign !== 'u') return 0
  return /^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6)) ? 6 : 0
}

/** The value of a string token, quotes and escapes taken away. An unknown escape stands for itself. */
export function readString(written: string): string {
  const quote = written[0] ?? ''
  const closed = written.length > 1 && written.endsWith(quote)
  const body = written.slice(1, closed ? -1 : undefined)
  if (!body.includes('\\')) return body
  return body.replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (_, hex: string | undefined, sign: string) =>
    hex === undefined ? (simpleEscapes[sign] ?? sign) : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

const safe = /^[\x20-\x26\x28-\x5b\x5d-\x7e]*$/

/** Everything but printable characters other than `'` and `\\`. */
const unsafe = /[^\x20-\x26\x28-\x5b\x5d-\x7e\xa0-\u2027\u202a-\ufefe\uff00-\uffff]/g

/** Writes a value as a string literal, in single quotes unless that needs escapes, for the schema language and TypeScript alike. */
export function quote(value: string): string {
  if (safe.test(value)) return `'${value}'`
  const mark = value.includes("'") && !value.includes('"') ? '"' : "'"
  const escaped = value.replace(unsafe, (sign) => {
    if (sign === "'" && mark === '"') return sign
    if (sign === '\\' || sign === "'") return `\\${sign}`
    if (sign === '\n') return '\\n'
    if (sign === '\r') return '\\r'
    if (sign === '\t') return '\\t'
    return escapeCode(sign)
  })
  // Half of a character cannot be written as UTF-8, so it stays an escape.
  return `${mark}${escaped.replace(/\p{Cs}/gu, escapeCode)}${mark}`
}

function escapeCode(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
}
