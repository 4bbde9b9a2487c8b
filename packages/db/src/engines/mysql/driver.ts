import { wrongOptions } from '../../check-options.ts'
import { DbError } from '../../errors.ts'
import { type ClientExecutor, type ClientPool, type Done, ignore, type PoolExecutor } from '../../sql/executor.ts'
import { changesSession } from '../../sql/raw-sql.ts'
import { isCompilationAllowed } from '../../values/row-mapping.ts'
import { isConflict, isLost, isUnpreparable, isUnusable, toConnectError, toDbError, WaitTimeout } from './errors.ts'

/** What we ask of a mysql2 pool; a ready one may be handed in. */
export interface MysqlPool {
  getConnection(done: (error: Error | null, client: MysqlClient) => void): void
  end(done: (error: Error | null) => void): void
}

export interface MysqlClient {
  query(options: DriverQuery, done: DriverDone): unknown
  execute(options: DriverQuery, done: DriverDone): unknown
  /** Takes the options of the statement; the driver's types know its text alone. */
  unprepare(options: never): unknown
  release(): void
  destroy(): void
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
  readonly config?: object
  readonly stream?: { destroy(): unknown; ref?(): unknown; unref?(): unknown }
}

interface DriverQuery {
  readonly sql: string
  readonly values?: unknown[]
  readonly rowsAsArray: boolean
  readonly typeCast?: TypeCast
}

type DriverDone = (error: Error | null, rows?: unknown, fields?: unknown) => void
type TypeCast = (
  field: { type: string; extendedFormat?: string; string(encoding: string): unknown },
  next: () => unknown,
) => unknown

export interface MysqlQuery {
  readonly text: string
  /** With values, be it none, the statement is prepared; without, it is sent as it is. */
  readonly values?: unknown[] | undefined
  /** Rows as records instead of lists. */
  readonly named?: boolean
  /** A change of a big table takes the time it needs. */
  readonly isUnlimited?: boolean
  /** Fails where the transaction is no longer the one that it was. */
  readonly isCheck?: boolean
}

export interface MysqlResult {
  /** Rows, for a statement that reads. */
  readonly rows: readonly unknown[]
  /** What was done, for one that writes. */
  readonly done: WriteResult | undefined
  readonly fields: readonly MysqlField[]
}

export interface WriteResult {
  readonly affectedRows: number
  /** Text where JavaScript would round it. */
  readonly insertId: number | string
  readonly serverStatus: number
}

export interface MysqlField {
  readonly name: string
  readonly columnType: number
  readonly extendedFormat?: string
}

export interface PoolOptions {
  readonly url: URL
  readonly maxConnections: number
  readonly connectTimeoutMs: number
}

/** How many statements are kept prepared on a connection. */
const MOST_PREPARED = 500

/** A statement with more values than this is not kept prepared: the driver would keep a description of each. */
const MANY_VALUES = 2500

export async function openPool({ url, maxConnections, connectTimeoutMs }: PoolOptions): Promise<MysqlPool> {
  const mysql = await loadDriver()
  const pool = mysql.createPool({
    ...readAddress(url),
    connectionLimit: maxConnections,
    connectTimeout: connectTimeoutMs,
    maxPreparedStatements: MOST_PREPARED,
    // Whole numbers beyond 2^53 − 1 arrive as text, JSON and decimals always do.
    supportBigNumbers: true,
    jsonStrings: true,
    timezone: 'Z',
    disableEval: !isCompilationAllowed(),
    // A server may not ask for files of this machine.
    flags: ['-LOCAL_FILES'],
  })
  // Connections that nobody uses do not keep a program from ending.
  pool.on('release', (client) => void (client as unknown as MysqlClient).stream?.unref?.())
  pool.on('acquire', (client) => void (client as unknown as MysqlClient).stream?.ref?.())
  return pool as unknown as MysqlPool
}

/** The parts of an address. Throws where one of them cannot be read. */
export function readAddress(url: URL): import('mysql2').PoolOptions {
  const ssl = url.searchParams.get('ssl')
  return {
    host: decodeURIComponent(url.hostname.replace(/^\[|\]$/g, '')),
    port: Number(url.port || 3306),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
    ...(ssl !== null && { ssl: readSsl(ssl) }),
  }
}

