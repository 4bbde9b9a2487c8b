import { parseFile } from './2-parse/parse-file.ts'
import type { FileSyntax } from './2-parse/syntax.ts'
import { type Diagnostic, Report } from './diagnostics/report.ts'
import { SourceFile } from './source.ts'

export interface ParseResult {
  /** What was written; what could not be read is left out of it. */
  readonly syntax: FileSyntax
  readonly diagnostics: readonly Diagnostic[]
  /** How many tokens the parser looked at: linear in the length of the text. */
  readonly steps: number
}

/** Reads one schema file without checking what it means. */
export function parse(text: string, path = 'schema.portico'): ParseResult {
  const report = new Report(new SourceFile(path, text))
  const { syntax, steps } = parseFile(report)
  return { syntax, diagnostics: report.list(), steps }
}
