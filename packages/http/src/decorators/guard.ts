import { RouteError } from '../errors.ts'
import type { AnyDecorator } from '../metadata.ts'
import { isGuardOrList, toGuardList } from '../option-aliases.ts'
import type { Guard as GuardFunction, Guards } from '../route.ts'
import { http } from './keys.ts'

/** A function that {@link Guard} takes. */
export type Guard = GuardFunction

/**
 * Runs a guard, or a list of guards, before the handler. On a controller, before each of its handlers. Guards run in
 * the order in which they are written, the controller's first.
 */
export function Guard(guards: Guards): AnyDecorator {
  const list = isGuardOrList(guards) ? toGuardList(guards) : []
  if (list.length === 0) {
    throw new RouteError('METADATA_INVALID', `@Guard takes a function or a list of functions, not ${describe(guards)}`)
  }
  return http.apply(...list.map((it) => http.decorate('guards', it, true)))
}

function describe(value: unknown): string {
  if (!Array.isArray(value)) return String(value)
  return value.length === 0 ? 'an empty list' : 'a list with something else in it'
}

/**
 * A guard that names its security scheme for the API description.
 *
 * ```ts
 * const signedIn = defineGuard({ security: 'bearer' }, async (request) => { … })
 * ```
 */
export function defineGuard(options: { readonly security: string }, guard: GuardFunction): GuardFunction {
  return Object.assign((request: Parameters<GuardFunction>[0]) => guard(request), options)
}
