import { DbError } from '../../errors.ts'
import type { ConnectionLock } from './connection-lock.ts'
import { isSqliteError, toDbError } from './errors.ts'

/** The methods of a better-sqlite3 database that the adapter uses. */
export interface SqliteHandle {
  readonly inTransaction: boolean
  prepare(text: string): SqliteStatement
  exec(text: string): unknown
  pragma(text: string): unknown
  close(): unknown
}

export interface SqliteStatement {
  readonly reader: boolean
  /** True if the statement changes nothing. Not every driver reports it. */
  readonly readonly?: boolean
  raw(on: boolean): this
  safeIntegers(on: boolean): this
  get(...params: readonly unknown[]): unknown
  all(...params: readonly unknown[]): unknown[]
  run(...params: readonly unknown[]): { changes: number; lastInsertRowid: number | bigint }
}

/** The driver's own lock timeout, which blocks the event loop; longer waits do not. */
const DRIVER_WAIT_MS = 5

/** The connections of one file. */
export interface SqliteFile {
  readonly handle: SqliteHandle
  /** For reads while a transaction has the other one. Only in WAL mode, where readers and a writer do not block each other. */
  readonly reader: SqliteHandle | undefined
}

/** Opens a file. A file that is damaged, or not a database, is refused and left unchanged. */
export async function openSqliteFile(file: string, lock: ConnectionLock): Promise<SqliteFile> {
  const Driver = await loadDriver()
  try {
    // Another process may be using the file, and switching to WAL mode needs exclusive access.
    const handle = await lock.retry(() => openOnce(Driver, file))
    return { handle, reader: openReader(Driver, file, handle) }
  } catch (error) {
    throw explainOpening(error, file)
  }
}

/**
 * Explains why a file could not be opened. The driver loads its native addon at this point. If the addon was built for
 * another Node, or not at all (`npm install --ignore-scripts`), or the runtime cannot load it, the file is not at fault.
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
  return `better-sqlite3 does not run on ${runtime}: npm install libsql, and pass sqlite({ handle: new Database(file) })`
}

function openOnce(Driver: typeof import('better-sqlite3'), file: string): SqliteHandle {
  const handle = new Driver(file, { timeout: DRIVER_WAIT_MS }) as SqliteHandle
  try {
    // Reads the file header and the schema before it changes anything.
    handle.pragma('journal_mode = WAL')
    handle.pragma('synchronous = NORMAL')
    return prepareHandle(handle)
  } catch (error) {
    handle.close()
    throw error
  }
}

/** The second connection. It is opened now, since the path may lead to another file later. Without it, reads wait. */
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

/** Settings of every connection. */
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
