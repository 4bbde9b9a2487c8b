import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Adapter, Engine } from '../../contract/adapter.ts'
import { DbError } from '../../errors.ts'
import { nonEmptyString, nonNegativeInteger, withMethods } from '../../shared/option-checks.ts'
import { checkEither, checkOptions } from '../../values/check-options.ts'
import { ConnectionLock } from './connection-lock.ts'
import { openSqliteFile, prepareHandle, type SqliteFile, type SqliteHandle } from './driver.ts'
import { toDbError } from './errors.ts'
import { SqliteConnection, SqliteSession, SqliteTransaction } from './session.ts'
import { SqliteSyncChecks } from './sync-checks.ts'
import { storeSqliteColumn } from './types.ts'

export interface SqliteOptions {
  /**
   * The file, created if it does not exist; `':memory:'` for a database that ends with the process. While a transaction
   * is open, a file is read over a second connection; in memory, reads wait for the transaction to end.
   */
  readonly file: string
  /** Timeout for waiting, without blocking the event loop, while another process writes. Default 10000 (10 s). */
  readonly busyTimeoutMs?: number | undefined
}

export interface SqliteHandleOptions {
  /**
   * Your own better-sqlite3 database. It stays open when the Portico database is closed. It is the only connection:
   * calls outside of an open transaction wait for it to end.
   */
  readonly handle: SqliteHandle
  readonly busyTimeoutMs?: number | undefined
}

const rules = {
  file: nonEmptyString,
  handle: withMethods(['prepare'], 'a better-sqlite3 database'),
  busyTimeoutMs: nonNegativeInteger,
}

/**
 * Opens SQLite through better-sqlite3. A file is opened in WAL mode with foreign keys on.
 *
 * ```ts
 * const db = await openDatabase(sqlite({ file: 'app.db' }))
 * ```
 */
export function sqlite(options: SqliteOptions | SqliteHandleOptions): Adapter {
  checkOptions('sqlite', options, rules)
  checkEither('sqlite', options, 'file', 'handle')
  const busyTimeoutMs = options.busyTimeoutMs ?? 10_000
  const adapter: Adapter = Object.freeze({
    name: 'sqlite',
    supports: {
      schemas: false,
      transactions: true,
      sql: true,
      forwardReferences: true,
      transactionalDdl: true,
      alterColumn: false,
      renameIndex: false,
      autoIncrementAnyColumn: false,
      concurrentIndexes: false,
      foreignKeys: true,
    },
    storeColumn: storeSqliteColumn,
    async open() {
      const lock = new ConnectionLock(busyTimeoutMs)
      if ('handle' in options && options.handle) {
        return createEngine({ handle: prepareHandle(options.handle), reader: undefined }, lock, () => {})
      }
      const opened = await openSqliteFile((options as SqliteOptions).file, lock)
      return createEngine(opened, lock, () => {
        // The last connection to close writes the log back into the file, which a reader cannot do.
        opened.reader?.close()
        opened.handle.close()
      })
    },
    preview: () => (isToBeMade(options) ? sqlite({ file: ':memory:' }) : adapter),
  } satisfies Adapter)
  return adapter
}

/** True if opening would create the file. If its folder is missing too, opening fails as usual. */
function isToBeMade(options: SqliteOptions | SqliteHandleOptions): boolean {
  const file = 'file' in options ? options.file : ':memory:'
  return file !== ':memory:' && !existsSync(file) && existsSync(dirname(file))
}

function createEngine({ handle, reader }: SqliteFile, lock: ConnectionLock, close: () => void): Engine {
  const connection = new SqliteConnection(handle)
  return {
    session: new SqliteSession(connection, lock, reader && new SqliteConnection(reader)),
    async begin({ purpose }) {
      const checks = purpose === 'sync' ? new SqliteSyncChecks(handle) : undefined
      try {
        // The write lock is acquired at the start, so that a transaction never has to give up half-way.
        await lock.acquire(() => (checks ? checks.begin() : void handle.exec('BEGIN IMMEDIATE')))
      } catch (error) {
        const found = toDbError(error)
        if (!checks || !(found instanceof DbError) || found.code !== 'TIMEOUT') throw found
        throw new DbError('SYNC_LOCKED', 'timed out waiting for another process to stop writing', { cause: error })
      }
      return new SqliteTransaction(connection, lock, checks)
    },
    async close() {
      await lock.acquire(() => {})
      close()
      lock.release()
    },
  }
}
