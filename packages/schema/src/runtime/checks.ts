import type { Issue, Path } from './issues.ts'

/**
 * What a value is checked as: a whole stored record, the input of an insert, of a replacement, or of an update.
 * On input, `null` clears an optional field.
 */
export type Mode = 'record' | 'insert' | 'replace' | 'update'

/** A validator as the generated modules have it: adds what is wrong to `issues`. */
export type Check = (value: unknown, path: Path, issues: Issue[], mode: Mode) => void

/** An object whose fields have not been looked at. */
export interface Fields {
  readonly [name: string]: unknown
}

/** Whether the value is an object, no array, and has its fields itself: what it would inherit is nobody's input. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !inheritsFields(value)
}

/** Methods and accessors of classes are not enumerable and so are no fields. */
function inheritsFields(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Object.prototype) return false
  for (const _ in prototype as object) return true
  return false
}

export function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

export function isString(value: unknown): value is string {
  return typeof value === 'string'
}

/** Whether the value is a number other than NaN and the infinities. */
export function isNumber(value: unknown): value is number {
  return Number.isFinite(value)
}

/** Whether the value is a whole number within ±(2^53 − 1). */
export function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

export function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

export function matches(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && pattern.test(value)
}

/** Whether an optional field has to be looked at: it is there, and not `null` on input. */
export function isPresent(value: unknown, mode: Mode): boolean {
  return value !== undefined && (value !== null || mode === 'record')
}

/** A field whose name every object inherits: only the object's own counts. */
export function own(value: Fields, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined
}

/** The mode of a nested object: an update replaces it as a whole. */
export function nested(mode: Mode): Mode {
  return mode === 'update' ? 'replace' : mode
}

/** Whether a check finds nothing wrong; for the members of a union. */
export function passes(check: Check, value: unknown): boolean {
  const issues: Issue[] = []
  check(value, [], issues, 'record')
  return issues.length === 0
}

/** The length of a text in characters (code points), as JSON Schema counts; of an array in items. */
export function lengthOf(value: string | readonly unknown[]): number {
  if (typeof value !== 'string') return value.length
  let length = value.length
  for (let index = 0; index < value.length - 1; index++) {
    const isPair = (value.charCodeAt(index) & 0xfc00) === 0xd800 && (value.charCodeAt(index + 1) & 0xfc00) === 0xdc00
    if (isPair) {
      length -= 1
      index += 1
    }
  }
  return length
}
