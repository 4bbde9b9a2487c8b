/** A range of a source text in UTF-16 units, `end` excluded. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A position with both numbers starting at 1. The column counts UTF-16 units. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** A range in one file. */
export interface Place {
  readonly source: SourceFile
  readonly span: Span
}

/** One schema file: its path and text, and positions within it. */
export class SourceFile {
  readonly path: string
  readonly text: string
  #lineStarts: number[] | undefined

  constructor(path: string, text: string) {
    this.path = path
    this.text = text
  }

  positionAt(offset: number): Position {
    const starts = this.#starts()
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - starts[low]! + 1 }
  }

  /** The text of a line without its line break. */
  lineAt(line: number): string {
    const starts = this.#starts()
    const start = starts[line - 1] ?? this.text.length
    const end = starts[line] ?? this.text.length
    return this.text.slice(start, end).replace(/[\r\n]+$/, '')
  }

  #starts(): number[] {
    if (this.#lineStarts) return this.#lineStarts
    const starts = [0]
    for (let at = this.text.indexOf('\n'); at >= 0; at = this.text.indexOf('\n', at + 1)) starts.push(at + 1)
    this.#lineStarts = starts
    return starts
  }
}

export function joinSpans(first: Span, last: Span): Span {
  return { start: first.start, end: last.end }
}
