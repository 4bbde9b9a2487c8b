/** Detects generated modules that do not match the schema files. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type CompileResult, Compiler } from '@portico/schema'
import { ConfigError } from './config.ts'
import { findSchemaFiles, readIfThere, type SchemaFiles } from './files.ts'
import { type Outcome, writeModules } from './generate.ts'
import type { LoadedConfig } from './load-config.ts'

export function compileWith(folder: string, { files }: SchemaFiles, importExtension: 'js' | 'ts'): CompileResult {
  return new Compiler({ read: (path) => readIfThere(resolve(folder, path)), importExtension }).compile(files)
}

/** Modules may import each other with either extension, so a match with one of them is enough. */
export function compareModules(folder: string, found: SchemaFiles, result: CompileResult): Outcome {
  const compare = (it: CompileResult): Outcome => writeModules(folder, it, found.orphans, true)
  const outcomes = [compare(result), compare(compileWith(folder, found, 'ts'))]
  return outcomes.find((it) => it.stale.length === 0) ?? outcomes[0]!
}

/**
 * Throws if generated modules are missing or out of date: the program uses its modules, so a database synced to newer
 * schema files would not match it. Does nothing if the project keeps no modules next to its schema files.
 */
export function refuseStale({ folder, schema = [] }: LoadedConfig, result: CompileResult): void {
  const found = findSchemaFiles(folder, typeof schema === 'string' ? [schema] : schema, { allowMissing: true })
  const { stale } = compareModules(folder, found, result)
  const isKept = result.modules.some(({ path }) => existsSync(resolve(folder, path)))
  if (stale.length === 0 || !isKept) return
  throw new ConfigError(
    'MODULES_STALE',
    `${stale.join(', ')} ${stale.length === 1 ? 'is' : 'are'} missing or out of date, so the program would not match the database: run \`portico generate\` first`,
  )
}
