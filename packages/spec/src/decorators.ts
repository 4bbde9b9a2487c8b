import type { AnyDecorator } from '@portico/http'
import { getSpecMate, type SpecExampleEntry, type SpecParamEntry, type SpecResponseEntry } from './spec-mate.ts'

const spec = getSpecMate()

/** Puts an operation, or all of a controller, into a tag group. Several stack, the controller's first. */
export function SpecTag(name: string): AnyDecorator {
  return spec.decorate('specTags', name, true)
}

/** The description of an operation in Markdown, in place of that of `@Description`. */
export function SpecDescription(text: string): AnyDecorator {
  return spec.decorate('specDescription', text)
}

/** The id of an operation, in place of that of `@Id` and of the generated one. */
export function SpecOperationId(id: string): AnyDecorator {
  return spec.decorate('specOperationId', id)
}

/** Marks an operation, or all of a controller, as deprecated. */
export function SpecDeprecated(): AnyDecorator {
  return spec.decorate('specDeprecated', true)
}

/** Leaves an operation, or all of a controller, out of the description. It is served all the same. */
export function SpecExclude(): AnyDecorator {
  return spec.decorate('specExclude', true)
}

/** A link to more about an operation. */
export function SpecExternalDocs(url: string, description?: string): AnyDecorator {
  return spec.decorate('specExternalDocs', { url, ...(description !== undefined && { description }) })
}

/** An answer beside those of `@Returns`: `@SpecResponse(404, { description: 'No such project.' })`. Several stack. */
export function SpecResponse(status: number, options: Omit<SpecResponseEntry, 'status'> = {}): AnyDecorator {
  return spec.decorate('specResponses', { status, ...options }, true)
}

/**
 * A parameter that the handler reads by itself, or more about one that it takes by a decorator:
 * `@SpecParam({ in: 'header', name: 'x-trace', description: 'Shown in the log.' })`. Several stack.
 */
export function SpecParam(param: SpecParamEntry): AnyDecorator {
  return spec.decorate('specParams', param, true)
}

/** An example of a parameter or body, or, on a handler, of its answer. Several stack. */
export function SpecExample(value: unknown, options: Omit<SpecExampleEntry, 'value'> = {}): AnyDecorator {
  return spec.decorate('specExamples', { value, ...options }, true)
}

/** The security scheme that an operation, or all of a controller, asks for, in place of what its guards say. One of several stacked is enough. */
export function SpecSecurity(scheme: string, scopes: readonly string[] = []): AnyDecorator {
  return spec.decorate('specSecurity', { [scheme]: scopes }, true)
}

/** Says that everybody may call an operation, or all of a controller, whatever guards it has. */
export function SpecPublic(): AnyDecorator {
  return spec.decorate('specPublic', true)
}
