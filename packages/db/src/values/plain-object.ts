/**
 * Whether a value is a plain object whose fields can all be seen. Of a promise, a map, an instance with getters, or an
 * object whose names are symbols, `Object.keys` gives nothing: read as a condition, it would match every record.
 */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  return Reflect.ownKeys(value).length === Object.keys(value).length
}

/** Says what was given where a plain object was expected. */
export function explainNotPlain(value: unknown, expected = 'a plain object'): string {
  return isPromise(value) ? 'is a promise: await it' : `expected ${expected}`
}

export function isPromise(value: unknown): boolean {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function'
}

/** A field of an object itself: a name such as `constructor` would otherwise be found on every object. */
export function ownValue(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined
}
