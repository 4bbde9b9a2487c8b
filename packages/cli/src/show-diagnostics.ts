import { resolve } from 'node:path'
import { type Diagnostic, printDiagnostic, SourceFile } from '@portico/schema'
import { readIfThere } from './files.ts'
import { count } from './shared/count.ts'
import type { Terminal } from './terminal.ts'

/** Prints diagnostics with source excerpts, followed by their number. `known` holds sources that are not files. */
export function showDiagnostics(
  diagnostics: readonly Diagnostic[],
  cwd: string,
  { err, colors }: Terminal,
  known: readonly SourceFile[] = [],
): void {
  const sources = new Map(known.map((it) => [it.path, it]))
  const read = (path: string): SourceFile => {
    const source = sources.get(path) ?? new SourceFile(path, readIfThere(resolve(cwd, path)) ?? '')
    sources.set(path, source)
    return source
  }
  for (const diagnostic of diagnostics) err(`${printDiagnostic(diagnostic, { read, colors })}\n`)
  const errors = diagnostics.filter((it) => it.severity === 'error').length
  const warnings = diagnostics.length - errors
  const parts = [errors > 0 && count(errors, 'error'), warnings > 0 && count(warnings, 'warning')].filter(Boolean)
  if (parts.length > 0) err(parts.join(', '))
}
