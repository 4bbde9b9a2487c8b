/** Fields that are always redacted. */
const secretNames = ['authorization', 'cookie', 'password', 'token']
const secretPaths = ['req.headers', 'headers', ...secretNames.flatMap((it) => [it, `*.${it}`])]

/** The logger settings that are read here. */
export interface LogSettings {
  readonly stream?: { write(line: string): void } | undefined
  /** Further fields to redact, as in pino's `redact`. */
  readonly redact?:
    | readonly string[]
    | { readonly paths: readonly string[]; readonly [option: string]: unknown }
    | undefined
  readonly serializers?: object | undefined
}

interface LoggedRequest {
  readonly method: string
  readonly url: string
  readonly ip: string
}

/** Logs contain the path, never the query, headers or bodies: those may carry tokens and codes. */
export function createLogSettings(logger: boolean | LogSettings): object | false {
  if (logger === false) return false
  const own: LogSettings = logger === true ? {} : logger
  return {
    ...own,
    redact: addRedaction(own.redact),
    serializers: {
      req: (request: LoggedRequest) => ({
        method: request.method,
        path: request.url.split(/[?#]/, 1)[0]!,
        remoteAddress: request.ip,
      }),
      res: (reply: { statusCode: number }) => ({ statusCode: reply.statusCode }),
      err: serializeError,
      error: serializeError,
      ...own.serializers,
    },
  }
}

function addRedaction(own: LogSettings['redact'] = []): object {
  const { paths, ...options } = 'paths' in own ? own : { paths: own }
  return { ...options, paths: [...secretPaths, ...paths] }
}

/** The maximum depth of the chain of causes in a log. */
const MAX_CAUSES = 5

/** An error without its extra properties: those of an HTTP client contain the headers that it sent. */
function serializeError(error: unknown, causes = 0): unknown {
  if (!(error instanceof Error)) return typeof error === 'object' && error !== null ? '[object]' : error
  const { name, message, stack, code, cause } = error as Error & { code?: unknown }
  return {
    type: error.constructor.name || name,
    message,
    stack,
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(cause !== undefined && causes < MAX_CAUSES && { cause: serializeError(cause, causes + 1) }),
  }
}

/** The stack and code of an error and of its causes, as text. Other properties are left out. */
export function describeError(error: unknown, causes = 0): string {
  if (!(error instanceof Error)) return `a value that is not an Error was thrown: ${typeof error}`
  const { stack, message, name, code, cause } = error as Error & { code?: unknown }
  const shown = stack ?? `${name}: ${message}`
  const head = typeof code === 'string' || typeof code === 'number' ? `code ${code}\n` : ''
  if (cause === undefined || causes >= MAX_CAUSES) return head + shown
  return `${head}${shown}\ncaused by ${describeError(cause, causes + 1)}`
}
