/** What a token is; punctuation is named by itself. */
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
  /** Whether a line break stands between this token and the one before. */
  readonly startsLine: boolean
  /** Whether characters that fit no token were left out right before this one. */
  readonly afterStray: boolean
  /** Whether such characters stand inside it, so that its text is not what was meant. */
  readonly broken: boolean
  /** The last documentation comment between this token and the one before. */
  readonly doc: Comment | undefined
}

export interface Comment {
  readonly kind: 'line' | 'block' | 'doc'
  readonly start: number
  readonly end: number
}

export interface LexResult {
  /** In order; the last one is `end`. */
  readonly tokens: readonly Token[]
  readonly comments: readonly Comment[]
}
