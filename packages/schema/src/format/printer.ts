import type { Comment, TokenKind } from '../1-lex/token.ts'
import type { Layout } from './layout.ts'
import { type Gap, Output } from './output.ts'

/** Objects and unions that exceed this width are broken over several lines. */
const maxWidth = 100

/** Prints tokens without syntax errors in the standard style. */
export class Printer {
  readonly #text: string
  readonly #layout: Layout
  readonly #out: Output
  #index = 0
  /** The source offset after the last token, printed or dropped. */
  #end = 0
  /** The comments of dropped tokens. */
  #carried: Comment[] = []

  constructor(text: string, layout: Layout) {
    this.#text = text
    this.#layout = layout
    this.#out = new Output(text)
  }

  print(): string {
    let before: 'import' | 'declaration' | undefined
    while (!this.#at('end')) {
      const item = this.#word() === 'import' ? 'import' : 'declaration'
      const gap = before === 'import' && item === 'import' ? this.#sourceGap() : 'blank'
      if (item === 'import') this.#import(gap)
      else this.#declaration(gap)
      before = item
    }
    const comments = [...this.#carried, ...this.#layout.comments[this.#index]!]
    this.#out.comments(comments, this.#sourceGap(), this.#end)
    return this.#out.toString()
  }

  #import(gap: Gap): void {
    this.#take(gap)
    this.#take('space')
    while (!this.#at('}')) {
      this.#take('space')
      if (this.#layout.tokens[this.#index + 1]?.kind === '}') this.#drop(',')
      else if (this.#at(',')) this.#take('none')
    }
    this.#take('space')
    this.#take('space')
    this.#take('space')
    this.#drop(';')
  }

  #declaration(gap: Gap): void {
    let next = gap
    while (this.#at('annotation')) {
      this.#annotation(next)
      next = 'line'
    }
    if (this.#word() === 'export') {
      this.#take(next)
      next = 'space'
    }
    const isInterface = this.#word() === 'interface'
    this.#take(next)
    this.#take('space')
    if (isInterface) this.#interfaceRest()
    else {
      this.#take('space')
      this.#type('space')
      this.#drop(';')
    }
  }

  #interfaceRest(): void {
    while (!this.#at('{')) this.#take(this.#at(',') ? 'none' : 'space')
    this.#object('space', true)
  }

  /** An annotation and its comma-separated arguments. */
  #annotation(gap: Gap): void {
    this.#take(gap)
    if (!this.#atArgument()) return
    this.#take('space')
    while (this.#at(',')) {
      this.#take('none')
      this.#take('space')
    }
  }

  #atArgument(): boolean {
    const token = this.#layout.tokens[this.#index]!
    if (token.startsLine) return false
    if (token.kind === 'string' || token.kind === 'number') return true
    const after = this.#layout.tokens[this.#index + 1]?.kind
    const isField = after === ':' || (after === '?' && this.#layout.tokens[this.#index + 2]?.kind === ':')
    const isKeyword = ['export', 'interface', 'type'].includes(this.#word()) && after === 'name'
    return token.kind === 'name' && !isField && !isKeyword
  }

  #object(gap: Gap, isBody: boolean): void {
    const open = this.#index
    const close = this.#layout.closing.get(open)!
    const isEmpty = close === open + 1 && this.#layout.isPlain(open, close)
    const inline = !isBody && this.#fitsInline(open, close)
    this.#take(gap)
    if (isEmpty) {
      this.#take('none')
      return
    }
    if (!inline) this.#out.indent += 1
    for (let first = true; !this.#at('}'); first = false) {
      this.#field(inline ? 'space' : first ? 'line' : this.#sourceGap())
      this.#separator(inline)
    }
    if (inline) this.#take('space')
    else this.#closeBroken()
  }

  /** Comments before the closing brace are indented like fields; the brace is not. */
  #closeBroken(): void {
    const gap = this.#sourceGap()
    this.#out.comments(this.#takeComments(), gap, this.#end)
    this.#out.indent -= 1
    this.#out.token('}', 'line')
    this.#end = this.#layout.tokens[this.#index]!.end
    this.#index += 1
  }

