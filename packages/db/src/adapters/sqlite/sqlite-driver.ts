import { DbError } from '../../errors.ts'
import { toDbError } from './sqlite-errors.ts'
import type { ConnectionLock } from './sqlite-lock.ts'

/** What we ask of a better-sqlite3 database; a ready one may be handed in. */
export interface SqliteHandle {
  readonly inTransaction: boolean
  prepare(text: string): SqliteStatement
  exec(text: string): unknown
  pragma(text: string): unknown
  close(): unknown
}

export interface SqliteStatement {
  readonly reader: boolean
  raw(on: boolean): this
  safeIntegers(on: boolean): this
  get(...params: readonly unknown[]): unknown
  all(...params: readonly unknown[]): unknown[]
  run(...params: readonly unknown[]): { changes: number; lastInsertRowid: number | bigint }
}

/** How long the driver itself may wait for a lock; longer waits leave the event loop free. */
const DRIVER_WAIT_MS = 5

/** Opens a file. One that is damaged or of another kind is refused, and stays as it is. */
export async function openSqliteFile(file: string, lock: ConnectionLock): Promise<SqliteHandle> {
  const Driver = await loadDriver()
  try {
    // Another process may be at it: the change to WAL mode, for one, needs the file alone.
    return await lock.retry(() => openOnce(Driver, file))
  } catch (error) {
    if (isUnbuilt(error as Error)) {
      const told = 'better-sqlite3 is not built for this version of Node: npm rebuild better-sqlite3'
      throw new DbError('DRIVER_MISSING', told, { cause: error })
    }
    if (error instanceof TypeError)
      throw new DbError('UNAVAILABLE', `cannot open ${file}: ${error.message}`, { cause: error })
    throw toDbError(error)
  }
}

/** A native module that was built for another Node, or, as after `npm install --ignore-scripts`, not at all. */
function isUnbuilt(error: Error & { readonly code?: unknown }): boolean {
  return error.code === 'ERR_DLOPEN_FAILED' || error.message.startsWith('Could not locate the bindings file')
}

function openOnce(Driver: typeof import('better-sqlite3'), file: string): SqliteHandle {
  const handle = new Driver(file, { timeout: DRIVER_WAIT_MS }) as SqliteHandle
  try {
    // Reads the head and the list of tables before it changes anything.
    handle.pragma('journal_mode = WAL')
    handle.pragma('synchronous = NORMAL')
    return prepareHandle(handle)
  } catch (error) {
    handle.close()
    throw error
  }
}

/** What every connection needs, whoever opened it. */
export function prepareHandle(handle: SqliteHandle): SqliteHandle {
  handle.pragma(`busy_timeout = ${DRIVER_WAIT_MS}`)
  handle.pragma('foreign_keys = ON')
  return handle
}

async function loadDriver(): Promise<typeof import('better-sqlite3')> {
  try {
    return (await import('better-sqlite3')).default
  } catch (cause) {
    throw new DbError('DRIVER_MISSING', 'SQLite needs the package better-sqlite3: npm install better-sqlite3', {
      cause,
    })
  }
}
