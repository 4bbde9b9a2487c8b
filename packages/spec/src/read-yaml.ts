import { SpecError } from './errors.ts'

/** A quoted string, written as in JSON. */
const quoted = /^"(?:[^"\\]|\\.)*"/

/**
 * Reads YAML that `writeYaml` wrote. Other YAML, such as comments, anchors and folded lines, is a `SpecError` that names
 * the line.
 */
export function readYaml(text: string): unknown {
  const reader = new YamlReader(text)
  const value = reader.readNode(0)
  reader.expectEnd()
  return value
}

class YamlReader {
  readonly #lines: string[]
  #at = 0

  constructor(text: string) {
    this.#lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
  }

  /** The value that begins in this line at this column. */
  readNode(column: number): unknown {
    const rest = this.#rest(column)
    if (rest.startsWith('- ')) return this.#readList(column)
    return splitKey(rest) ? this.#readMap(column) : this.#readScalar(rest, column)
  }

  expectEnd(): void {
    if (this.#at < this.#lines.length) throw this.#refuse()
  }

  #readList(column: number): unknown[] {
    const items: unknown[] = []
    while (this.#isAt(column) && this.#rest(column).startsWith('- ')) {
      // The content of an item begins on the line of its dash, as if the dash were a space.
      this.#lines[this.#at] = `${' '.repeat(column + 2)}${this.#rest(column + 2)}`
      items.push(this.readNode(column + 2))
    }
    return items
  }

  #readMap(column: number): Record<string, unknown> {
    const entries: [string, unknown][] = []
    while (this.#isAt(column)) {
      const found = splitKey(this.#rest(column))
      if (!found) throw this.#refuse()
      const [key, rest] = found
      if (entries.some(([other]) => other === key)) throw this.#refuse()
      if (rest !== '') entries.push([key, this.#readScalar(rest, column + 2)])
      else {
        this.#at += 1
        if (!this.#isAt(column + 2)) throw this.#refuse()
        entries.push([key, this.readNode(column + 2)])
      }
    }
    return Object.fromEntries(entries)
  }

  #readScalar(text: string, column: number): unknown {
    if (text === '|-') return this.#readBlock(column)
    const value = parseScalar(text)
    if (value === undefined) throw this.#refuse()
    this.#at += 1
    return value
  }

  #readBlock(column: number): string {
    const lines: string[] = []
    this.#at += 1
    for (; this.#at < this.#lines.length; this.#at += 1) {
      const line = this.#lines[this.#at]!
      if (line !== '' && !line.startsWith(' '.repeat(column))) break
      lines.push(line.slice(column))
    }
    return lines.join('\n')
  }

  /** True if the current line begins exactly at this column. */
  #isAt(column: number): boolean {
    return this.#at < this.#lines.length && this.#lines[this.#at]!.search(/\S|$/) === column
  }

  #rest(column: number): string {
    return this.#lines[this.#at]!.slice(column)
  }

  #refuse(): SpecError {
    return new SpecError('YAML_UNKNOWN', `line ${this.#at + 1} is not as writeYaml writes it`)
  }
}

/** The key at the start of a line, and the text after its colon. */
function splitKey(line: string): [key: string, rest: string] | undefined {
  const [key] = line.match(quoted) ?? line.match(/^[\w/$][^:"]*/) ?? []
  if (key === undefined || !/^:(?: |$)/.test(line.slice(key.length))) return undefined
  const name = key.startsWith('"') ? parseScalar(key) : key
  return typeof name === 'string' ? [name, line.slice(key.length + 2)] : undefined
}

function parseScalar(text: string): unknown {
  if (/^[A-Za-z_/$][^:#]*$/.test(text) && !/^(?:true|false|null)$/.test(text)) return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
