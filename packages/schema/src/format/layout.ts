import { quote, readString } from '../1-lex/strings.ts'
import type { Comment, LexResult, Token } from '../1-lex/token.ts'

/** Measurements of the tokens, computed before printing. */
export interface Layout {
  readonly tokens: readonly Token[]
  /** The normalized text of each token. */
  readonly texts: readonly string[]
  /** For each token, the comments between it and the token before. */
  readonly comments: readonly (readonly Comment[])[]
  /** For each opening bracket, the index of its closing one. */
  readonly closing: ReadonlyMap<number, number>
  /** True if there are no comments or annotations from one token to another, both included. */
  isPlain(from: number, to: number): boolean
  /** True if there is a line break between two tokens. */
  hasBreak(from: number, to: number): boolean
  /** The width of the tokens on one line. */
  widthOf(from: number, to: number): number
}

/** Measures the tokens with prefix sums, so that each query takes constant time. */
export function measure(text: string, { tokens, comments }: LexResult): Layout {
  const texts = tokens.map((token) => textOf(text, token))
  const attached: Comment[][] = tokens.map(() => [])
  const closing = new Map<number, number>()
  const open: number[] = []
  const widths: number[] = []
  const obstacles: number[] = []
  const breaks: number[] = []
  let next = 0
  for (const [index, token] of tokens.entries()) {
    while (next < comments.length && comments[next]!.start < token.start) attached[index]!.push(comments[next++]!)
    if (token.kind === '{' || token.kind === '(' || token.kind === '[') open.push(index)
    if (token.kind === '}' || token.kind === ')' || token.kind === ']') closing.set(open.pop() ?? -1, index)
    widths.push((widths[index - 1] ?? 0) + texts[index]!.length + 1)
    breaks.push((breaks[index - 1] ?? 0) + (token.startsLine ? 1 : 0))
    obstacles.push((obstacles[index - 1] ?? 0) + attached[index]!.length + (token.kind === 'annotation' ? 1 : 0))
  }
  return {
    tokens,
    texts,
    comments: attached,
    closing,
    isPlain: (from, to) => obstacles[to]! === obstacles[from]!,
    hasBreak: (from, to) => breaks[to]! !== breaks[from]!,
    widthOf: (from, to) => widths[to]! - widths[from]! + texts[from]!.length,
  }
}

function textOf(text: string, token: Token): string {
  const written = text.slice(token.start, token.end)
  return token.kind === 'string' ? quote(readString(written)) : written
}
