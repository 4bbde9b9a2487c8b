import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Adapter } from '@portico/db/adapter'
import { type CompileResult, Compiler } from '@portico/schema'
import type { TableModel } from '@portico/schema/model'
import { ConfigError, type PorticoConfig } from './config.ts'
import { listSchemaFiles, readIfThere } from './files.ts'
import { loadModule } from './load-module.ts'
import { describeValue, expecting, listOf } from './shared/option-checks.ts'
import { findOptionProblem, type OptionRules } from './shared/options.ts'

/** A configuration with the place it was found in, against which its paths are resolved. */
export interface LoadedConfig extends PorticoConfig {
  readonly path: string
  readonly folder: string
}

const names = ['portico.config.ts', 'portico.config.mts', 'portico.config.js', 'portico.config.mjs']

/**
 * Finds the configuration upwards from a folder, or takes the file that `given` names, and loads it. One that has been
 * loaded is read again where the `version` is another.
 */
export async function loadConfig(cwd: string, given?: string, version?: string): Promise<LoadedConfig> {
  const path = given === undefined ? findUpwards(cwd) : resolve(cwd, given)
  if (path === undefined) {
    throw new ConfigError(
      'CONFIG_NOT_FOUND',
      `there is no portico.config.ts here or in a folder above; --config names it`,
    )
  }
  if (!existsSync(path)) throw new ConfigError('CONFIG_NOT_FOUND', `there is no configuration ${given}`)
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

/** Anything can be thrown. */
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
  server: expecting('an address', isPath),
}

function readConfig(path: string, config: unknown): PorticoConfig {
  if (config === undefined) {
    throw new ConfigError(
      'OPTIONS_INVALID',
      `${path}: the default export is missing: export default defineConfig({ … })`,
    )
  }
  const problem = findOptionProblem(config, optionRules, { call: path })
  if (problem !== undefined) throw new ConfigError('OPTIONS_INVALID', problem)
  return config as PorticoConfig
}

function isTable(value: unknown): boolean {
  return (value as { kind?: unknown } | null | undefined)?.kind === 'table'
}

function isAdapter(value: unknown): value is Adapter {
  return typeof (value as Partial<Adapter> | null | undefined)?.open === 'function'
}

/** The database of a configuration. */
export async function findAdapter({ path, database }: LoadedConfig): Promise<Adapter> {
  if (database === undefined)
    throw new ConfigError(
      'DATABASE_MISSING',
      `${path} names no database: add database: () => sqlite({ file: 'app.db' })`,
    )
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

/** Loads the module that registers the controllers, so that its decorators have run. */
export async function loadApp({ path, folder, app }: LoadedConfig): Promise<Readonly<Record<string, unknown>>> {
  if (app === undefined)
    throw new ConfigError('APP_MISSING', `${path} names no app: the module that registers controllers`)
  const module = resolve(folder, app)
  if (!existsSync(module)) throw new ConfigError('APP_MISSING', `${path}: there is no module ${app}`)
  try {
    return await loadModule(module)
  } catch (cause) {
    throw new ConfigError('CONFIG_FAILED', `${app} failed: ${messageOf(cause)}`, { cause })
  }
}

/** The module that starts the program. */
export function findMain({ path, folder, main }: LoadedConfig): string {
  if (main === undefined)
    throw new ConfigError('MAIN_MISSING', `${path} names no main: the module that starts the program`)
  const module = resolve(folder, main)
  if (!existsSync(module)) throw new ConfigError('MAIN_MISSING', `${path}: there is no module ${main}`)
  return module
}

/** Compiles the schema of a configuration; the diagnostics' paths are relative to its folder. */
export function compileSchema({ folder, schema = [] }: LoadedConfig): CompileResult {
  const files = listSchemaFiles(folder, typeof schema === 'string' ? [schema] : schema)
  return new Compiler({ read: (path) => readIfThere(resolve(folder, path)) }).compile(files)
}

/** What the database follows: the tables of the compiled schema, and those that packages declare. */
export function listTables({ tables = [] }: LoadedConfig, { models }: Pick<CompileResult, 'models'>): TableModel[] {
  return [...models.flatMap((it) => it.declarations).flatMap((it) => it.table ?? []), ...tables]
}
