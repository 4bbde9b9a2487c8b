import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { checkEither, checkOptions, having, text, wholeNumber } from '../../check-options.ts'
import type { Adapter, Engine } from '../../contract/adapter.ts'
import { DbError } from '../../errors.ts'
import { ConnectionLock } from './connection-lock.ts'
import { openSqliteFile, prepareHandle, type SqliteFile, type SqliteHandle } from './driver.ts'
import { toDbError } from './errors.ts'
import { SqliteConnection, SqliteSession, SqliteTransaction } from './session.ts'
import { SqliteSyncChecks } from './sync-checks.ts'
import { storeSqliteColumn } from './types.ts'

export interface SqliteOptions {
  /**
   * The file, made where there is none; `':memory:'` for a database that ends with the program. A file is read over a
   * second connection while a transaction is open; in memory, reads wait until it has ended.
   */
  readonly file: string
  /** How long a call waits, without holding up the program, while another process writes. Default 10000 (10 s). */
  readonly busyTimeoutMs?: number | undefined
}

export interface SqliteHandleOptions {
  /**
   * A ready better-sqlite3 database. It stays open when the Portico database is closed. It is the only connection:
   * calls outside of an open transaction wait until that has ended.
   */
  readonly handle: SqliteHandle
  readonly busyTimeoutMs?: number | undefined
}

const usage = "sqlite({ file: 'app.db' }) or sqlite({ handle })"
const rules = { file: text, handle: having('prepare', 'a better-sqlite3 database'), busyTimeoutMs: wholeNumber }

/**
 * SQLite, through better-sqlite3. A file is opened in WAL mode with foreign keys on.
 *
 * ```ts
 * const db = await openDatabase(sqlite({ file: 'app.db' }))
 * ```
 */
export function sqlite(options: SqliteOptions | SqliteHandleOptions): Adapter {
  checkOptions(usage, options, rules)
  checkEither(usage, options, 'file', 'handle')
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
        // The last connection to be closed writes the log back into the file, which a reader cannot.
        opened.reader?.close()
        opened.handle.close()
      })
    },
    preview: () => (isToBeMade(options) ? sqlite({ file: ':memory:' }) : adapter),
  } satisfies Adapter)
  return adapter
}

/** Whether opening makes a file. One whose folder is missing cannot be made, and is refused as ever. */
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
        // The write lock is taken at the start: a transaction that has it never has to give up half-way.
        await lock.acquire(() => (checks ? checks.begin() : void handle.exec('BEGIN IMMEDIATE')))
      } catch (error) {
        const found = toDbError(error)
        if (!checks || !(found instanceof DbError) || found.code !== 'TIMEOUT') throw found
        throw new DbError('SYNC_LOCKED', 'another program did not stop writing in time', { cause: error })
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
