import type { Adapter } from '@portico/db/adapter'
import type { AnyTable } from '@portico/schema/runtime'

/** What `portico.config.ts` says: where the schema is, which database follows it, and what makes the API. */
export interface PorticoConfig {
  /** Schema files and folders, relative to the configuration. Default: the configuration's folder. */
  readonly schema?: string | readonly string[]
  /** Tables that packages declare, beside those of the schema: `authTables` of `@portico/auth-server`. Default: none. */
  readonly tables?: readonly AnyTable[]
  /**
   * The database that `portico sync` brings up to date. A function is called only by commands that need the database,
   * so that environment variables are read no sooner.
   */
  readonly database?: Adapter | (() => Adapter | Promise<Adapter>)
  /** The module that registers the controllers, relative to the configuration, for `portico spec`. */
  readonly app?: string
  /** The module that starts the program, relative to the configuration, for `portico dev`. */
  readonly main?: string
  /** Where the program serves, such as `http://localhost:3000`, for `portico login` and its like. */
  readonly server?: string
}

/**
 * Gives the configuration its type; changes nothing.
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

/** Why a configuration cannot be used. */
export type ConfigErrorCode =
  | 'CONFIG_NOT_FOUND'
  | 'CONFIG_FAILED'
  | 'OPTIONS_INVALID'
  | 'DATABASE_MISSING'
  | 'APP_MISSING'
  | 'MAIN_MISSING'
  | 'MODULES_STALE'

/** A configuration that is not there, cannot be loaded or lacks what a command needs. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly code: ConfigErrorCode

  constructor(code: ConfigErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
