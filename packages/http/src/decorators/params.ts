import type { AnyDecorator } from '../metadata.ts'
import type { TypeToken } from '../types.ts'
import { type HttpMetadata, http } from './keys.ts'

type Place = NonNullable<HttpMetadata['input']>['in']

function input(place: Place, name?: string, type?: TypeToken): AnyDecorator {
  return http.decorate('input', { in: place, name, type })
}

/** A path parameter: `@Get('/:id') find(@Param('id') id: number)`. */
export function Param(name: string, type?: TypeToken): AnyDecorator {
  return input('path', name, type)
}

/**
 * A query parameter: `@Query('page') page: number`. A list needs its type, `@Query('tag', [String])`. Without a name, the
 * whole query as an object of the given type.
 */
export function Query(name?: string, type?: TypeToken): AnyDecorator
export function Query(type: Exclude<TypeToken, StringConstructor>): AnyDecorator
export function Query(first?: string | TypeToken, type?: TypeToken): AnyDecorator {
  return typeof first === 'string' ? input('query', first, type) : input('query', undefined, first ?? type)
}

/** A request header. The case of the name does not matter. */
export function Header(name: string, type?: TypeToken): AnyDecorator {
  return input('header', name.toLowerCase(), type)
}

/** A cookie. */
export function Cookie(name: string, type?: TypeToken): AnyDecorator {
  return input('cookie', name, type)
}

/** The body, validated against the given type. Without a type, any JSON is accepted. */
export function Body(type?: TypeToken): AnyDecorator {
  return input('body', undefined, type)
}

/** The request itself. */
export function Request(): AnyDecorator {
  return input('request')
}
