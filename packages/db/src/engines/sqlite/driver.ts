import { DbError } from '../../errors.ts'
import type { ConnectionLock } from './connection-lock.ts'
import { isSqliteError, toDbError } from './errors.ts'

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
  /** Whether it leaves the database as it is. Not every driver says so. */
  readonly readonly?: boolean
  raw(on: boolean): this
  safeIntegers(on: boolean): this
  get(...params: readonly unknown[]): unknown
  all(...params: readonly unknown[]): unknown[]
  run(...params: readonly unknown[]): { changes: number; lastInsertRowid: number | bigint }
}

/** How long the driver itself may wait for a lock; longer waits leave the event loop free. */
const DRIVER_WAIT_MS = 5

/** The connections of one file. */
export interface SqliteFile {
  readonly handle: SqliteHandle
  /** For reads while a transaction has the other one. Only where readers and a writer do not wait for each other: in WAL mode. */
  readonly reader: SqliteHandle | undefined
}

/** Opens a file. One that is damaged or of another kind is refused, and stays as it is. */
export async function openSqliteFile(file: string, lock: ConnectionLock): Promise<SqliteFile> {
  const Driver = await loadDriver()
  try {
    // Another process may be at it: the change to WAL mode, for one, needs the file alone.
    const handle = await lock.retry(() => openOnce(Driver, file))
    return { handle, reader: openReader(Driver, file, handle) }
  } catch (error) {
    throw explainOpening(error, file)
  }
}

/**
 * Why a file could not be opened. The driver loads its native part here: one that was built for another Node, not at
 * all, as after `npm install --ignore-scripts`, or that this runtime cannot load, says nothing about the file.
 */
function explainOpening(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || isSqliteError(error) || error instanceof DbError) return toDbError(error)
  if (error.message.startsWith('Cannot open database because'))
    return new DbError('UNAVAILABLE', `cannot open ${file}: ${error.message}`, { cause: error })
  return new DbError('DRIVER_MISSING', adviseDriver(process.versions), { cause: error })
}

function adviseDriver(versions: Readonly<Record<string, string | undefined>>): string {
  const runtime = versions['bun'] !== undefined ? 'Bun' : versions['deno'] !== undefined ? 'Deno' : undefined
  if (runtime === undefined) return 'better-sqlite3 is not built for this version of Node: npm rebuild better-sqlite3'
  return `better-sqlite3 does not run on ${runtime}: npm install libsql, and hand in sqlite({ handle: new Database(file) })`
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

/** A second connection, opened at once: later on, another file may have the name. Without one, reads wait for their turn. */
function openReader(
  Driver: typeof import('better-sqlite3'),
  file: string,
  handle: SqliteHandle,
): SqliteHandle | undefined {
  const [mode] = handle.pragma('journal_mode') as { readonly journal_mode: string }[]
  if (mode?.journal_mode !== 'wal') return undefined
  try {
    const reader = new Driver(file, { readonly: true, fileMustExist: true, timeout: DRIVER_WAIT_MS }) as SqliteHandle
    reader.pragma('query_only = ON')
    return reader
  } catch {
    return undefined
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
