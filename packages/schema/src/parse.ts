import { parseFile } from './2-parse/parse-file.ts'
import type { FileSyntax } from './2-parse/syntax.ts'
import { type Diagnostic, Report } from './diagnostics/report.ts'
import { SourceFile } from './source.ts'

export interface ParseResult {
  /** The syntax tree, without the parts that could not be parsed. */
  readonly syntax: FileSyntax
  readonly diagnostics: readonly Diagnostic[]
  /** The number of tokens the parser looked at: linear in the length of the text. */
  readonly steps: number
}

/** Parses one schema file without checking it. */
export function parse(text: string, path = 'schema.portico'): ParseResult {
  const report = new Report(new SourceFile(path, text))
  const { syntax, steps } = parseFile(report)
  return { syntax, diagnostics: report.list(), steps }
}
