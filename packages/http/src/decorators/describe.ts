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

/** The id of an operation. */
export function Id(id: string): AnyDecorator {
  return http.decorate('id', id)
}

/** Lets a parameter or body be absent; the handler then gets `undefined`. Parameters are required by default. */
export function Optional(): AnyDecorator {
  return http.decorate('optional', true)
}

/** Says that a parameter or body is required, as it is anyway. */
export function Required(): AnyDecorator {
  return http.decorate('required', true)
}
