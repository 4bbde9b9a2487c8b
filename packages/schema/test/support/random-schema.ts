import type { Random } from './random.ts'

const scalars = [
  'string',
  'string.email',
  'number',
  'number.int',
  'number.timestamp',
  'boolean',
  'decimal',
  'null',
  "'a'",
  '"b"',
  '-1.5',
  '2e3',
  'true',
  'T0',
  'T1.a',
]
const annotations = [
  '@meta.id',
  "@db.column 'c'",
  '@db.index.plain',
  "@db.index.plain 'x', 'desc'",
  '@db.rel.via T0',
  '@meta.label "it\'s"',
  "@expect.min 1, 'low'",
]
const comments = [
  '// line',
  '/* block */',
  '/** doc */',
  '/* two\n * lines */',
  '/**\n   * Doc\n * of lines.\n */',
  '// é 😀',
  '/* loose\n     lines */',
]

/** A syntactically valid schema in an odd layout, with comments in every place that allows one. */
export function randomSchema(random: Random): string {
  return new SchemaWriter(random).write()
}

class SchemaWriter {
  readonly #random: Random
  #text = ''

  constructor(random: Random) {
    this.#random = random
  }

  write(): string {
    const random = this.#random
    for (let count = random.below(3); count > 0; count--) this.#import()
    for (let count = 1 + random.below(4); count > 0; count--) this.#declaration(count)
    this.#space()
    return this.#text
  }

  #import(): void {
    this.#put('import')
    this.#put('{')
    for (let count = 1 + this.#random.below(3); count > 0; count--) {
      this.#put(`A${count}`)
      if (count > 1 || this.#random.chance(0.3)) this.#put(',')
    }
    this.#put('}')
    this.#put('from')
    this.#put(this.#random.pick(["'./a'", '"./b"']))
    if (this.#random.chance(0.3)) this.#put(';')
  }

  #declaration(index: number): void {
    const random = this.#random
    this.#lineBreak()
    for (let count = random.below(3); count > 0; count--) this.#annotation()
    if (random.chance(0.5)) this.#put('export')
    if (random.chance(0.3)) {
      this.#put('type')
      this.#put(`T${index}`)
      this.#put('=')
      this.#type(0)
      if (random.chance(0.3)) this.#put(';')
      return
    }
    this.#put('interface')
    this.#put(`T${index}`)
    if (random.chance(0.3)) {
      this.#put('extends')
      this.#put('B0')
      if (random.chance(0.5)) {
        this.#put(',')
        this.#put('B1')
      }
    }
    this.#object(0)
  }

  /** The name and its first argument share a line, so no comment that may break one stands between them. */
  #annotation(): void {
    this.#space()
    this.#text += `${this.#random.pick(annotations)}\n`
  }

  #object(depth: number): void {
    const random = this.#random
    this.#put('{')
    for (let count = random.below(5); count > 0; count--) {
      if (random.chance(0.3)) {
        this.#lineBreak()
        this.#annotation()
      }
      this.#put(random.pick(['a', 'type', 'export', 'toString', 'field', '$x_1', 'import', 'interface']))
      if (random.chance(0.3)) this.#put('?')
      this.#put(':')
      this.#type(depth + 1)
      const separator = random.pick([',', ';', '\n', ',\n', ' // end\n', '/* x */,'])
      this.#text += separator
    }
    this.#put('}')
  }

  #type(depth: number): void {
    const random = this.#random
    if (random.chance(0.1)) this.#put('|')
    for (let count = random.chance(0.3) ? 1 + random.below(9) : 1; count > 0; count--) {
      this.#member(depth)
      if (count > 1) this.#put('|')
    }
  }

  #member(depth: number): void {
    const random = this.#random
    if (depth < 4 && random.chance(0.25)) this.#object(depth)
    else if (depth < 4 && random.chance(0.1)) {
      this.#put('(')
      this.#type(depth + 1)
      this.#put(')')
    } else this.#put(random.pick(scalars))
    while (random.chance(0.15)) {
      this.#put('[')
      this.#put(']')
    }
  }

  #put(token: string): void {
    this.#space()
    this.#text += token
  }

  #space(): void {
    const random = this.#random
    this.#text += random.pick([' ', ' ', ' ', '  ', '\t', '\r\n', '\n', '\n\n\n'])
    if (!random.chance(0.06)) return
    const comment = random.pick(comments)
    this.#text += comment.startsWith('//') ? `${comment}\n` : `${comment} `
  }

  #lineBreak(): void {
    this.#text += '\n'
  }
}
