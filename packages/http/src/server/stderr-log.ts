import { describeError } from './log.ts'

/**
 * The log of an app without a logger. Warnings and errors go to stderr with request id, stack and causes, so that no
 * failure is silent. Other fields are left out, since they may contain anything.
 */
export class StderrLog {
  readonly level = 'warn'
  readonly #requestId: string | undefined

  constructor(requestId?: string) {
    this.#requestId = requestId
  }

  /** Fastify calls it for each request. */
  child(bindings: { readonly reqId?: unknown }): StderrLog {
    return new StderrLog(typeof bindings.reqId === 'string' ? bindings.reqId : this.#requestId)
  }

  warn(fields: unknown, message?: unknown): void {
    this.#write(fields, message)
  }

  error(fields: unknown, message?: unknown): void {
    this.#write(fields, message)
  }

  fatal(fields: unknown, message?: unknown): void {
    this.#write(fields, message)
  }

  info(): void {}
  debug(): void {}
  trace(): void {}
  silent(): void {}

  #write(fields: unknown, message: unknown): void {
    const { err, error = err, method, path } = readFields(fields)
    const text = typeof fields === 'string' ? fields : typeof message === 'string' ? message : 'something failed'
    const where = typeof method === 'string' && typeof path === 'string' ? [`${method} ${path}`] : []
    const place = [...where, ...(this.#requestId === undefined ? [] : [`request id ${this.#requestId}`])].join(', ')
    const head = place === '' ? text : `${text} (${place})`
    process.stderr.write(`${oneLine(head)}\n${error === undefined ? '' : `${describeError(error)}\n`}`)
  }
}

interface LogFields {
  readonly err?: unknown
  readonly error?: unknown
  readonly method?: unknown
  readonly path?: unknown
}

function readFields(fields: unknown): LogFields {
  if (fields instanceof Error) return { err: fields }
  return typeof fields === 'object' && fields !== null ? fields : {}
}

/** The caller chooses the path, so it must not be able to start a new line. */
function oneLine(text: string): string {
  return text.replaceAll(/[\r\n\u2028\u2029]+/g, ' ')
}
