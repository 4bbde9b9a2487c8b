/** A stretch of a source text: from `start` up to, not including, `end`, in UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A place as people count: both from 1, the column in UTF-16 units. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** A stretch of one file. */
export interface Place {
  readonly source: SourceFile
  readonly span: Span
}

/** One schema file: its path, its text, and where its lines begin. */
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

/** The span from the start of one to the end of another. */
export function joinSpans(first: Span, last: Span): Span {
  return { start: first.start, end: last.end }
}
