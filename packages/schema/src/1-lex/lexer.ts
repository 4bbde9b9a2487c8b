import type { Report } from '../diagnostics/report.ts'
import {
  ASTERISK,
  AT,
  BACKSLASH,
  DOT,
  DOUBLE_QUOTE,
  endOfName,
  endOfPath,
  isDigit,
  isNamePart,
  isNameStart,
  isSpace,
  MINUS,
  NEWLINE,
  PLUS,
  SINGLE_QUOTE,
  SLASH,
} from './characters.ts'
import { endOfGeneric, hintForSign } from './stray-signs.ts'
import { escapeLength } from './strings.ts'
import type { Comment, LexResult, Token, TokenKind } from './token.ts'

const signs: readonly TokenKind[] = ['{', '}', '[', ']', '(', ')', ':', '?', '|', ',', ';', '.', '=']

/** The tokens of one character, by its code. */
const punctuation: readonly (TokenKind | undefined)[] = Array.from({ length: 128 }, (_, code) =>
  signs.find((it) => it === String.fromCharCode(code)),
)

/** Splits a text into tokens and comments in one pass. Characters that fit no token are reported and skipped. */
export function lex(text: string, report: Report): LexResult {
  return new Lexer(text, report).run()
}

class Lexer {
  readonly #text: string
  readonly #report: Report
  readonly #tokens: Token[] = []
  readonly #comments: Comment[] = []
  #at = 0
  #startsLine = true
  #afterStray = false
  #doc: Comment | undefined

  constructor(text: string, report: Report) {
    this.#text = text
    this.#report = report
  }

