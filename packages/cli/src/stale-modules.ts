/** Generated modules that do not say what the schema files say. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type CompileResult, Compiler } from '@portico/schema'
import { ConfigError } from './config.ts'
import { findSchemaFiles, readIfThere, type SchemaFiles } from './files.ts'
import { type Outcome, settle } from './generate.ts'
import type { LoadedConfig } from './load-config.ts'

export function compileWith(folder: string, { files }: SchemaFiles, importExtension: 'js' | 'ts'): CompileResult {
  return new Compiler({ read: (path) => readIfThere(resolve(folder, path)), importExtension }).compile(files)
}

/** Modules may import each other with either extension: what is current with one of them is current. */
export function compareModules(folder: string, found: SchemaFiles, result: CompileResult): Outcome {
  const compare = (it: CompileResult): Outcome => settle(folder, it, found.orphans, true)
  const outcomes = [compare(result), compare(compileWith(folder, found, 'ts'))]
  return outcomes.find((it) => it.stale.length === 0) ?? outcomes[0]!
}

/**
 * A program has what its generated modules say: a database that follows newer schema files would not suit it. Throws
 * where modules are missing or stale. A project that keeps none beside its schema files has nothing to compare.
 */
export function refuseStale({ folder, schema = [] }: LoadedConfig, result: CompileResult): void {
  const found = findSchemaFiles(folder, typeof schema === 'string' ? [schema] : schema, { missingIsFine: true })
  const { stale } = compareModules(folder, found, result)
  const isKept = result.modules.some(({ path }) => existsSync(resolve(folder, path)))
  if (stale.length === 0 || !isKept) return
  throw new ConfigError(
    'MODULES_STALE',
    `${stale.join(', ')} ${stale.length === 1 ? 'is' : 'are'} missing or stale, so that the program would not know the tables as they are declared: run \`portico generate\` first`,
  )
}
