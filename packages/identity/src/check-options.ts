import { OAuthError } from './errors.ts'
import { isLoopback } from './loopback.ts'

/** The error every wrong option ends in. The message names the option and never quotes its value. */
export function invalidConfig(message: string, options?: ErrorOptions, details?: Record<string, unknown>): OAuthError {
  return new OAuthError('INVALID_CONFIG', message, details, options)
}

export function checkObject(value: unknown, name: string): void {
  if (!isObject(value)) throw invalidConfig(`${name} must be an object`)
}

export function checkText(value: unknown, name: string): void {
  if (typeof value !== 'string' || value === '') throw invalidConfig(`${name} must be a non-empty string`)
}

export function checkOptionalText(value: unknown, name: string): void {
  if (value !== undefined) checkText(value, name)
}

export function checkOptionalTexts(value: unknown, name: string): void {
  if (value === undefined) return
  if (!Array.isArray(value)) throw invalidConfig(`${name} must be an array of strings`)
  for (const item of value) checkText(item, `Every item of ${name}`)
}

/** A duration in the unit its name says: zero or more. */
export function checkOptionalDuration(value: unknown, name: string): void {
  if (value === undefined) return
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
    throw invalidConfig(`${name} must be a number of zero or more`)
}

export function checkOptionalFunction(value: unknown, name: string): void {
  if (value !== undefined && typeof value !== 'function') throw invalidConfig(`${name} must be a function`)
}

/** Something made elsewhere that must have certain methods: a store, a provider. */
export function checkMethods(value: unknown, name: string, methods: readonly string[]): void {
  checkObject(value, name)
  for (const method of methods)
    if (typeof (value as Record<string, unknown>)[method] !== 'function')
      throw invalidConfig(`${name} must have a method ${method}()`)
}

export function checkOptionalClock(value: unknown, name: string): void {
  if (value === undefined) return
  if (!isObject(value) || typeof value['now'] !== 'function') throw invalidConfig(`${name} must have a function now()`)
}

/** A URL that requests or people are sent to: over TLS unless it stays on this machine, with nothing hidden in it. */
export function checkEndpoint(value: unknown, name: string): void {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined
  if (!url) throw invalidConfig(`${name} must be an absolute URL`)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
    throw invalidConfig(`${name} must use https: unless its host is a loopback address`)
  // RFC 6749 §3.1: no fragment. Credentials in a URL end up in logs, and `fetch` refuses them.
  if (url.hash !== '' || url.username !== '' || url.password !== '')
    throw invalidConfig(`${name} must have neither a fragment nor credentials`)
}

export function checkOptionalEndpoint(value: unknown, name: string): void {
  if (value !== undefined) checkEndpoint(value, name)
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
