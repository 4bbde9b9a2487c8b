import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile, format, printDiagnostic, type SchemaSource, SourceFile } from '@portico/schema'

export const samplesFolder: string = fileURLToPath(new URL('../samples', import.meta.url))

export function listSamples(): string[] {
  return readdirSync(samplesFolder).sort()
}

/** The schema files of a sample. */
export function readSample(name: string): SchemaSource[] {
  const folder = join(samplesFolder, name)
  return readdirSync(folder)
    .filter((file) => file.endsWith('.portico'))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }))
}

/** The output of a sample: generated modules, printed diagnostics, and the formatted text if it differs. */
export function compileSample(name: string): Map<string, string> {
  const sources = readSample(name)
  const { diagnostics, modules } = compile(sources)
  const files = new Map(sources.map((it) => [it.path, new SourceFile(it.path, it.text)]))
  const found = new Map<string, string>()
  for (const { path, code } of modules) found.set(path, code)
  if (diagnostics.length > 0) {
    const printed = diagnostics.map((it) => printDiagnostic(it, { read: (path) => files.get(path) }))
    found.set('diagnostics.txt', `${printed.join('\n\n')}\n`)
  }
  if (name === 'layout') for (const { path, text } of sources) found.set(`${path}.formatted`, format(text).text ?? '')
  return found
}
