import { AuthorizeError } from './errors.ts'
import type { AuthorizeOptions } from './options.ts'
import { anyFunction, expecting, listOfStrings, nonEmptyString, trueOrFalse } from './shared/option-checks.ts'
import { findOptionProblem, type OptionRules, required } from './shared/options.ts'
import { httpUrl } from './shared/url-checks.ts'

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

const DEFAULT_TIMEOUT_MS = 300_000
// Node's timers fire at once beyond this.
const MAX_TIMEOUT_MS = 2 ** 31 - 1

const optionRules: OptionRules<AuthorizeOptions> = {
  authorizeUrl: required(httpUrl),
  tokenUrl: required(httpUrl),
  clientId: expecting('a non-empty string (left out for a loopback client)', isText),
  scope: listOfStrings,
  openBrowser: trueOrFalse,
  onUrl: anyFunction,
  statusUrl: httpUrl,
  timeoutMs: expecting(`a number of milliseconds from 0 to ${MAX_TIMEOUT_MS}`, isTimeout),
  signal: expecting('an AbortSignal', isSignal),
  expectedIssuer: nonEmptyString,
}

/** Checks every option before anything is started. A wrong one is `exchange_failed`; the message names it. */
export function readSettings(options: AuthorizeOptions): LoginSettings {
  const problem = findOptionProblem(options, optionRules, { call: 'authorize', allowUnknown: true })
  if (problem !== undefined) {
    throw new AuthorizeError('exchange_failed', problem, { cause: new TypeError(problem) })
  }
  const { authorizeUrl, tokenUrl, statusUrl, scope = [], timeoutMs = DEFAULT_TIMEOUT_MS, openBrowser = true } = options
  return {
    authorizeUrl: new URL(authorizeUrl),
    tokenUrl: new URL(tokenUrl),
    statusUrl: statusUrl === undefined ? undefined : new URL(statusUrl),
    clientId: options.clientId,
    scope: scope.join(' '),
    openBrowser,
    onUrl: options.onUrl,
    timeoutMs,
    signal: options.signal,
    expectedIssuer: options.expectedIssuer,
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

/** Checks the members, not the class: test runners bring along an `AbortSignal` class of their own. */
function isSignal(value: unknown): boolean {
  const { aborted, addEventListener, removeEventListener } = Object(value)
  return [typeof aborted, typeof addEventListener, typeof removeEventListener].join() === 'boolean,function,function'
}

function isTimeout(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= MAX_TIMEOUT_MS
}
