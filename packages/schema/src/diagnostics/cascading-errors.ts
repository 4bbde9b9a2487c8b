import type { SourceFile, Span } from '../source.ts'
import type { Diagnostic } from './report.ts'

/** Codes the parser reports while recovering. After another error on the same line they add nothing. */
const recoveryCodes: ReadonlySet<string> = new Set(['unexpected', 'stray_character', 'unterminated_string'])
/** Codes the checker reports for a name that a syntax error may have mangled. */
const nameCodes: ReadonlySet<string> = new Set(['unknown_name', 'unknown_subtype'])

/**
 * Drops syntax errors that another syntax error most likely caused: recovery errors on a line that has an error already,
 * the second line of an unterminated string, and a missing brace that an unterminated comment swallowed or whose
 * opening brace was unexpected itself.
 */
export function dropCascadingSyntaxErrors(found: readonly Diagnostic[]): Diagnostic[] {
  const unterminated = new Set(found.filter((it) => it.code === 'unterminated_string').map((it) => it.start.line))
  const isSwallowing = found.some((it) => it.code === 'unterminated_comment')
  const unexpected = new Set(found.filter((it) => it.code === 'unexpected').map((it) => it.span.start))
  const broken = new Set<number>()
  return found.filter(({ code, start: { line }, related }) => {
    if (code === 'missing_brace') return !isSwallowing && !related.some((it) => unexpected.has(it.span.start))
    if (recoveryCodes.has(code) && (broken.has(line) || (unterminated.has(line) && unterminated.has(line - 1))))
      return false
    broken.add(line)
    return true
  })
}

/** The parts of a file's syntax that explain unknown names. */
interface ParsedFile {
  readonly source: SourceFile
  /** Declarations without a name. Each may be the one that an unknown name refers to. */
  readonly nameless: readonly { readonly span: Span }[]
}

/** Drops unknown names that a syntax error explains: one on the same line, or a declaration without a name. */
export function dropCascadingCheckErrors(
  found: readonly Diagnostic[],
  syntax: readonly Diagnostic[],
  { nameless, source }: ParsedFile,
): readonly Diagnostic[] {
  if (syntax.length === 0) return found
  const broken = new Set(syntax.map((it) => it.start.line))
  const kept = found.filter((it) => !nameCodes.has(it.code) || !broken.has(it.start.line))
  const isOwn = ({ span }: Diagnostic): boolean =>
    nameless.some((it) => it.span.start <= span.start && span.end <= it.span.end)
  const textOf = ({ span }: Diagnostic): string => source.text.slice(span.start, span.end)
  // A name with a suggestion is a typo of an existing one. Names used outside the nameless declaration come first:
  // few declarations refer to themselves.
  const unlike = kept.filter((it) => it.code === 'unknown_name' && it.hint === undefined)
  const names = [...unlike.filter((it) => !isOwn(it)), ...unlike.filter(isOwn)].map(textOf)
  const explained = [...new Set(names)].slice(0, nameless.length)
  return kept.filter((it) => !unlike.includes(it) || !explained.includes(textOf(it)))
}
