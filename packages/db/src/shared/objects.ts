// Copied from shared/objects.ts by `npm run copies`; edit it there.
/** True for any object that is not `null` and not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * True for an object literal all of whose fields `Object.keys` lists. It lists none for a promise, a map, an instance with
 * getters or an object with symbol keys: read as a condition, such a value would match every record.
 */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  return Reflect.ownKeys(value).length === Object.keys(value).length
}

/** True for anything that `await` would wait for. */
export function isPromise(value: unknown): boolean {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function'
}