export function readSsl(text: string): object {
  return text === 'true' ? {} : (JSON.parse(text) as object)
}

async function loadDriver(): Promise<typeof import('mysql2')> {
  try {
    return (await import('mysql2')).default
  } catch (cause) {
    throw new DbError('DRIVER_MISSING', 'MySQL needs the package mysql2: npm install mysql2', { cause })
  }
}

/** The statements of the whole pool, and of one transaction. */
export type MysqlExecutor = PoolExecutor<MysqlClient, MysqlQuery, MysqlResult>
export type MysqlClientExecutor = ClientExecutor<MysqlClient, MysqlQuery, MysqlResult>

export interface ClientOptions {
  /** Host and port, as errors tell them. */
  readonly address: string | undefined
  /** How long to wait for a connection, and for an answer; a ready pool's own affair. */
  readonly waits: { readonly connectTimeoutMs: number; readonly statementTimeoutMs: number } | undefined
}

/** The clients of a mysql2 pool. */
export function poolClients(
  pool: MysqlPool,
  { address, waits }: ClientOptions,
): ClientPool<MysqlClient, MysqlQuery, MysqlResult> {
  const ready = new WeakSet<MysqlClient>()
  const unclean = new WeakSet<MysqlClient>()
  /** Connections whose session a statement by hand may have changed. */
  const changed = new WeakSet<MysqlClient>()
  const setUp = { sql: describeSetUp(waits?.statementTimeoutMs), rowsAsArray: true }
  // A ready pool may be set to other forms of values than ours.
  const form = waits ? undefined : { typeCast: readAsText }
  const release = (client: MysqlClient, destroy: boolean): void => {
    // Later statements on an unclean connection would be part of an open transaction, or run under other settings.
    if (destroy || unclean.has(client) || changed.has(client)) {
      // The driver alone would leave the socket half open. Errors that it reports later are ignored.
      client.destroy()
      client.stream?.destroy()
    } else {
      client.off('error', ignore)
      client.release()
    }
  }
  return {
    acquire(done) {
      const finish = waits ? withinTime(waits.connectTimeoutMs, done, (client) => release(client!, false)) : done
      pool.getConnection((error, client) => {
        if (error) return finish(error, undefined)
        // A connection that breaks between two statements fails at the next one.
        client.on('error', ignore)
        if (ready.has(client)) return finish(undefined, client)
        if (countsChanges(client)) {
          release(client, false)
          return finish(
            wrongOptions('a pool whose connections have the flag FOUND_ROWS, as mysql2 gives them'),
            undefined,
          )
        }
        const afterSetUp: Done<unknown> = (refused) => {
          if (refused) {
            release(client, true)
            return finish(refused, undefined)
          }
          ready.add(client)
          finish(undefined, client)
        }
        // Without a timeout, a connection that hangs would never return to the pool.
        client.query(setUp, withinTime(waits?.connectTimeoutMs ?? 0, afterSetUp))
      })
    },
    release,
    send(client, { text, values, named = false, isUnlimited = false }, done) {
      const answer =
        waits && !isUnlimited ? withinTime(waits.statementTimeoutMs && waits.statementTimeoutMs + GRACE_MS, done) : done
      const sql = { sql: text, rowsAsArray: !named, ...form }
      // Raw SQL. A statement that fails may still have acquired a lock.
      if (named && changesSession(text, 'mysql')) changed.add(client)
      const finish: DriverDone = (error, rows, fields) => {
        if (values && values.length > MANY_VALUES) client.unprepare(sql as never)
        if (error) return answer(error, undefined as never)
        const result = toResult(rows, fields)
        if (result.done) unclean[leavesOpen(result.done) ? 'add' : 'delete'](client)
        answer(undefined, result)
      }
      if (values) client.execute({ ...sql, values }, finish)
      else client.query(sql, finish)
    },
    toDbError,
    toConnectError: (error) => toConnectError(error, address),
    // Statements that wait behind a failed check are not run: they would be kept.
    isUnusable: (error, { isCheck }) => isCheck === true || isUnusable(error),
    isLost,
    isConflict,
    rewriteStale: (query, error) =>
      isUnpreparable(error) && query.values?.length === 0 ? { ...query, values: undefined } : undefined,
  }
}

const IN_TRANSACTION = 1
const AUTOCOMMIT = 2

