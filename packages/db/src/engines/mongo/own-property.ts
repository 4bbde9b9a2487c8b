/**
 * Fields of documents by names that a schema or another program chose. A name such as `constructor` or `toString` is
 * also found on `Object.prototype`, and an assignment to `__proto__` sets no field: only own properties count here.
 */
import type { Document } from './driver.ts'

/** The value of a field; `undefined` where the holder lacks it or is not a document: an array has a `length`. */
export function ownValue(holder: unknown, name: string): unknown {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) return undefined
  // The driver's own types have fields too, by which they hold their values.
  const isDocument = !Array.isArray(holder) && (holder as Document)['_bsontype'] === undefined
  return isDocument ? (holder as Document)[name] : undefined
}

export function setOwn(holder: Document, name: string, value: unknown): void {
  // An assignment is faster, and right for every other name: it makes an own property of a plain object.
  if (name !== '__proto__') holder[name] = value
  else Object.defineProperty(holder, name, { value, writable: true, enumerable: true, configurable: true })
}
