import type { Comment } from '../1-lex/token.ts'

/** The whitespace between two tokens. */
export type Gap = 'none' | 'space' | 'line' | 'blank'

/** Builds the formatted text: indentation, gaps, and the placement of comments. */
export class Output {
  indent = 0
  readonly #source: string
  readonly #parts: string[] = []
  #column = 0

  constructor(source: string) {
    this.#source = source
  }

  /** The width of the current line so far. */
  get column(): number {
    return this.#column
  }

  /** Writes the comments before a token, then the token. `end` is the source offset after the previous token. */
  token(text: string, gap: Gap, comments: readonly Comment[] = [], end = 0, start = 0): void {
    const last = comments.at(-1)
    if (!last) {
      this.#write(text, gap)
      return
    }
    const spent = this.comments(comments, gap, end)
    this.#write(text, this.#gapAfter(last, spent, gap, start))
  }

  /**
   * Writes comments. Trailing comments stay on their line, others get their own. Returns true if one of the latter
   * used the gap.
   */
  comments(comments: readonly Comment[], gap: Gap, end: number): boolean {
    let spent = false
    let from = end
    for (const comment of comments) {
      const trailing = this.#parts.length > 0 && !this.#hasBreak(from, comment.start)
      if (trailing) this.#write(this.#textOf(comment), 'space')
      else {
        const useOwn = !spent && (gap === 'blank' || (gap === 'line' && from === end))
        this.#write(this.#textOf(comment), useOwn ? gap : this.#blankOr('line', from, comment.start))
        spent = true
      }
      from = comment.end
    }
    return spent
  }

  toString(): string {
    return this.#parts.length === 0 ? '' : `${this.#parts.join('')}\n`
  }

  #gapAfter(last: Comment, spent: boolean, gap: Gap, start: number): Gap {
    const breaks = last.kind === 'line' || this.#hasBreak(last.end, start)
    const wantsLine = gap === 'line' || gap === 'blank'
    if (wantsLine && !spent) return gap === 'blank' ? 'blank' : this.#blankOr('line', last.end, start)
    if (wantsLine && breaks) return this.#blankOr('line', last.end, start)
    return last.kind === 'line' || (spent && breaks) ? 'line' : 'space'
  }

  /** Keeps one blank line if the source has any. */
  #blankOr(gap: Gap, from: number, to: number): Gap {
    return /\n[^\S\n]*\n/.test(this.#source.slice(from, to)) ? 'blank' : gap
  }

  #hasBreak(from: number, to: number): boolean {
    return this.#source.slice(from, to).includes('\n')
  }

  /** Aligns the lines of a block comment under its first asterisk. */
  #textOf({ start, end, kind }: Comment): string {
    const written = this.#source.slice(start, end)
    if (kind === 'line') return written.trimEnd()
    const lines = written.split(/\r?\n/)
    const framed = lines.slice(1).every((line) => line.trimStart().startsWith('*'))
    if (!framed) return lines.map((line) => line.trimEnd()).join('\n')
    return lines.map((line, index) => (index === 0 ? line.trimEnd() : `${this.#margin()} ${line.trim()}`)).join('\n')
  }

  #write(text: string, wanted: Gap): void {
    const gap = this.#parts.length === 0 ? 'none' : wanted
    if (gap === 'line' || gap === 'blank') {
      this.#parts.push(gap === 'blank' ? '\n\n' : '\n', this.#margin())
      this.#column = this.#margin().length
    } else if (gap === 'space') {
      this.#parts.push(' ')
      this.#column += 1
    }
    this.#parts.push(text)
    const lastBreak = text.lastIndexOf('\n')
    this.#column = lastBreak < 0 ? this.#column + text.length : text.length - lastBreak - 1
  }

  #margin(): string {
    return '  '.repeat(this.indent)
  }
}
