import { AuthorizeError } from './errors.ts'
import type { AuthorizeOptions } from './options.ts'
import {
  anyFunction,
  expecting,
  listOfStrings,
  MAX_TIMER_MS,
  nonEmptyString,
  trueOrFalse,
} from './shared/option-checks.ts'
import { findInvalidOption, type OptionRules, required } from './shared/options.ts'
import { httpUrl } from './shared/url-checks.ts'

/** The checked options with defaults. */
export interface LoginSettings {
  readonly authorizeUrl: string
  readonly tokenUrl: string
  readonly statusUrl: string | undefined
  readonly clientId: string | undefined
  readonly scope: string
  readonly openBrowser: boolean
  readonly onUrl: ((url: string) => unknown) | undefined
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  readonly expectedIssuer: string | undefined
}

const DEFAULT_TIMEOUT_MS = 300_000

const optionRules: OptionRules<AuthorizeOptions> = {
  authorizeUrl: required(httpUrl),
  tokenUrl: required(httpUrl),
  clientId: nonEmptyString,
  scope: listOfStrings,
  openBrowser: trueOrFalse,
  onUrl: anyFunction,
  statusUrl: httpUrl,
  timeoutMs: expecting(`a number of milliseconds from 0 to ${MAX_TIMER_MS}`, isTimeout),
  signal: expecting('an AbortSignal', isSignal),
  expectedIssuer: nonEmptyString,
}

/** Checks every option before anything starts. A wrong one is `exchange_failed`; the message names it. */
export function readSettings(options: AuthorizeOptions): LoginSettings {
  const problem = findInvalidOption(options, optionRules)
  if (problem !== undefined) {
    const message = `authorize: ${problem}`
    throw new AuthorizeError('exchange_failed', message, { cause: new TypeError(message) })
  }
  const { scope = [], timeoutMs = DEFAULT_TIMEOUT_MS, openBrowser = true } = options
  return {
    authorizeUrl: options.authorizeUrl,
    tokenUrl: options.tokenUrl,
    statusUrl: options.statusUrl,
    clientId: options.clientId,
    scope: scope.join(' '),
    openBrowser,
    onUrl: options.onUrl,
    timeoutMs,
    signal: options.signal,
    expectedIssuer: options.expectedIssuer,
  }
}

/** Checks the members, not the class: test runners bring their own `AbortSignal`. */
function isSignal(value: unknown): boolean {
  const { aborted, addEventListener, removeEventListener } = Object(value)
  return [typeof aborted, typeof addEventListener, typeof removeEventListener].join() === 'boolean,function,function'
}

function isTimeout(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= MAX_TIMER_MS
}
