const simpleEscapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\\': '\\', "'": "'", '"': '"' }

/** The length of the escape at an offset, or 0 if it is not a known escape. */
export function escapeLength(text: string, at: number): number {
  const sign = text[at + 1] ?? ''
  if (sign in simpleEscapes) return 2
  if (sign !== 'u') return 0
  return /^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6)) ? 6 : 0
}

/** The value of a string token, without quotes and with escapes resolved. Unknown escapes are kept. */
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

/** Characters that need an escape: `'`, `\\` and everything that is not printable. */
const unsafe = /[^\x20-\x26\x28-\x5b\x5d-\x7e\xa0-\u2027\u202a-\ufefe\uff00-\uffff]/g

/** A string literal for the schema language and TypeScript, in single quotes unless double quotes avoid escapes. */
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
  // A lone surrogate cannot be written as UTF-8, so it becomes an escape.
  return `${mark}${escaped.replace(/\p{Cs}/gu, escapeCode)}${mark}`
}

function escapeCode(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
}
