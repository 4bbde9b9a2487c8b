import { quote } from '../1-lex/strings.ts'

const identifier = /^[A-Za-z_$][A-Za-z0-9_$]*$/
const widest = 110

/** Collects the lines of a module. */
export class Writer {
  readonly #lines: string[] = []
  #indent = ''

  line(text = ''): void {
    this.#lines.push(text === '' ? '' : this.#indent + text)
  }

  /** Several lines at once, as they are. */
  raw(lines: string): void {
    this.#lines.push(lines)
  }

  /** Writes what `body` writes, two spaces deeper. */
  indented(body: () => void): void {
    const before = this.#indent
    this.#indent += '  '
    body()
    this.#indent = before
  }

  block(open: string, close: string, body: () => void): void {
    this.line(open)
    this.indented(body)
    this.line(close)
  }

  /** A documentation comment, on one line where it fits. Half a character, which no file can hold, becomes its stand-in. */
  doc(text: string): void {
    const lines = text
      .replaceAll('*/', '*\\/')
      .replace(/\p{Cs}/gu, '\ufffd')
      .split('\n')
    if (lines.length === 1 && lines[0]!.length < widest) {
      this.line(`/** ${lines[0]} */`)
      return
    }
    this.line('/**')
    for (const line of lines) this.line(` * ${line}`.trimEnd())
    this.line(' */')
  }

  /** The value of a property of an object literal, broken over lines where one does not fit. */
  property(name: string, value: unknown): void {
    const key = propertyName(name)
    const flat = flatten(value, widest - key.length - this.#indent.length)
    if (flat !== undefined) this.line(`${key}: ${flat},`)
    else if (Array.isArray(value)) {
      this.block(`${key}: [`, '],', () => {
        for (const item of value) this.line(`${toSource(item)},`)
      })
    } else if (isNested(value)) {
      this.block(`${key}: {`, '},', () => {
        for (const inner in value) this.property(inner, (value as Record<string, unknown>)[inner])
      })
    } else this.line(`${key}: ${toSource(value)},`)
  }

  toString(): string {
    return `${this.#lines.join('\n')}\n`
  }
}

/** Source text inside a value that `flatten` writes. */
export class Code {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export function propertyName(name: string): string {
  const known = propertyNames.get(name)
  if (known !== undefined) return known
  const written = identifier.test(name) ? name : quote(name)
  if (propertyNames.size < 1000) propertyNames.set(name, written)
  return written
}

/** The same few names come again and again. */
const propertyNames = new Map<string, string>()

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Code)
}

/** A plain value as a literal on one line. */
export function toSource(value: unknown): string {
  return flatten(value, Number.POSITIVE_INFINITY)!
}

/** A plain value as a literal on one line, or `undefined` as soon as that is wider than allowed. */
function flatten(value: unknown, width: number): string | undefined {
  if (typeof value === 'string') return within(quote(value), width)
  if (!isNested(value)) return within(value instanceof Code ? value.text : String(value), width)
  const isList = Array.isArray(value)
  let text = ''
  for (const name in value) {
    const flat = flatten((value as Record<string, unknown>)[name], width - text.length)
    if (flat === undefined) return undefined
    const part = isList ? flat : `${propertyName(name)}: ${flat}`
    text += text === '' ? part : `, ${part}`
    if (text.length > width) return undefined
  }
  if (isList) return `[${text}]`
  return text === '' ? '{}' : `{ ${text} }`
}

function within(text: string, width: number): string | undefined {
  return text.length > width ? undefined : text
}
