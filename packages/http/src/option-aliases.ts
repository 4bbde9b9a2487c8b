import { RouteError } from './errors.ts'
import { type Guard, type Guards, joinPath } from './route.ts'

/** `path` and `route` are two names for one option. Two different values are a `RouteError`. */
export function readPath(
  { path, route }: { readonly path?: string | undefined; readonly route?: string | undefined },
  call: string,
): string | undefined {
  if (path !== undefined && route !== undefined && joinPath('/', path) !== joinPath('/', route)) {
    throw conflict('path', 'route', call)
  }
  return path ?? route
}

/** `guard` and `guards` are two names for one option. Two different values are a `RouteError`. */
export function readGuardOption<Value>(
  { guard, guards }: { readonly guard?: Value; readonly guards?: Value },
  call: string,
): Value | undefined {
  if (guard !== undefined && guards !== undefined && !isSameList(guard, guards)) throw conflict('guard', 'guards', call)
  return guard ?? guards
}

export function toGuardList(guards: Guards | undefined): readonly Guard[] {
  if (guards === undefined) return []
  return typeof guards === 'function' ? [guards] : guards
}

/** True for a guard and for a list of guards, an empty one included. */
export function isGuardOrList(value: unknown): value is Guards {
  return typeof value === 'function' || (Array.isArray(value) && value.every((it) => typeof it === 'function'))
}

function isSameList(one: unknown, other: unknown): boolean {
  const [first, second] = [one, other].map((it): readonly unknown[] => (Array.isArray(it) ? it : [it]))
  return first!.length === second!.length && first!.every((it, index) => it === second![index])
}

function conflict(one: string, other: string, call: string): RouteError {
  return new RouteError(
    'OPTIONS_INVALID',
    `${call}: \`${one}\` and \`${other}\` are the same option, but their values differ`,
  )
}
