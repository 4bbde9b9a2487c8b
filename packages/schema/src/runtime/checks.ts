import type { Issue, Path } from './issues.ts'

/**
 * The kind of value to validate: a complete stored record, or the input of an insert, replacement or update.
 * In input, `null` clears an optional field.
 */
export type Mode = 'record' | 'insert' | 'replace' | 'update'

/** A generated validator. It adds problems to `issues`. */
export type Check = (value: unknown, path: Path, issues: Issue[], mode: Mode) => void

/** An object that has not been validated. */
export interface Fields {
  readonly [name: string]: unknown
}

/** True for objects that are not arrays and do not inherit fields. Inherited fields are not input. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !inheritsFields(value)
}

/** Methods and accessors of classes are not enumerable, so they do not count as fields. */
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

/** True for numbers except NaN and the infinities. */
export function isNumber(value: unknown): value is number {
  return Number.isFinite(value)
}

/** True for whole numbers within ±(2^53 − 1). */
export function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

export function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

export function matches(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && pattern.test(value)
}

/** True if an optional field has a value to validate. In input, `null` means no value. */
export function isPresent(value: unknown, mode: Mode): boolean {
  return value !== undefined && (value !== null || mode === 'record')
}

/** Reads a field whose name exists on `Object.prototype`, such as `constructor`. */
export function own(value: Fields, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined
}

/** The mode for a nested object. An update replaces nested objects as a whole. */
export function nested(mode: Mode): Mode {
  return mode === 'update' ? 'replace' : mode
}

/** True if a check finds no issues. Used for members of a union. */
export function passes(check: Check, value: unknown): boolean {
  const issues: Issue[] = []
  check(value, [], issues, 'record')
  return issues.length === 0
}

/** The length of a string in code points, as JSON Schema counts, or of an array in items. */
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