  /** An object stays on one line if it was written on one, contains only fields, and fits. */
  #fitsInline(open: number, close: number): boolean {
    const layout = this.#layout
    if (!layout.isPlain(open, close) || layout.hasBreak(open, close)) return false
    return this.#out.column + layout.widthOf(open, close) <= maxWidth
  }

  #field(gap: Gap): void {
    let next = gap
    while (this.#at('annotation')) {
      this.#annotation(next)
      next = 'line'
    }
    this.#take(next)
    if (this.#at('?')) this.#take('none')
    this.#take('none')
    this.#type('space')
  }

  /** Fields on one line are separated by commas; fields on separate lines are not. */
  #separator(inline: boolean): void {
    if (this.#at(',') || this.#at(';')) this.#skip()
    if (inline && !this.#at('}')) this.#out.token(',', 'none')
  }

  /** A union of plain types that does not fit on one line, or has comments, gets one line per member. */
  #type(gap: Gap): void {
    const start = this.#index
    const { end, members, plain } = this.#survey(start)
    const fits = this.#layout.isPlain(start, end) && this.#out.column + this.#layout.widthOf(start, end) <= maxWidth
    if (members < 2 || fits || !plain) {
      this.#flatUnion(gap)
      return
    }
    this.#out.indent += 1
    if (this.#at('|')) this.#take('line')
    else this.#out.token('|', 'line')
    this.#member('space')
    while (this.#at('|')) {
      this.#take('line')
      this.#member('space')
    }
    this.#out.indent -= 1
  }

  /** The last token of the union that starts here, its number of members, and whether it has no brackets. */
  #survey(start: number): { end: number; members: number; plain: boolean } {
    const { tokens, closing } = this.#layout
    let index = tokens[start]!.kind === '|' ? start + 1 : start
    let plain = true
    for (let members = 1; ; members++) {
      const close = closing.get(index)
      if (close !== undefined) plain = false
      index = close ?? index
      while (tokens[index + 1]!.kind === '.' || tokens[index + 1]!.kind === '[') index += 2
      if (tokens[index + 1]!.kind !== '|') return { end: index, members, plain }
      index += 2
    }
  }

  #flatUnion(gap: Gap): void {
    this.#dropBar()
    this.#member(gap)
    while (this.#at('|')) {
      this.#take('space')
      this.#member('space')
    }
  }

  #member(gap: Gap): void {
    if (this.#at('{')) this.#object(gap, false)
    else if (this.#at('(')) {
      this.#take(gap)
      this.#flatUnion('none')
      this.#take('none')
    } else {
      this.#take(gap)
      while (this.#at('.')) {
        this.#take('none')
        this.#take('none')
      }
    }
    while (this.#at('[')) {
      this.#take('none')
      this.#take('none')
    }
  }

  #dropBar(): void {
    if (this.#at('|')) this.#skip()
  }

  #drop(kind: TokenKind): void {
    if (this.#at(kind)) this.#skip()
  }

  /**
   * Drops a token and moves its comments to the next one. A token before a documentation comment stays: moving the
   * comment would attach it to something else.
   */
  #skip(): void {
    const comments = this.#layout.comments[this.#index]!
    if (comments.some((it) => it.kind === 'doc')) {
      this.#take('none')
      return
    }
    this.#carried.push(...comments)
    if (this.#carried.length === 0) this.#end = this.#layout.tokens[this.#index]!.end
    this.#index += 1
  }

  #take(gap: Gap): void {
    const token = this.#layout.tokens[this.#index]!
    this.#out.token(this.#layout.texts[this.#index]!, gap, this.#takeComments(), this.#end, token.start)
    this.#end = token.end
    this.#index += 1
  }

  #takeComments(): Comment[] {
    const comments = [...this.#carried, ...this.#layout.comments[this.#index]!]
    this.#carried = []
    return comments
  }

  #at(kind: TokenKind): boolean {
    return this.#layout.tokens[this.#index]!.kind === kind
  }

  #word(): string {
    const token = this.#layout.tokens[this.#index]!
    return token.kind === 'name' ? this.#layout.texts[this.#index]! : ''
  }

  /** Keeps one blank line between fields or imports. */
  #sourceGap(): Gap {
    const token = this.#layout.tokens[this.#index]!
    const first = this.#carried[0] ?? this.#layout.comments[this.#index]![0]
    const between = this.#text.slice(this.#end, first?.start ?? token.start)
    return /\n[^\S\n]*\n/.test(between) ? 'blank' : 'line'
  }
}
