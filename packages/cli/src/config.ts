import type { Adapter } from '@portico/db/adapter'
import type { AnyTable } from '@portico/schema/runtime'

/** The settings in `portico.config.ts`. */
export interface PorticoConfig {
  /** Schema files and folders, relative to the configuration file. Default: its folder. */
  readonly schema?: string | readonly string[] | undefined
  /** Tables declared by packages, such as `authTables` of `@portico/auth-server`. Default: none. */
  readonly tables?: readonly AnyTable[] | undefined
  /**
   * The database that `portico sync` updates. A function is called only by commands that need the database, so it can
   * read environment variables lazily.
   */
  readonly database?: Adapter | (() => Adapter | Promise<Adapter>) | undefined
  /** The module that registers the controllers, relative to the configuration file. Used by `portico spec`. */
  readonly app?: string | undefined
  /** The module that starts the program, relative to the configuration file. Used by `portico dev`. */
  readonly main?: string | undefined
  /** The URL of the running program, such as `http://localhost:3000`. Used by `login`, `logout` and `whoami`. */
  readonly server?: string | undefined
}

/**
 * Returns the configuration unchanged. It adds type checking and completion.
 *
 * ```ts
 * import { defineConfig } from '@portico/cli'
 * import { sqlite } from '@portico/db/sqlite'
 *
 * export default defineConfig({
 *   schema: 'schema',
 *   database: () => sqlite({ file: process.env.DATABASE_FILE ?? 'app.db' }),
 * })
 * ```
 */
export function defineConfig(config: PorticoConfig): PorticoConfig {
  return config
}

/** The reason a configuration cannot be used. */
export type ConfigErrorCode =
  | 'CONFIG_NOT_FOUND'
  | 'CONFIG_FAILED'
  | 'OPTIONS_INVALID'
  | 'DATABASE_MISSING'
  | 'APP_MISSING'
  | 'MAIN_MISSING'
  | 'MODULES_STALE'

/** The configuration is missing, cannot be loaded, or lacks a setting that the command needs. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly code: ConfigErrorCode

  constructor(code: ConfigErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
