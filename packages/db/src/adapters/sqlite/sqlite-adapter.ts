import type { Adapter, Engine } from '../../adapter.ts'
import { invalid } from '../../errors.ts'
import { openSqliteFile, prepareHandle, type SqliteHandle } from './sqlite-driver.ts'
import { toDbError } from './sqlite-errors.ts'
import { ConnectionLock } from './sqlite-lock.ts'
import { SqliteConnection, SqliteSession, SqliteTransaction } from './sqlite-session.ts'
import { storeSqliteColumn } from './sqlite-types.ts'

export interface SqliteOptions {
  /** The file, made where there is none; `':memory:'` for a database that ends with the program. */
  readonly file: string
  /** How long a call waits, without holding up the program, while another process writes. Default 10000 (10 s). */
  readonly busyTimeoutMs?: number
}

export interface SqliteHandleOptions {
  /** A ready better-sqlite3 database. It stays open when the Portico database is closed. */
  readonly handle: SqliteHandle
  readonly busyTimeoutMs?: number
}

/**
 * SQLite, through better-sqlite3. A file is opened in WAL mode with foreign keys on.
 *
 * ```ts
 * const db = await openDatabase(sqlite({ file: 'app.db' }))
 * ```
 */
export function sqlite(options: SqliteOptions | SqliteHandleOptions): Adapter {
  // Without a name SQLite would make a file that is gone when it is closed.
  if (!('handle' in options) && (typeof options.file !== 'string' || options.file === '')) {
    throw invalid('sqlite() is not valid', 'file', "expected the name of a file, or ':memory:'")
  }
  const busyTimeoutMs = options.busyTimeoutMs ?? 10_000
  return Object.freeze({
    name: 'sqlite',
    can: { schemas: false, transactions: true, sql: true, forwardReferences: true },
    storeColumn: storeSqliteColumn,
    async open() {
      const lock = new ConnectionLock(busyTimeoutMs)
      if ('handle' in options) return createEngine(prepareHandle(options.handle), lock, () => {})
      const handle = await openSqliteFile(options.file, lock)
      return createEngine(handle, lock, () => handle.close())
    },
  } satisfies Adapter)
}

function createEngine(handle: SqliteHandle, lock: ConnectionLock, close: () => unknown): Engine {
  const connection = new SqliteConnection(handle)
  return {
    session: new SqliteSession(connection, lock),
    async begin() {
      try {
        // The write lock is taken at the start: a transaction that has it never has to give up half-way.
        await lock.acquire(() => void handle.exec('BEGIN IMMEDIATE'))
      } catch (error) {
        throw toDbError(error)
      }
      return new SqliteTransaction(connection, lock)
    },
    async close() {
      await lock.acquire(() => {})
      close()
      lock.release()
    },
  }
}
