import { AuthorizeError } from './errors.ts'
import type { AuthorizeOptions } from './options.ts'

/** The options after checking, with defaults filled in. */
export interface LoginSettings {
  readonly authorizeUrl: URL
  readonly tokenUrl: URL
  readonly statusUrl: URL | undefined
  readonly clientId: string | undefined
  readonly scope: string
  readonly openBrowser: boolean
  readonly onUrl: ((url: string) => unknown) | undefined
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  readonly expectedIssuer: string | undefined
}

const defaultTimeoutMs = 300_000
// Beyond this Node's timers fire at once.
const longestTimeoutMs = 2 ** 31 - 1

/** Checks every option before anything is started; a wrong one is an `exchange_failed` that names it. */
export function readSettings(options: AuthorizeOptions): LoginSettings {
  const given: unknown = options
  check(typeof given === 'object' && given !== null, 'authorize needs an object with its options')
  const { clientId, scope = [], openBrowser = true, onUrl, statusUrl, timeoutMs = defaultTimeoutMs, signal } = options
  const { expectedIssuer } = options
  check(
    clientId === undefined || isText(clientId),
    'clientId must be a non-empty string; leave it out for a loopback client',
  )
  check(Array.isArray(scope) && scope.every(isText), 'scope must be an array of non-empty strings')
  check(typeof openBrowser === 'boolean', 'openBrowser must be true or false')
  check(onUrl === undefined || typeof onUrl === 'function', 'onUrl must be a function')
  check(isTimeout(timeoutMs), `timeoutMs must be a number from 0 to ${longestTimeoutMs}`)
  check(signal === undefined || isSignal(signal), 'signal must be an AbortSignal')
  check(expectedIssuer === undefined || isText(expectedIssuer), 'expectedIssuer must be a non-empty string')
  return {
    authorizeUrl: readUrl('authorizeUrl', options.authorizeUrl),
    tokenUrl: readUrl('tokenUrl', options.tokenUrl),
    statusUrl: statusUrl === undefined ? undefined : readUrl('statusUrl', statusUrl),
    clientId,
    scope: scope.join(' '),
    openBrowser,
    onUrl,
    timeoutMs,
    signal,
    expectedIssuer,
  }
}

function readUrl(name: string, value: unknown): URL {
  check(isText(value), `${name} must be a URL`)
  const url = parseUrl(name, value)
  check(url.protocol === 'https:' || url.protocol === 'http:', `${name} must be an http: or https: URL`)
  // fetch refuses such a URL only when it is used, and quotes the password in its message.
  check(url.username === '' && url.password === '', `${name} must not carry a user name or password`)
  return url
}

function parseUrl(name: string, value: string): URL {
  try {
    return new URL(value)
  } catch {
    // The runtime's own error carries the text, and that may hold a password.
    throw new AuthorizeError('exchange_failed', `${name} is not a URL`, { cause: new TypeError('Invalid URL') })
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** Told by what it does: test runners bring along an `AbortSignal` class of their own. */
function isSignal(value: unknown): value is AbortSignal {
  const { aborted, addEventListener, removeEventListener } = Object(value)
  return [typeof aborted, typeof addEventListener, typeof removeEventListener].join() === 'boolean,function,function'
}

function isTimeout(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= longestTimeoutMs
}

function check(holds: boolean, message: string): asserts holds {
  if (!holds) throw new AuthorizeError('exchange_failed', message, { cause: new TypeError(message) })
}
