import type { Comment, LexResult, Token, TokenKind } from '../1-lex/token.ts'
import type { Report } from '../diagnostics/report.ts'
import type { SourceFile, Span } from '../source.ts'
import { readDoc } from './doc-comment.ts'
import type { NameSyntax, TypeSyntax } from './syntax.ts'

/** The maximum nesting of types. Deeper input gets an error instead of a stack overflow. */
export const MAX_DEPTH = 100

/** Words that start a declaration here or in TypeScript, even in the middle of a line. */
const declarationWords: ReadonlySet<string> = new Set(['export', 'interface', 'type', 'enum', 'class'])

/** The parser's position in the tokens, with the steps that all grammar rules share. */
export class Cursor {
  readonly source: SourceFile
  readonly report: Report
  /** The next token. */
  token: Token
  /** The number of open objects and parentheses. */
  depth = 0
  /** The number of tokens looked at. A test verifies that it grows linearly with the input. */
  steps = 0
  /** The types of declarations without a name. */
  readonly nameless: TypeSyntax[] = []
  /** The names in skipped top-level text. */
  readonly lost: Set<string> = new Set()
  /** The offset of the last missing brace that was reported. */
  unclosedAt = -1
  readonly #tokens: readonly Token[]
  #index = 0

  constructor(source: SourceFile, lexed: LexResult, report: Report) {
    this.source = source
    this.report = report
    this.#tokens = lexed.tokens
    this.token = this.#tokens[0]!
  }

  peek(ahead: number): Token {
    this.steps += 1
    return this.#tokens[this.#index + ahead] ?? this.#tokens.at(-1)!
  }

  next(): Token {
    const { token } = this
    this.steps += 1
    if (token.kind !== 'end') {
      this.#index += 1
      this.token = this.#tokens[this.#index]!
    }
    return token
  }

  at(kind: TokenKind): boolean {
    this.steps += 1
    return this.token.kind === kind
  }

  atWord(word: string, ahead = 0): boolean {
    const token = ahead === 0 ? this.token : this.peek(ahead)
    return token.kind === 'name' && token.end - token.start === word.length && this.textOf(token) === word
  }

  /** Consumes the next token if it has this kind. */
  take(kind: TokenKind): Token | undefined {
    this.steps += 1
    return this.token.kind === kind ? this.next() : undefined
  }

  /** Consumes the next token if it has this kind. Otherwise reports what was expected. */
  expect(kind: TokenKind, what: string): Token | undefined {
    const token = this.take(kind)
    if (!token) this.reportExpected(what)
    return token
  }

  expectName(what: string): NameSyntax | undefined {
    const token = this.expect('name', what)
    return token && this.nameOf(token)
  }

  nameOf(token: Token): NameSyntax {
    return { text: this.textOf(token), span: spanOf(token) }
  }

  textOf(span: Span): string {
    return this.source.text.slice(span.start, span.end)
  }

  docOf(doc: Comment | undefined): string | undefined {
    return doc && readDoc(this.textOf(doc))
  }

  /** The end of the last consumed token. */
  lastEnd(): number {
    return this.#tokens[this.#index - 1]?.end ?? 0
  }

  /** Reports what was expected here, unless stray characters were already reported at this place. */
  reportExpected(what: string, hint?: string): void {
    const token = this.token
    if (token.afterStray) return
    this.report.add('unexpected', this.placeOf(token), what, this.describe(token), hint)
  }

  /** Like `reportExpected`, for something that must follow on the same line: reports the line end as found. */
  reportExpectedOnLine(what: string): void {
    const token = this.token
    if (!token.startsLine || token.afterStray || token.kind === 'end') this.reportExpected(what)
    else this.report.add('unexpected', { start: this.lastEnd(), end: this.lastEnd() }, what, 'the end of the line')
  }

  /** The span of a token. The end of the file has no text to underline, so the end of the last token is used. */
  placeOf(token: Token): Span {
    return token.kind === 'end' ? { start: this.lastEnd(), end: this.lastEnd() } : spanOf(token)
  }

  describe(token: Token): string {
    if (token.kind === 'end') return 'the end of the file'
    const text = this.source.text.slice(token.start, Math.min(token.end, token.start + 40))
    return token.kind === 'string' || token.kind === 'number' ? text : `\`${text}\``
  }

  /** True if a declaration or import starts here. Anything still open was never closed. */
  atDeclaration(): boolean {
    const first = this.token
    if (first.kind === 'end') return true
    if (!first.startsLine || first.kind !== 'name') return false
    // Called for every field. Checking the length first is cheap and rules out most names.
    const length = first.end - first.start
    if (length !== 4 && length !== 6 && length !== 9) return false
    switch (this.textOf(first)) {
      case 'export':
        return this.atWord('interface', 1) || this.atWord('type', 1)
      case 'interface':
        return this.peek(1).kind === 'name'
      case 'type':
        return this.peek(1).kind === 'name' && this.peek(2).kind === '='
      case 'import':
        return this.peek(1).kind === '{'
      default:
        return false
    }
  }

  /** The number of consumed tokens. */
  get taken(): number {
    return this.#index
  }

  /** Skips to the next top-level item and records the skipped names, counted from the given token. */
  skipItem(since: number): void {
    this.#skipToItem()
    for (const token of this.#tokens.slice(since, this.#index))
      if (token.kind === 'name') this.lost.add(this.textOf(token))
  }

  #skipToItem(): void {
    let open = 0
    let isClosed = false
    while (!this.atDeclaration()) {
      const token = this.token
      if (open === 0 && token.kind === 'annotation' && token.startsLine) return
      if (open === 0 && isClosed && this.#atForeignDeclaration()) return
      open += nestingOf(token.kind)
      isClosed = token.kind === '}'
      this.next()
    }
  }

  /** True at `enum B`, `function f` or the like: after a closing brace this is a separate mistake. */
  #atForeignDeclaration(): boolean {
    const [word, name] = [this.token, this.peek(1)]
    if (word.kind !== 'name' || name.kind !== 'name' || name.startsLine) return false
    return word.startsLine || declarationWords.has(this.textOf(word))
  }

  /** Skips the rest of a field: to its separator, the next line, or the end of its object. */
  skipField(): void {
    let open = 0
    for (let first = true; !this.atDeclaration(); first = false) {
      const token = this.token
      if (open <= 0 && (token.kind === '}' || token.kind === ',' || token.kind === ';')) return
      if (open <= 0 && !first && token.startsLine) return
      open += nestingOf(token.kind)
      this.next()
    }
  }

  /** Skips a bracketed group that starts at the next token. */
  skipBalanced(): void {
    let open = 0
    do open += nestingOf(this.next().kind)
    while (open > 0 && !this.at('end'))
  }
}

export function spanOf(token: Token): Span {
  return { start: token.start, end: token.end }
}

function nestingOf(kind: TokenKind): number {
  if (kind === '{' || kind === '(' || kind === '[') return 1
  return kind === '}' || kind === ')' || kind === ']' ? -1 : 0
}
