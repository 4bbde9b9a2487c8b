import type { FileSyntax } from './2-parse/syntax.ts'
import type { Diagnostic } from './diagnostics.ts'

/** What the parser says when it has lost its way, so that on a line with another error it says nothing new. */
const lost: ReadonlySet<string> = new Set(['unexpected', 'stray_character', 'unterminated_string'])
/** What the checker says of a name that may be none. */
const guessed: ReadonlySet<string> = new Set(['unknown_name', 'unknown_subtype'])

/**
 * Leaves out what is most likely the echo of another mistake in the lexer's and parser's findings: being lost on a line
 * with an error, the second line of a text that was broken in two, and the brace that a comment swallowed or that belongs
 * to one that was not expected in the first place.
 */
export function dropSyntaxEchoes(found: readonly Diagnostic[]): Diagnostic[] {
  const unterminated = new Set(found.filter((it) => it.code === 'unterminated_string').map((it) => it.start.line))
  const isSwallowing = found.some((it) => it.code === 'unterminated_comment')
  const unexpected = new Set(found.filter((it) => it.code === 'unexpected').map((it) => it.span.start))
  const broken = new Set<number>()
  return found.filter(({ code, start: { line }, related }) => {
    if (code === 'missing_brace') return !isSwallowing && !related.some((it) => unexpected.has(it.span.start))
    if (lost.has(code) && (broken.has(line) || (unterminated.has(line) && unterminated.has(line - 1)))) return false
    broken.add(line)
    return true
  })
}

/**
 * Leaves out the checker's findings that a syntax error explains: one on the same line, or a declaration without a name,
 * which may be what an unknown name was meant to be.
 */
export function dropCheckEchoes(
  found: readonly Diagnostic[],
  syntax: readonly Diagnostic[],
  { nameless, source }: FileSyntax,
): readonly Diagnostic[] {
  if (syntax.length === 0) return found
  const broken = new Set(syntax.map((it) => it.start.line))
  const kept = found.filter((it) => !guessed.has(it.code) || !broken.has(it.start.line))
  const isOwn = ({ span }: Diagnostic): boolean =>
    nameless.some((it) => it.span.start <= span.start && span.end <= it.span.end)
  const textOf = ({ span }: Diagnostic): string => source.text.slice(span.start, span.end)
  // What is like a name that there is was meant to be that one; and few declarations name themselves.
  const unlike = kept.filter((it) => it.code === 'unknown_name' && it.hint === undefined)
  const names = [...unlike.filter((it) => !isOwn(it)), ...unlike.filter(isOwn)].map(textOf)
  const explained = [...new Set(names)].slice(0, nameless.length)
  return kept.filter((it) => !unlike.includes(it) || !explained.includes(textOf(it)))
}