  run(): LexResult {
    for (let code = this.#skipSpace(); this.#at < this.#text.length; code = this.#skipSpace()) this.#step(code)
    this.#push('end', this.#at)
    return { tokens: this.#tokens, comments: this.#comments }
  }

  /** Returns the code of the next character. */
  #skipSpace(): number {
    const text = this.#text
    let at = this.#at
    let code = text.charCodeAt(at)
    while (isSpace(code)) {
      if (code === NEWLINE) this.#startsLine = true
      at += 1
      code = text.charCodeAt(at)
    }
    this.#at = at
    return code
  }

  #step(code: number): void {
    if (isNameStart(code)) this.#name()
    else if (punctuation[code] !== undefined) this.#sign(punctuation[code])
    else if (code === AT) this.#annotation()
    else if (code === SINGLE_QUOTE || code === DOUBLE_QUOTE) this.#string(code)
    else if (isDigit(code) || (code === MINUS && isDigit(this.#code(1)))) this.#number()
    else if (code === SLASH && this.#code(1) === SLASH) this.#lineComment()
    else if (code === SLASH && this.#code(1) === ASTERISK) this.#blockComment()
    else this.#strayCharacters(this.#at)
  }

  #sign(kind: TokenKind): void {
    const start = this.#at
    this.#at += 1
    this.#push(kind, start)
  }

  /** Reports a whole run of stray characters as one problem. */
  #strayCharacters(start: number): void {
    while (this.#at < this.#text.length && this.#isStray(this.#text.charCodeAt(this.#at))) this.#at += 1
    // A lone minus or slash is stray, too, although it can start a token.
    if (this.#at === start) this.#at += 1
    const [first = ''] = this.#text.slice(start, start + 2)
    if (first === '<') this.#at = endOfGeneric(this.#text, start) ?? this.#at
    const span = { start, end: this.#at }
    this.#report.add('stray_character', span, first, hintForSign(first, this.#text, span, this.#tokens.at(-1)))
    this.#afterStray = !this.#joinToWord(start)
  }

  /** `user-name` is one name with a wrong character, not two names. */
  #joinToWord(start: number): boolean {
    const last = this.#tokens.at(-1)
    if (!last || last.end !== start || (last.kind !== 'name' && last.kind !== 'annotation')) return false
    this.#skipName()
    this.#tokens[this.#tokens.length - 1] = { ...last, end: this.#at, broken: true }
    return true
  }

  #isStray(code: number): boolean {
    const starts = code === AT || code === SINGLE_QUOTE || code === DOUBLE_QUOTE || code === SLASH || code === MINUS
    return !starts && !isSpace(code) && !isNamePart(code) && punctuation[code] === undefined
  }

  #name(): void {
    const start = this.#at
    this.#at = endOfName(this.#text, start)
    this.#push('name', start)
  }

  #annotation(): void {
    const start = this.#at
    this.#at = endOfPath(this.#text, start + 1)
    if (this.#at === start + 1) this.#report.add('annotation_name_missing', { start, end: this.#at })
    this.#push('annotation', start)
  }

  #string(quote: number): void {
    const start = this.#at
    this.#at += 1
    for (let code = this.#skipPlainText(quote); code !== quote; code = this.#skipPlainText(quote)) {
      if (code !== BACKSLASH) {
        this.#endUnterminated(start)
        return
      }
      this.#escape()
    }
    this.#at += 1
    this.#push('string', start)
  }

  /** Skips to the next quote, backslash or line end and returns its code. */
  #skipPlainText(quote: number): number {
    const text = this.#text
    let at = this.#at
    let code = text.charCodeAt(at)
    while (code !== quote && code !== BACKSLASH && code !== NEWLINE && at < text.length) {
      at += 1
      code = text.charCodeAt(at)
    }
    this.#at = at
    return code
  }

  #escape(): void {
    const start = this.#at
    if (this.#at + 1 >= this.#text.length || this.#code(1) === NEWLINE) {
      this.#at += 1
      return
    }
    const length = escapeLength(this.#text, start)
    this.#at += length || 2
    if (length === 0) this.#report.add('unknown_escape', { start, end: this.#at }, this.#text.slice(start, this.#at))
  }

  #endUnterminated(start: number): void {
    if (this.#text.charCodeAt(this.#at - 1) === 13) this.#at -= 1
    this.#report.add('unterminated_string', { start, end: this.#at })
    this.#push('string', start)
  }

  #number(): void {
    const start = this.#at
    this.#at += 1
    this.#skipDigits()
    if (this.#code(0) === DOT && isDigit(this.#code(1))) {
      this.#at += 1
      this.#skipDigits()
    }
    this.#exponent()
    const endsClean = !isNamePart(this.#code(0))
    this.#skipName()
    const written = this.#text.slice(start, this.#at)
    if (!endsClean || !Number.isFinite(Number(written))) {
      this.#report.add('bad_number', { start, end: this.#at }, written)
    }
    this.#push('number', start)
  }

  #exponent(): void {
    const code = this.#code(0)
    if (code !== 101 && code !== 69) return
    const signed = this.#code(1) === PLUS || this.#code(1) === MINUS
    if (!isDigit(this.#code(signed ? 2 : 1))) return
    this.#at += signed ? 2 : 1
    this.#skipDigits()
  }

  #lineComment(): void {
    const start = this.#at
    const end = this.#text.indexOf('\n', start)
    this.#at = end < 0 ? this.#text.length : end
    const trimmed = this.#text.charCodeAt(this.#at - 1) === 13 ? this.#at - 1 : this.#at
    this.#comments.push({ kind: 'line', start, end: trimmed })
  }

  #blockComment(): void {
    const start = this.#at
    const close = this.#text.indexOf('*/', start + 2)
    this.#at = close < 0 ? this.#text.length : close + 2
    if (close < 0) this.#report.add('unterminated_comment', { start, end: start + 2 })
    const isDoc = this.#text.startsWith('/**', start) && this.#at - start > 4
    const comment: Comment = { kind: isDoc ? 'doc' : 'block', start, end: this.#at }
    if (this.#text.slice(start, this.#at).includes('\n')) this.#startsLine = true
    if (isDoc) this.#doc = comment
    this.#comments.push(comment)
  }

  #skipName(): void {
    this.#at = endOfName(this.#text, this.#at)
  }

  #skipDigits(): void {
    while (isDigit(this.#code(0))) this.#at += 1
  }

  /** The code of a character ahead, NaN past the end. */
  #code(ahead: number): number {
    return this.#text.charCodeAt(this.#at + ahead)
  }

  #push(kind: TokenKind, start: number): void {
    this.#tokens.push({
      kind,
      start,
      end: this.#at,
      startsLine: this.#startsLine,
      afterStray: this.#afterStray,
      broken: false,
      doc: this.#doc,
    })
    this.#startsLine = false
    this.#afterStray = false
    this.#doc = undefined
  }
}
