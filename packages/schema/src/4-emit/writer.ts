import { quote } from '../1-lex/strings.ts'

const maxWidth = 110

/** Collects the lines of a module. */
export class Writer {
  readonly #lines: string[] = []
  #indent = ''

  line(text = ''): void {
    this.#lines.push(text === '' ? '' : this.#indent + text)
  }

  /** Adds several lines unchanged. */
  raw(lines: string): void {
    this.#lines.push(lines)
  }

  /** Indents everything that `body` writes. */
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

  /** Writes a documentation comment, on one line if it fits. Lone surrogates are replaced, since UTF-8 cannot encode them. */
  doc(text: string): void {
    const safe = text.replaceAll('*/', '*\\/').replace(/\p{Cs}/gu, '\ufffd')
    if (safe.length < maxWidth && !safe.includes('\n')) {
      this.line(`/** ${safe} */`)
      return
    }
    this.line('/**')
    for (const line of safe.split('\n')) this.line(` * ${line}`.trimEnd())
    this.line(' */')
  }

  /** Writes a property of an object literal, over several lines if it does not fit on one. Names must be identifiers. */
  property(name: string, value: unknown): void {
    if (value instanceof Code) this.line(`${name}: ${value.text},`)
    else if (Array.isArray(value)) this.list(name, value.map(toSource))
    else if (isNested(value)) this.#object(name, value)
    else this.line(`${name}: ${toSource(value)},`)
  }

  /** Writes an array property. If it does not fit on one line, each item gets its own line. */
  list(name: string, items: readonly string[]): void {
    const width = items.reduce((sum, it) => sum + it.length + 2, -2)
    if (width <= this.#widthFor(name)) this.line(`${name}: [${items.join(', ')}],`)
    else {
      this.block(`${name}: [`, '],', () => {
        for (const item of items) this.line(`${item},`)
      })
    }
  }

  #object(name: string, value: object): void {
    const flat = flatten(value, this.#widthFor(name))
    if (flat !== undefined) this.line(`${name}: ${flat},`)
    else {
      this.block(`${name}: {`, '},', () => {
        for (const inner in value) this.property(inner, (value as Record<string, unknown>)[inner])
      })
    }
  }

  /** The width left for the value of a property. */
  #widthFor(name: string): number {
    return maxWidth - name.length - this.#indent.length
  }

  toString(): string {
    return `${this.#lines.join('\n')}\n`
  }
}

/** Source text, to be emitted as is inside other values. */
export class Code {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Code)
}

/** A literal on one line. */
export function toSource(value: unknown): string {
  return flatten(value, Number.POSITIVE_INFINITY)!
}

/** A literal on one line, or `undefined` if it exceeds the width. */
function flatten(value: unknown, width: number): string | undefined {
  if (typeof value === 'string') return within(quote(value), width)
  if (!isNested(value)) return within(value instanceof Code ? value.text : String(value), width)
  if (Array.isArray(value)) return flattenList(value, width)
  let text = ''
  for (const name in value) {
    const flat = flatten((value as Record<string, unknown>)[name], width - text.length)
    if (flat === undefined) return undefined
    text += text === '' ? `${name}: ${flat}` : `, ${name}: ${flat}`
    if (text.length > width) return undefined
  }
  return text === '' ? '{}' : `{ ${text} }`
}

function flattenList(list: readonly unknown[], width: number): string | undefined {
  let text = ''
  for (let index = 0; index < list.length; index++) {
    const flat = flatten(list[index], width - text.length)
    if (flat === undefined) return undefined
    text += index === 0 ? flat : `, ${flat}`
    if (text.length > width) return undefined
  }
  return `[${text}]`
}

function within(text: string, width: number): string | undefined {
  return text.length > width ? undefined : text
}
