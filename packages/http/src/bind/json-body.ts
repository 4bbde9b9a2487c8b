import { isUtf8 } from 'node:buffer'
import { HttpError } from '../errors.ts'

/**
 * Parses a JSON body strictly: valid UTF-8, no duplicate keys (parsers disagree about which one wins), no keys that could
 * reach a prototype if the value were copied carelessly, no numbers that JavaScript would change, and at most
 * {@link MAX_DEPTH} levels. An empty body is `undefined`.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) throw malformed('the body is not valid UTF-8')
  const text = bytes.toString('utf8')
  const value = parse(text)
  checkNumbers(text)
  if (typeof value === 'object' && value !== null && hasDuplicateKey(text, countKeys(value))) {
    throw malformed('an object in the body has a duplicate key')
  }
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // The parser's own message quotes the body, which may contain a secret.
    throw malformed('the body is not valid JSON')
  }
}

/**
 * Each key has one colon after it, so fewer keys than colons mean a duplicate. The fast count includes colons in
 * strings; only if it differs, the exact count that skips strings is needed.
 */
function hasDuplicateKey(text: string, keys: number): boolean {
  let colons = 0
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) colons += 1
  return colons !== keys && countColons(text) !== keys
}

/** The maximum nesting of objects and arrays: code that handles JSON recursively needs a bound. */
const MAX_DEPTH = 100

/** Level by level, without recursion: deeply nested input must not overflow the stack. */
function countKeys(value: object): number {
  let count = 0
  let level: object[] = [value]
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw malformed(`the body is nested more than ${MAX_DEPTH} levels deep`)
    const next: object[] = []
    for (const it of level) count += Array.isArray(it) ? addItems(it, next) : addFields(it, next)
    level = next
  }
  return count
}

function addItems(items: readonly unknown[], next: object[]): number {
  for (const item of items) if (typeof item === 'object' && item !== null) next.push(item)
  return 0
}

function addFields(fields: object, next: object[]): number {
  let count = 0
  // Objects from JSON.parse have own keys only, and `for in` is the fastest loop over them.
  for (const key in fields) {
    count += 1
    const item = (fields as Record<string, unknown>)[key]
    if (key === '__proto__') throw malformed('the body has a key `__proto__`')
    if (typeof item !== 'object' || item === null) continue
    if (key === 'constructor' && Object.hasOwn(item, 'prototype')) {
      throw malformed('the body has a key `constructor.prototype`')
    }
    next.push(item)
  }
  return count
}

/** Only numbers with many digits or a large exponent can change. They are rare, so this check is cheap. */
const suspicious = /\d{16}|\d[eE]\+?\d{3}/
const numberToken = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** Refuses numbers that would become `Infinity`, and integers that would be rounded. */
function checkNumbers(text: string): void {
  if (!suspicious.test(text)) return
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) === quote) index = endOfString(text, index + 1)
    else index += checkNumberAt(text, index)
  }
}

/** The length of the number that begins here, minus 1; 0 if there is none. */
function checkNumberAt(text: string, index: number): number {
  numberToken.lastIndex = index
  const token = numberToken.exec(text)?.[0]
  if (token === undefined) return 0
  const value = Number(token)
  if (!Number.isFinite(value)) throw malformed('a number in the body is too large')
  if (isRounded(token, value)) throw malformed('a whole number in the body would be rounded: send it as a string')
  return token.length - 1
}

/** Beyond 2^53, an integer is fine if it is exact, or if JavaScript writes it with the same digits. */
function isRounded(token: string, value: number): boolean {
  if (Number.isSafeInteger(value) || !/^-?\d+$/.test(token)) return false
  return String(value) !== token && BigInt(token) !== BigInt(value)
}

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a

/** The number of colons outside of strings, in valid JSON. */
function countColons(text: string): number {
  let count = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === colon) count += 1
    if (code === quote) index = endOfString(text, index + 1)
  }
  return count
}

function endOfString(text: string, start: number): number {
  let index = start
  for (let code = text.charCodeAt(index); code !== quote; code = text.charCodeAt(index)) {
    index += code === backslash ? 2 : 1
  }
  return index
}

function malformed(detail: string): HttpError {
  return new HttpError(400, 'MALFORMED_BODY', detail)
}