/** Whether what comes next on the connection is part of a transaction that is open, or would open one. */
export function leavesOpen({ serverStatus }: WriteResult): boolean {
  return isOpen({ serverStatus }) || (serverStatus & AUTOCOMMIT) === 0
}

/** Whether a transaction is open on the connection. */
export function isOpen({ serverStatus }: Pick<WriteResult, 'serverStatus'>): boolean {
  return (serverStatus & IN_TRANSACTION) !== 0
}

/** When the server's own refusal of what takes too long does not arrive, we give up a little later. */
const GRACE_MS = 1000

/** Calls back once: with what came, or with a timeout, unless that is 0. What comes after it goes to `late`. */
function withinTime<T>(ms: number, done: Done<T>, late: (value: T) => void = ignore): Done<T> {
  if (ms === 0) return done
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
    done(new WaitTimeout('no answer in time'), undefined as T)
  }, ms)
  return (error, value) => {
    if (isOver) return error ? undefined : late(value)
    isOver = true
    clearTimeout(timer)
    done(error, value)
  }
}

/** What every connection needs, whoever opened it and however its server is set up. */
const settings: readonly string[] = [
  // A statement that stands alone is kept, and the end of a transaction is no more than that.
  'autocommit = 1',
  'completion_type = 0',
  'foreign_key_checks = 1',
  // Else `IS NULL` finds what was stored last.
  'sql_auto_is_null = 0',
  'sql_safe_updates = 0',
  'sql_select_limit = 18446744073709551615',
  // Which index or column it is about, only the words of an error tell.
  "lc_messages = 'en_US'",
]

/** Modes in which a backslash is a letter, an empty text is NULL, and a `CHAR` ends in spaces that nobody stored. */
const unwantedModes = ['NO_BACKSLASH_ESCAPES', 'EMPTY_STRING_IS_NULL', 'PAD_CHAR_TO_FULL_LENGTH']

/**
 * A value that does not fit is refused, and a key of 0 is a key. On connections of our own, text has all characters,
 * whatever the server makes of what it was told when they were opened, double quotes are around names in SQL by hand,
 * as on other engines, and statements that take too long end.
 */
function describeSetUp(statementTimeoutMs: number | undefined): string {
  const kept = unwantedModes.reduce((modes, it) => `REPLACE(${modes}, '${it}', '')`, '@@sql_mode')
  const modes = (more: string): string =>
    `sql_mode = CONCAT(${kept}, ',STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO${more}')`
  const own =
    statementTimeoutMs === undefined
      ? [modes('')]
      : ['NAMES utf8mb4', modes(',ANSI_QUOTES'), limitStatements(statementTimeoutMs)]
  return `SET SESSION ${[...settings, ...own].join(', ')}`
}

/** How long the server works at a statement; 0 is without an end. The comments are MariaDB's and MySQL's ways to say it. */
export function limitStatements(ms: number): string {
  return `lock_wait_timeout = @@lock_wait_timeout /*M!100101 , max_statement_time = ${ms / 1000} */ /*!50708 , max_execution_time = ${ms} */`
}

const FOUND_ROWS = 2

/** Whether an update tells how many rows it changed, instead of how many it wrote. */
function countsChanges({ config }: MysqlClient): boolean {
  const { clientFlags } = (config ?? {}) as { readonly clientFlags?: number }
  return clientFlags !== undefined && (clientFlags & FOUND_ROWS) === 0
}

const readAsText: TypeCast = (field, next) =>
  field.type === 'JSON' || field.extendedFormat === 'json' || field.type.endsWith('DECIMAL')
    ? field.string('utf8')
    : next()

function toResult(rows: unknown, fields: unknown): MysqlResult {
  // A procedure answers with rows, as often as it likes, and at last with what was done.
  if (Array.isArray(fields) && fields.length > 0 && !fields.at(-1)) {
    const [first, done] = [(rows as unknown[])[0], (rows as unknown[]).at(-1)]
    return { rows: first as unknown[], done: done as WriteResult, fields: fields[0] as MysqlField[] }
  }
  if (Array.isArray(rows)) return { rows: rows as unknown[], done: undefined, fields: (fields ?? []) as MysqlField[] }
  return { rows: [], done: rows as WriteResult, fields: [] }
}
