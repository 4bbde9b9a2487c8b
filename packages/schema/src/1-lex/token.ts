export type TokenKind =
  | 'name'
  | 'string'
  | 'number'
  | 'annotation'
  | '{'
  | '}'
  | '['
  | ']'
  | '('
  | ')'
  | ':'
  | '?'
  | '|'
  | ','
  | ';'
  | '.'
  | '='
  | 'end'

export interface Token {
  readonly kind: TokenKind
  readonly start: number
  readonly end: number
  /** True if a line break precedes this token. */
  readonly startsLine: boolean
  /** True if stray characters were skipped right before this token. */
  readonly afterStray: boolean
  /** True if it contains stray characters, so its text is not what was meant. */
  readonly broken: boolean
  /** The last documentation comment before this token. */
  readonly doc: Comment | undefined
}

export interface Comment {
  readonly kind: 'line' | 'block' | 'doc'
  readonly start: number
  readonly end: number
}

export interface LexResult {
  /** The last one is `end`. */
  readonly tokens: readonly Token[]
  readonly comments: readonly Comment[]
}
