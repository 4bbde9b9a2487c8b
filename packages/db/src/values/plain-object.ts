import { isPromise } from '../shared/objects.ts'

/** The problem of a value that is not a plain object. */
export function explainNotPlain(value: unknown, expected = 'a plain object'): string {
  return isPromise(value) ? 'is a promise: await it' : `expected ${expected}`
}

/** Reads an own field only: a name such as `constructor` would otherwise be found on every object. */
export function ownValue(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined
}
