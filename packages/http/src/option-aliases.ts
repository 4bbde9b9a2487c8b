import { RouteError } from './errors.ts'
import { type Guard, type Guards, joinPath } from './route.ts'
import { findAliasConflict } from './shared/option-aliases.ts'

/** `path` and `route` are two names for one option. Two different values are a `RouteError`. */
export function readPath(
  { path, route }: { readonly path?: string | undefined; readonly route?: string | undefined },
  call: string,
): string | undefined {
  const [first, second] = [path, route].map((it) => (it === undefined ? it : joinPath('/', it)))
  refuse(findAliasConflict(['path', 'route'], [first, second]), call)
  return path ?? route
}

/** `guard` and `guards` are two names for one option. Two different values are a `RouteError`. */
export function readGuardOption<Value>(
  { guard, guards }: { readonly guard?: Value; readonly guards?: Value },
  call: string,
): Value | undefined {
  refuse(findAliasConflict(['guard', 'guards'], [guard, guards]), call)
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

function refuse(conflict: string | undefined, call: string): void {
  if (conflict !== undefined) throw new RouteError('OPTIONS_INVALID', `${call}: ${conflict}`)
}
