import type { AnyDecorator } from '../metadata.ts'
import type { TypeToken } from '../types.ts'
import { type HttpMetadata, http } from './keys.ts'

type Place = NonNullable<HttpMetadata['input']>['in']

function input(place: Place, name?: string, type?: TypeToken): AnyDecorator {
  return http.decorate('input', { in: place, name, type })
}

/** A parameter of the path: `@Get('/:id') find(@Param('id') id: number)`. */
export function Param(name: string, type?: TypeToken): AnyDecorator {
  return input('path', name, type)
}

/**
 * A parameter of the query: `@Query('page') page: number`. A list is written with its type, `@Query('tag', [String])`.
 * Without a name, the whole query as an object of the type that is given.
 */
export function Query(name?: string, type?: TypeToken): AnyDecorator
export function Query(type: Exclude<TypeToken, StringConstructor>): AnyDecorator
export function Query(first?: string | TypeToken, type?: TypeToken): AnyDecorator {
  return typeof first === 'string' ? input('query', first, type) : input('query', undefined, first ?? type)
}

/** A header of the request, in any case. */
export function Header(name: string, type?: TypeToken): AnyDecorator {
  return input('header', name.toLowerCase(), type)
}

/** A cookie of the request. */
export function Cookie(name: string, type?: TypeToken): AnyDecorator {
  return input('cookie', name, type)
}

/** The body, validated by the type that is given; any JSON without one. */
export function Body(type?: TypeToken): AnyDecorator {
  return input('body', undefined, type)
}

/** The request itself. */
export function Request(): AnyDecorator {
  return input('request')
}
