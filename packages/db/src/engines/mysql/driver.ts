import { DbError } from '../../errors.ts'
import { type ClientExecutor, type ClientPool, type Done, ignore, type PoolExecutor } from '../../sql/executor.ts'
import { changesSession } from '../../sql/raw-sql.ts'
import { wrongArgument } from '../../values/check-options.ts'
import { isCompilationAllowed } from '../../values/row-mapping.ts'
import {
  isConflict,
  isConnectionLost,
  isUnpreparable,
  isUnusable,
  toConnectError,
  toDbError,
  WaitTimeout,
} from './errors.ts'

/** The methods of a mysql2 pool that the adapter uses. */
export interface MysqlPool {
  getConnection(done: (error: Error | null, client: MysqlClient) => void): void
  end(done: (error: Error | null) => void): void
}

export interface MysqlClient {
  query(options: DriverQuery, done: DriverDone): unknown
  execute(options: DriverQuery, done: DriverDone): unknown
  /** Accepts the options of the statement; the driver's types declare only its text. */
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
  /** With values, even an empty list, the statement is prepared; without, it is sent as text. */
  readonly values?: unknown[] | undefined
  /** Returns rows as objects instead of arrays. */
  readonly named?: boolean
  /** Disables the timeout, as for changes of big tables. */
  readonly isUnlimited?: boolean
  /** Checks that the transaction is still the same one. */
  readonly isCheck?: boolean
}

export interface MysqlResult {
  readonly rows: readonly unknown[]
  /** The result of a write. */
  readonly done: WriteResult | undefined
  readonly fields: readonly MysqlField[]
}

export interface WriteResult {
  readonly affectedRows: number
  /** Text if JavaScript would round it. */
  readonly insertId: number | string
  readonly serverStatus: number
}

interface MysqlField {
  readonly name: string
  readonly columnType: number
  readonly extendedFormat?: string
}

export interface PoolOptions {
  readonly url: URL
  readonly maxConnections: number
  readonly connectTimeoutMs: number
}

/** Maximum number of prepared statements per connection. */
const MAX_PREPARED = 500

/** Statements with more values are not kept prepared: the driver would keep a description of each value. */
const MANY_VALUES = 2500

export async function openPool({ url, maxConnections, connectTimeoutMs }: PoolOptions): Promise<MysqlPool> {
  const mysql = await loadDriver()
  const pool = mysql.createPool({
    ...readAddress(url),
    connectionLimit: maxConnections,
    connectTimeout: connectTimeoutMs,
    maxPreparedStatements: MAX_PREPARED,
    // Integers beyond 2^53 − 1 arrive as text; JSON and decimals always do.
    supportBigNumbers: true,
    jsonStrings: true,
    timezone: 'Z',
    disableEval: !isCompilationAllowed(),
    // The server must not request local files.
    flags: ['-LOCAL_FILES'],
  })
  // Idle connections do not keep the process alive.
  pool.on('release', (client) => void (client as unknown as MysqlClient).stream?.unref?.())
  pool.on('acquire', (client) => void (client as unknown as MysqlClient).stream?.ref?.())
  return pool as unknown as MysqlPool
}

