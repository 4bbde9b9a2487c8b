import { lex } from '../1-lex/lexer.ts'
import { parseFile } from '../2-parse/parse-file.ts'
import { dropCascadingSyntaxErrors } from '../diagnostics/cascading-errors.ts'
import { type Diagnostic, Report } from '../diagnostics/report.ts'
import { SourceFile } from '../source.ts'
import { measure } from './layout.ts'
import { Printer } from './printer.ts'

export interface FormatResult {
  /** The formatted text, or `undefined` if there are syntax errors. */
  readonly text: string | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Formats a schema file in the standard style. It keeps every comment, never changes the meaning, and is idempotent.
 *
 * ```ts
 * const { text } = format('interface User{name:string}')
 * ```
 */
export function format(text: string, path = 'schema.portico'): FormatResult {
  const source = new SourceFile(path, text)
  const report = new Report(source)
  parseFile(report)
  if (report.failed) return { text: undefined, diagnostics: dropCascadingSyntaxErrors(report.list()) }
  const layout = measure(text, lex(text, new Report(source)))
  return { text: new Printer(text, layout).print(), diagnostics: [] }
}
