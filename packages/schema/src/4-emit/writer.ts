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

  /** A documentation comment, on one line where it fits. */
  doc(text: string): void {
    const lines = text.replaceAll('*/', '*\\/').split('\n')
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
    const flat = flatten(value)
    const key = propertyName(name)
    if (flat.length + key.length + this.#indent.length < widest || !isNested(value)) this.line(`${key}: ${flat},`)
    else if (Array.isArray(value)) {
      this.block(`${key}: [`, '],', () => {
        for (const item of value) this.line(`${flatten(item)},`)
      })
    } else {
      this.block(`${key}: {`, '},', () => {
        for (const [inner, it] of Object.entries(value)) if (it !== undefined) this.property(inner, it)
      })
    }
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
  return identifier.test(name) ? name : quote(name)
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Code)
}

/** A plain value as a literal on one line. */
function flatten(value: unknown): string {
  if (value instanceof Code) return value.text
  if (typeof value === 'string') return quote(value)
  if (!isNested(value)) return String(value)
  if (Array.isArray(value)) return `[${value.map(flatten).join(', ')}]`
  const parts: string[] = []
  for (const name in value) {
    const inner = (value as Record<string, unknown>)[name]
    if (inner !== undefined) parts.push(`${propertyName(name)}: ${flatten(inner)}`)
  }
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
}