/** Parses a URL. Throws if a part of it is malformed. */
function readAddress(url: URL): import('mysql2').PoolOptions {
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

export type MysqlExecutor = PoolExecutor<MysqlClient, MysqlQuery, MysqlResult>
export type MysqlClientExecutor = ClientExecutor<MysqlClient, MysqlQuery, MysqlResult>

export interface ClientOptions {
  /** Host and port, as errors show them. */
  readonly address: string | undefined
  /** Undefined for a pool that was passed in, whose timeouts are its own. */
  readonly timeouts: { readonly connectTimeoutMs: number; readonly statementTimeoutMs: number } | undefined
}

/** Adapts a mysql2 pool. */
export function poolClients(
  pool: MysqlPool,
  { address, timeouts }: ClientOptions,
): ClientPool<MysqlClient, MysqlQuery, MysqlResult> {
  const ready = new WeakSet<MysqlClient>()
  const unclean = new WeakSet<MysqlClient>()
  /** Connections whose session raw SQL may have changed. */
  const changed = new WeakSet<MysqlClient>()
  const setUp = { sql: describeSetUp(timeouts?.statementTimeoutMs), rowsAsArray: true }
  // A pool that was passed in may return values in other forms.
  const form = timeouts ? undefined : { typeCast: readAsText }
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
      const finish = timeouts ? withTimeout(timeouts.connectTimeoutMs, done, (client) => release(client!, false)) : done
      pool.getConnection((error, client) => {
        if (error) return finish(error, undefined)
        // A connection that breaks between two statements fails at the next one.
        client.on('error', ignore)
        if (ready.has(client)) return finish(undefined, client)
        if (countsChanges(client)) {
          release(client, false)
          return finish(
            wrongArgument('a pool whose connections have the flag FOUND_ROWS, as mysql2 gives them'),
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
        client.query(setUp, withTimeout(timeouts?.connectTimeoutMs ?? 0, afterSetUp))
      })
    },
    release,
    send(client, { text, values, named = false, isUnlimited = false }, done) {
      const answer =
        timeouts && !isUnlimited
          ? withTimeout(timeouts.statementTimeoutMs && timeouts.statementTimeoutMs + GRACE_MS, done)
          : done
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
    isConnectionLost,
    isConflict,
    rewriteStale: (query, error) =>
      isUnpreparable(error) && query.values?.length === 0 ? { ...query, values: undefined } : undefined,
  }
}

const IN_TRANSACTION = 1
const AUTOCOMMIT = 2

/** True if the next statement on the connection would be part of a transaction. */
export function leavesOpen({ serverStatus }: WriteResult): boolean {
  return isOpen({ serverStatus }) || (serverStatus & AUTOCOMMIT) === 0
}

/** True if a transaction is open on the connection. */
export function isOpen({ serverStatus }: Pick<WriteResult, 'serverStatus'>): boolean {
  return (serverStatus & IN_TRANSACTION) !== 0
}

/** The server cancels slow statements. If even its error does not arrive, the client gives up this much later. */
const GRACE_MS = 1000

/** Wraps a callback with a timeout; 0 disables it. A value that arrives after the timeout goes to `late`. */
function withTimeout<T>(ms: number, done: Done<T>, late: (value: T) => void = ignore): Done<T> {
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

/** Session settings of every connection, whatever the server's defaults. */
const settings: readonly string[] = [
  // Single statements commit, and the end of a transaction neither starts another one nor disconnects.
  'autocommit = 1',
  'completion_type = 0',
  'foreign_key_checks = 1',
  // Otherwise `IS NULL` finds the last inserted row.
  'sql_auto_is_null = 0',
  'sql_safe_updates = 0',
  'sql_select_limit = 18446744073709551615',
  // Only the message of an error names the index or column, and it is parsed in English.
  "lc_messages = 'en_US'",
]

/** Modes in which a backslash is an ordinary character, an empty text is NULL, and `CHAR` values are padded. */
const unwantedModes = ['NO_BACKSLASH_ESCAPES', 'EMPTY_STRING_IS_NULL', 'PAD_CHAR_TO_FULL_LENGTH']

/**
 * Makes the server refuse values that do not fit, and accept 0 as a key. On connections of the adapter's own pool, also
 * sets utf8mb4, double quotes as identifier quotes in raw SQL, as on other engines, and the statement timeout.
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

/** Sets the server's statement timeout; 0 disables it. MariaDB runs the first comment, MySQL the second. */
export function limitStatements(ms: number): string {
  return `lock_wait_timeout = @@lock_wait_timeout /*M!100101 , max_statement_time = ${ms / 1000} */ /*!50708 , max_execution_time = ${ms} */`
}

const FOUND_ROWS = 2

/** True if an update reports the rows it changed instead of the rows it found. */
function countsChanges({ config }: MysqlClient): boolean {
  const { clientFlags } = (config ?? {}) as { readonly clientFlags?: number }
  return clientFlags !== undefined && (clientFlags & FOUND_ROWS) === 0
}

const readAsText: TypeCast = (field, next) =>
  field.type === 'JSON' || field.extendedFormat === 'json' || field.type.endsWith('DECIMAL')
    ? field.string('utf8')
    : next()

function toResult(rows: unknown, fields: unknown): MysqlResult {
  // A procedure returns any number of row sets, and a write result at the end.
  if (Array.isArray(fields) && fields.length > 0 && !fields.at(-1)) {
    const [first, done] = [(rows as unknown[])[0], (rows as unknown[]).at(-1)]
    return { rows: first as unknown[], done: done as WriteResult, fields: fields[0] as MysqlField[] }
  }
  if (Array.isArray(rows)) return { rows: rows as unknown[], done: undefined, fields: (fields ?? []) as MysqlField[] }
  return { rows: [], done: rows as WriteResult, fields: [] }
}
