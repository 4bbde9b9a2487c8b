import { RouteError } from '../errors.ts'
import type { AnyDecorator } from '../metadata.ts'
import type { Guard as GuardFunction } from '../route.ts'
import { http } from './keys.ts'

/** The type of what {@link Guard} takes. */
export type Guard = GuardFunction

/**
 * Lets only requests pass that the function does not refuse. On a controller it stands before every handler. Several
 * stack and run in the order in which they are read, the controller's first.
 */
export function Guard(guard: GuardFunction): AnyDecorator {
  if (typeof guard !== 'function')
    throw new RouteError('METADATA_INVALID', `@Guard takes a function, not ${String(guard)}`)
  return http.decorate('guards', guard, true)
}

/**
 * A guard that names the security scheme it asks for, so that the API description tells.
 *
 * ```ts
 * const signedIn = defineGuard({ security: 'bearer' }, async (request) => { … })
 * ```
 */
export function defineGuard(options: { readonly security: string }, guard: GuardFunction): GuardFunction {
  return Object.assign((request: Parameters<GuardFunction>[0]) => guard(request), options)
}
