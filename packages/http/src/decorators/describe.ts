import type { AnyDecorator } from '../metadata.ts'
import { http } from './keys.ts'

/** A short name: the summary of an operation, the title of a parameter or body. */
export function Label(text: string): AnyDecorator {
  return http.decorate('label', text)
}

/** A description in Markdown. */
export function Description(text: string): AnyDecorator {
  return http.decorate('description', text)
}

/** The operation id in the API description. */
export function Id(id: string): AnyDecorator {
  return http.decorate('id', id)
}

/** Makes a parameter or body optional: the handler gets `undefined` if it is absent. Parameters are required by default. */
export function Optional(): AnyDecorator {
  return http.decorate('optional', true)
}

/** Marks a parameter or body as required, which is the default. */
export function Required(): AnyDecorator {
  return http.decorate('required', true)
}
