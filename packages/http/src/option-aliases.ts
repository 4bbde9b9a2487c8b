import { RouteError, type RouteErrorCode } from './errors.ts'
import { type Guard, type Guards, joinPath } from './route.ts'

/** The function that an option was given to, and the code of the error when it is wrong. */
export interface OptionPlace {
  readonly code: RouteErrorCode
  readonly place: string
}

/** `path` and `route` are two names for one option. Two different values are a `RouteError`. */
export function readPath(
  { path, route }: { readonly path?: string | undefined; readonly route?: string | undefined },
  at: OptionPlace,
): string | undefined {
  if (path !== undefined && route !== undefined && joinPath('/', path) !== joinPath('/', route)) {
    throw conflict('path', 'route', at)
  }
  return path ?? route
}

/** `guard` and `guards` are two names for one option. Two different values are a `RouteError`. */
export function readGuardOption<Value>(
  { guard, guards }: { readonly guard?: Value; readonly guards?: Value },
  at: OptionPlace,
): Value | undefined {
  if (guard !== undefined && guards !== undefined && !isSameList(guard, guards)) throw conflict('guard', 'guards', at)
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

function conflict(one: string, other: string, { code, place }: OptionPlace): RouteError {
  return new RouteError(code, `${place}: \`${one}\` and \`${other}\` are the same option, but their values differ`)
}
