/** Texts that YAML readers, old ones too, would take for something else than text. */
const notText = /^(?:~|null|true|false|yes|no|on|off|y|n|[-+]?(?:\.?\d|0[xob]|\.(?:inf|nan)).*|=|<<)$/i

/** What may stand without quotes: begins with a letter, and holds no sign that means anything in YAML. */
const plainText = /^[A-Za-z_/$](?:[\w ./$+(),;!?'{}*=<>-]*[\w./$+(),;!?'{}*=<>-])?$/

/** What a block may hold line by line: printable text that does not begin with a space. */
const blockLine = /^(?:[^\s\p{C}][^\p{C}\u2028\u2029\u0085]*)?$/u

/**
 * Writes plain data as YAML 1.2, readable and exact: what any YAML reader makes of it is the data again. Long texts
 * stand in blocks; whatever could be mistaken is quoted as JSON, which YAML contains.
 */
export function writeYaml(value: unknown): string {
  return `${writeNode(value, 0).trimStart()}\n`
}

/** A value with what goes between it and the key or dash in front: a space, or a line end. */
function writeNode(value: unknown, depth: number): string {
  if (Array.isArray(value)) return value.length === 0 ? ' []' : writeList(value, depth)
  if (typeof value === 'object' && value !== null) {
    // As JSON has it: dates, for one, are texts there.
    if ('toJSON' in value && typeof value.toJSON === 'function')
      return writeNode((value.toJSON as () => unknown)(), depth)
    const entries = Object.entries(value).filter(([, it]) => it !== undefined)
    return entries.length === 0 ? ' {}' : writeMap(entries, depth)
  }
  return ` ${typeof value === 'string' ? writeText(value, depth) : (JSON.stringify(value) ?? 'null')}`
}

function writeList(items: readonly unknown[], depth: number): string {
  const indent = '  '.repeat(depth)
  // What is inside an item begins on the line of its dash.
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

/** JSON leaves three line ends of Unicode as they are, which YAML readers fold. */
function quote(text: string): string {
  return JSON.stringify(text).replaceAll(/[\u007f-\u009f\u2028\u2029\ufeff]/g, (sign) => {
    return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
