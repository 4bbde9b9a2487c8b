import { quote } from '../1-lex/strings.ts'

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
    const safe = text.replaceAll('*/', '*\\/').replace(/\p{Cs}/gu, '\ufffd')
    if (safe.length < widest && !safe.includes('\n')) {
      this.line(`/** ${safe} */`)
      return
    }
    this.line('/**')
    for (const line of safe.split('\n')) this.line(` * ${line}`.trimEnd())
    this.line(' */')
  }

  /** A property of an object literal, its value broken over lines where one does not fit. Names are identifiers everywhere. */
  property(name: string, value: unknown): void {
    if (value instanceof Code) this.line(`${name}: ${value.text},`)
    else if (Array.isArray(value)) this.list(name, value.map(toSource))
    else if (isNested(value)) this.#object(name, value)
    else this.line(`${name}: ${toSource(value)},`)
  }

  /** A property whose value is a list of source texts, each on a line of its own where one does not fit all. */
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

  /** How wide what a property holds may be on its line. */
  #widthFor(name: string): number {
    return widest - name.length - this.#indent.length
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
