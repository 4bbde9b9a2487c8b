import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Adapter } from '@portico/db/adapter'
import { type CompileResult, Compiler } from '@portico/schema'
import type { TableModel } from '@portico/schema/model'
import { ConfigError, type PorticoConfig } from './config.ts'
import { listSchemaFiles, readIfThere } from './files.ts'
import { loadModule } from './load-module.ts'
import { findOptionProblem } from './shared/find-option-problem.ts'
import { describeValue, expecting, listOf } from './shared/option-checks.ts'
import type { OptionRules } from './shared/options.ts'

/** A configuration with its location. Its paths are relative to `folder`. */
export interface LoadedConfig extends PorticoConfig {
  readonly path: string
  readonly folder: string
}

const names = ['portico.config.ts', 'portico.config.mts', 'portico.config.js', 'portico.config.mjs']

/**
 * Loads the configuration: the file `given`, or the nearest one in this folder or above. A new `version` loads it again.
 */
export async function loadConfig(cwd: string, given?: string, version?: string): Promise<LoadedConfig> {
  const path = given === undefined ? findUpwards(cwd) : resolve(cwd, given)
  if (path === undefined) {
    throw new ConfigError(
      'CONFIG_NOT_FOUND',
      `no portico.config.ts found here or in a parent folder; use --config <file>`,
    )
  }
  if (!existsSync(path)) throw new ConfigError('CONFIG_NOT_FOUND', `configuration file ${given} not found`)
  return { ...readConfig(path, await loadDefault(path, version)), path, folder: dirname(path) }
}

function findUpwards(cwd: string): string | undefined {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const found = names.map((name) => join(folder, name)).find((it) => existsSync(it))
    if (found !== undefined || folder === dirname(folder)) return found
  }
}

async function loadDefault(path: string, version: string | undefined): Promise<unknown> {
  try {
    return (await loadModule(path, version))['default']
  } catch (cause) {
    throw new ConfigError('CONFIG_FAILED', `${path} failed: ${messageOf(cause)}`, { cause })
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

const isPath = (value: unknown): boolean => typeof value === 'string' && value !== ''
const modulePath = expecting('the path of a module', isPath)
const schemaPaths = expecting(
  'a path or a list of paths',
  (it) => isPath(it) || (Array.isArray(it) && it.every(isPath)),
)

const optionRules: OptionRules<PorticoConfig> = {
  schema: schemaPaths,
  tables: listOf(
    expecting('a table', isTable),
    'a list of declared tables, such as authTables of @portico/auth-server',
  ),
  database: expecting(
    "an adapter, such as sqlite({ file: 'app.db' }), or a function that returns one",
    (it) => typeof it === 'function' || isAdapter(it),
  ),
  app: modulePath,
  main: modulePath,
  server: expecting('a URL', isPath),
}

function readConfig(path: string, config: unknown): PorticoConfig {
  if (config === undefined) {
    throw new ConfigError(
      'OPTIONS_INVALID',
      `${path}: the default export is missing: export default defineConfig({ … })`,
    )
  }
  const problem = findOptionProblem(config, optionRules)
  if (problem !== undefined) throw new ConfigError('OPTIONS_INVALID', `${path}: ${problem}`)
  return config as PorticoConfig
}

function isTable(value: unknown): boolean {
  return (value as { kind?: unknown } | null | undefined)?.kind === 'table'
}

function isAdapter(value: unknown): value is Adapter {
  return typeof (value as Partial<Adapter> | null | undefined)?.open === 'function'
}

export async function findAdapter({ path, database }: LoadedConfig): Promise<Adapter> {
  if (database === undefined)
    throw new ConfigError('DATABASE_MISSING', `${path} has no database: add database: () => sqlite({ file: 'app.db' })`)
  if (typeof database !== 'function') return database
  let adapter: unknown
  try {
    adapter = await database()
  } catch (cause) {
    throw new ConfigError('CONFIG_FAILED', `${path}: database() failed: ${messageOf(cause)}`, { cause })
  }
  if (!isAdapter(adapter))
    throw new ConfigError(
      'OPTIONS_INVALID',
      `${path}: \`database()\` must return an adapter, got ${describeValue(adapter)}`,
    )
  return adapter
}

/** Loads the module that registers the controllers, which runs its decorators. */
export async function loadApp({ path, folder, app }: LoadedConfig): Promise<Readonly<Record<string, unknown>>> {
  if (app === undefined)
    throw new ConfigError('APP_MISSING', `${path} has no app: set it to the module that registers the controllers`)
  const module = resolve(folder, app)
  if (!existsSync(module)) throw new ConfigError('APP_MISSING', `${path}: module ${app} not found`)
  try {
    return await loadModule(module)
  } catch (cause) {
    throw new ConfigError('CONFIG_FAILED', `${app} failed: ${messageOf(cause)}`, { cause })
  }
}

export function findMain({ path, folder, main }: LoadedConfig): string {
  if (main === undefined)
    throw new ConfigError('MAIN_MISSING', `${path} has no main: set it to the module that starts the program`)
  const module = resolve(folder, main)
  if (!existsSync(module)) throw new ConfigError('MAIN_MISSING', `${path}: module ${main} not found`)
  return module
}

/** Compiles the schema of a configuration. Paths in diagnostics are relative to its folder. */
export function compileSchema({ folder, schema = [] }: LoadedConfig): CompileResult {
  const files = listSchemaFiles(folder, typeof schema === 'string' ? [schema] : schema)
  return new Compiler({ read: (path) => readIfThere(resolve(folder, path)) }).compile(files)
}

/** All declared tables: those of the compiled schema, and those of packages. */
export function listTables({ tables = [] }: LoadedConfig, { models }: Pick<CompileResult, 'models'>): TableModel[] {
  return [...models.flatMap((it) => it.declarations).flatMap((it) => it.table ?? []), ...tables]
}
