import type { Diagnostic } from './diagnostics.ts'

/** What the parser says when it has lost its way, so that on a line with another error it says nothing new. */
const lost: ReadonlySet<string> = new Set(['unexpected', 'stray_character', 'unterminated_string'])
/** What the checker says of a name that may be none. */
const guessed: ReadonlySet<string> = new Set(['unknown_name', 'unknown_subtype'])

/**
 * Leaves out what is most likely the echo of another mistake in the lexer's and parser's findings: being lost on a line
 * with an error, the second line of a text that was broken in two, and the brace that a comment swallowed.
 */
export function dropSyntaxEchoes(found: readonly Diagnostic[]): Diagnostic[] {
  const unterminated = new Set(found.filter((it) => it.code === 'unterminated_string').map((it) => it.start.line))
  const isSwallowing = found.some((it) => it.code === 'unterminated_comment')
  const broken = new Set<number>()
  return found.filter(({ code, start: { line } }) => {
    if (code === 'missing_brace') return !isSwallowing
    if (lost.has(code) && (broken.has(line) || (unterminated.has(line) && unterminated.has(line - 1)))) return false
    broken.add(line)
    return true
  })
}

/** Leaves out the checker's findings that a syntax error on the same line explains. */
export function dropCheckEchoes(found: readonly Diagnostic[], syntax: readonly Diagnostic[]): readonly Diagnostic[] {
  if (syntax.length === 0) return found
  const broken = new Set(syntax.map((it) => it.start.line))
  return found.filter((it) => !guessed.has(it.code) || !broken.has(it.start.line))
}
