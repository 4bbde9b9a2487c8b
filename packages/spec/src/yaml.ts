/** Strings that YAML parsers, including old ones, would read as another type. */
const notText = /^(?:~|null|true|false|yes|no|on|off|y|n|[-+]?(?:\.?\d|0[xob]|\.(?:inf|nan)).*|=|<<)$/i

/** Strings that need no quotes: they begin with a letter and contain no character that is special in YAML. */
const plainText = /^[A-Za-z_/$](?:[\w ./$+(),;!?'{}*=<>-]*[\w./$+(),;!?'{}*=<>-])?$/

/** A line of a block scalar: printable text that does not begin with a space. */
const blockLine = /^(?:[^\s\p{C}][^\p{C}\u2028\u2029\u0085]*)?$/u

/**
 * Writes plain data as readable YAML 1.2 that every parser reads back unchanged. Multi-line strings are block scalars;
 * ambiguous strings are quoted as in JSON, which YAML includes.
 */
export function writeYaml(value: unknown): string {
  return `${writeNode(value, 0).trimStart()}\n`
}

/** A value with its separator from the key or dash before it: a space or a line break. */
function writeNode(value: unknown, depth: number): string {
  if (Array.isArray(value)) return value.length === 0 ? ' []' : writeList(value, depth)
  if (typeof value === 'object' && value !== null) {
    // As in JSON, where a Date, for example, becomes a string.
    if ('toJSON' in value && typeof value.toJSON === 'function')
      return writeNode((value.toJSON as () => unknown)(), depth)
    const entries = Object.entries(value).filter(([, it]) => it !== undefined)
    return entries.length === 0 ? ' {}' : writeMap(entries, depth)
  }
  return ` ${typeof value === 'string' ? writeText(value, depth) : (JSON.stringify(value) ?? 'null')}`
}

function writeList(items: readonly unknown[], depth: number): string {
  const indent = '  '.repeat(depth)
  // The content of an item begins on the line of its dash.
  return items.map((it) => `\n${indent}- ${writeNode(it, depth + 1).trimStart()}`).join('')
}

function writeMap(entries: readonly (readonly [string, unknown])[], depth: number): string {
  const indent = '  '.repeat(depth)
  return entries.map(([key, it]) => `\n${indent}${writeKey(key)}:${writeNode(it, depth + 1)}`).join('')
}

function writeKey(key: string): string {
  return isPlain(key) ? key : quote(key)
}

function writeText(text: string, depth: number): string {
  if (isPlain(text)) return text
  const lines = text.split('\n')
  if (lines.length === 1 || !lines.every((it) => blockLine.test(it)) || lines.at(-1) === '' || lines[0] === '') {
    return quote(text)
  }
  const indent = '  '.repeat(depth)
  return `|-\n${lines.map((it) => (it === '' ? '' : indent + it)).join('\n')}`
}

function isPlain(text: string): boolean {
  return plainText.test(text) && !notText.test(text)
}

/** JSON does not escape Unicode line breaks, which YAML parsers fold. */
function quote(text: string): string {
  return JSON.stringify(text).replaceAll(/[\u007f-\u009f\u2028\u2029\ufeff]/g, (sign) => {
    return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
