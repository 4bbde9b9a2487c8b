import type { Comment, LexResult, Token, TokenKind } from '../1-lex/token.ts'
import type { Report } from '../diagnostics/report.ts'
import type { SourceFile, Span } from '../source.ts'
import { readDoc } from './doc-comment.ts'
import type { NameSyntax, TypeSyntax } from './syntax.ts'

/** How deep types may nest. Deeper input gets an error instead of an exhausted stack. */
export const DEEPEST_NESTING = 100

/** What begins a declaration here or in TypeScript; elsewhere than at the start of a line other words may go on with one. */
const declarationWords: ReadonlySet<string> = new Set(['export', 'interface', 'type', 'enum', 'class'])

/** The parser's place in the tokens, and the moves every rule needs. */
export class Cursor {
  readonly source: SourceFile
  readonly report: Report
  /** The token that is next. */
  token: Token
  /** How many objects and parentheses are open. */
  depth = 0
  /** How many tokens were asked for: grows linearly with the input, which a test watches. */
  steps = 0
  /** What was written in the declarations without a name. */
  readonly nameless: TypeSyntax[] = []
  /** The names in what was left out at the top level. */
  readonly lost: Set<string> = new Set()
  /** Where a missing brace was reported last. */
  unclosedAt = -1
  readonly #tokens: readonly Token[]
  #index = 0

  constructor(source: SourceFile, lexed: LexResult, report: Report) {
    this.source = source
    this.report = report
    this.#tokens = lexed.tokens
    this.token = this.#tokens[0]!
  }

  /** The token some way after the next one. */
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

  /** Takes the token when it is of the kind. */
  take(kind: TokenKind): Token | undefined {
    this.steps += 1
    return this.token.kind === kind ? this.next() : undefined
  }

  /** Takes the token when it is of the kind; otherwise reports what was expected and stays. */
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

  /** The end of the last token taken. */
  lastEnd(): number {
    return this.#tokens[this.#index - 1]?.end ?? 0
  }

  /** Says what was expected here, unless left-out characters have been reported at this very place. */
  reportExpected(what: string, hint?: string): void {
    const token = this.token
    if (token.afterStray) return
    this.report.add('unexpected', this.placeOf(token), what, this.describe(token), hint)
  }

  /** Like `reportExpected`, for what has to stand on the line of what is there: a new line is what was found then. */
  reportExpectedOnLine(what: string): void {
    const token = this.token
    if (!token.startsLine || token.afterStray || token.kind === 'end') this.reportExpected(what)
    else this.report.add('unexpected', { start: this.lastEnd(), end: this.lastEnd() }, what, 'the end of the line')
  }

  /** The end of the file has no text to underline: the last token's end stands for it. */
  placeOf(token: Token): Span {
    return token.kind === 'end' ? { start: this.lastEnd(), end: this.lastEnd() } : spanOf(token)
  }

  describe(token: Token): string {
    if (token.kind === 'end') return 'the end of the file'
    const text = this.source.text.slice(token.start, Math.min(token.end, token.start + 40))
    return token.kind === 'string' || token.kind === 'number' ? text : `\`${text}\``
  }

  /** Whether a declaration or import begins here, so that whatever is still open was never closed. */
  atDeclaration(): boolean {
    const first = this.token
    if (first.kind === 'end') return true
    if (!first.startsLine || first.kind !== 'name') return false
    // Every field is asked, and hardly any is named by a word of these lengths.
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

  /** The number of tokens taken. */
  get taken(): number {
    return this.#index
  }

  /** Skips to where the next top-level item begins; the names since the given token are lost. */
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

  /** Whether `enum B`, `function f` or the like begins here: what follows a closing brace is a mistake of its own. */
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

  /** Skips a bracketed stretch whose opening token is next. */
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
