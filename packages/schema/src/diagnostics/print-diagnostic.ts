import type { SourceFile } from '../source.ts'
import type { Diagnostic, RelatedPlace } from './report.ts'

/** Functions that color the parts of a printed diagnostic. */
export interface DiagnosticColors {
  readonly error: (text: string) => string
  readonly warning: (text: string) => string
  readonly dim: (text: string) => string
}

export interface PrintOptions {
  /** Reads a file so that the affected line can be shown. Without it only the message is printed. */
  readonly read?: ((path: string) => SourceFile | undefined) | undefined
  /** Default: plain text. */
  readonly colors?: DiagnosticColors | undefined
}

const plain: DiagnosticColors = { error: (text) => text, warning: (text) => text, dim: (text) => text }

/** Longer lines are cut around the affected place. */
const maxWidth = 100

/**
 * Formats a diagnostic for a terminal: location, message, the affected line with the place underlined, and a hint.
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
  const from = Math.max(0, Math.min(start.column - 1 - maxWidth / 2, line.length - maxWidth))
  const shown = line.slice(from, from + maxWidth).replaceAll('\t', ' ')
  const column = start.column - 1 - from
  const length = Math.max(1, Math.min(span.end - span.start, shown.length - column))
  const number = String(start.line)
  const margin = ' '.repeat(number.length)
  return [
    colors.dim(`  ${number} | `) + shown,
    colors.dim(`  ${margin} | `) + ' '.repeat(column) + paint('^'.repeat(length)),
  ]
}
