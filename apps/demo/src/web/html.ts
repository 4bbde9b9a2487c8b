/** Text that is markup already, and goes out as it is. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Piece = Markup | string | number | undefined | false | readonly Markup[]

/** Makes markup. Text that is put in is escaped, markup is not, and nothing is left by `false` and `undefined`. */
export function html(texts: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  return new Markup(String.raw({ raw: texts }, ...pieces.map(write)))
}

function write(piece: Piece): string {
  if (piece === false || piece === undefined) return ''
  if (piece instanceof Markup) return piece.text
  if (typeof piece === 'object') return piece.map(write).join('')
  return String(piece).replace(/[&<>"']/g, (it) => `&#${it.charCodeAt(0)};`)
}
