import type { SourceFile } from '../source.ts'
import type { Diagnostic, RelatedPlace } from './report.ts'

/** How the parts of a printed diagnostic are coloured; leave it out for plain text. */
export interface DiagnosticColors {
  readonly error: (text: string) => string
  readonly warning: (text: string) => string
  readonly dim: (text: string) => string
}

export interface PrintOptions {
  /** The text of a file, to show the line in question; without it only the message is shown. */
  readonly read?: (path: string) => SourceFile | undefined
  readonly colors?: DiagnosticColors
}

const plain: DiagnosticColors = { error: (text) => text, warning: (text) => text, dim: (text) => text }

/** Longer lines are shown in part, around the place. */
const widest = 100

/**
 * A diagnostic for people: its place first, what is wrong, the line with the place underlined, what would mend it.
 *
 * ```ts
 * console.error(printDiagnostic(diagnostic, { read: (path) => new SourceFile(path, readFileSync(path, 'utf8')) }))
 * ```
 */
export function printDiagnostic(diagnostic: Diagnostic, options: PrintOptions = {}): string {
  const colors = options.colors ?? plain
  const paint = colors[diagnostic.severity]
  const { path, start, message, hint, code, severity } = diagnostic
  const head = `${path}:${start.line}:${start.column} ${paint(severity)}: ${message} ${colors.dim(`[${code}]`)}`
  const lines = [head, ...excerpt(diagnostic, paint, colors, options)]
  if (hint !== undefined) lines.push(`  ${hint}`)
  for (const place of diagnostic.related) {
    lines.push(`  ${place.path}:${place.start.line}:${place.start.column} ${place.message}`)
    lines.push(...excerpt(place, colors.dim, colors, options))
  }
  return lines.join('\n')
}

function excerpt(
  { path, start, span }: Pick<RelatedPlace, 'path' | 'start' | 'span'>,
  paint: (text: string) => string,
  colors: DiagnosticColors,
  { read }: PrintOptions,
): string[] {
  const line = read?.(path)?.lineAt(start.line)
  if (line === undefined) return []
  const from = Math.max(0, Math.min(start.column - 1 - widest / 2, line.length - widest))
  const shown = line.slice(from, from + widest).replaceAll('\t', ' ')
  const column = start.column - 1 - from
  const length = Math.max(1, Math.min(span.end - span.start, shown.length - column))
  const number = String(start.line)
  const margin = ' '.repeat(number.length)
  return [
    colors.dim(`  ${number} | `) + shown,
    colors.dim(`  ${margin} | `) + ' '.repeat(column) + paint('^'.repeat(length)),
  ]
}
