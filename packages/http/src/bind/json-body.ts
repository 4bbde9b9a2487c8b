import { isUtf8 } from 'node:buffer'
import { HttpError } from '../errors.ts'

/**
 * Reads a JSON body strictly: valid UTF-8, no key twice in one object (readers disagree about which one counts), and
 * no key that would reach a prototype if the value were copied carelessly. An empty body is `undefined`.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) throw malformed('the body is not valid UTF-8')
  const text = bytes.toString('utf8')
  const value = parse(text)
  if (typeof value === 'object' && value !== null && hasKeyTwice(text, countKeys(value))) {
    throw malformed('an object in the body has a key twice')
  }
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // The parser's own message quotes the body, which may hold a secret.
    throw malformed('the body is not valid JSON')
  }
}

/**
 * Every key of an object comes with one colon: fewer keys than colons mean that one came twice. Where there is no colon
 * in any string, which finding them one by one tells quickest, there is no need to look at strings.
 */
function hasKeyTwice(text: string, keys: number): boolean {
  let colons = 0
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) colons += 1
  return colons !== keys && countColons(text) !== keys
}

function countKeys(value: object): number {
  let count = 0
  // A stack of our own: deeply nested input must not exhaust the engine's.
  const waiting: object[] = [value]
  for (let it = waiting.pop(); it; it = waiting.pop()) {
    if (Array.isArray(it)) {
      for (const item of it as unknown[]) if (typeof item === 'object' && item !== null) waiting.push(item)
      continue
    }
    // What JSON.parse makes has own keys alone, and this is the quickest way through them.
    for (const key in it) {
      count += 1
      const item = (it as Record<string, unknown>)[key]
      if (key === '__proto__') throw malformed('the body has a key `__proto__`')
      if (typeof item !== 'object' || item === null) continue
      if (key === 'constructor' && Object.hasOwn(item, 'prototype')) {
        throw malformed('the body has a key `constructor.prototype`')
      }
      waiting.push(item)
    }
  }
  return count
}

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a

/** The colons outside of strings, in text that is valid JSON. */
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
