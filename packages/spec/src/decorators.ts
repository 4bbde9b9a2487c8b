import type { AnyDecorator } from '@portico/http'
import { getSpecMate, type SpecExampleEntry, type SpecParamEntry, type SpecResponseEntry } from './spec-mate.ts'

const spec = getSpecMate()

/** Adds a tag to an operation, or to all operations of a controller. Several can be stacked; the controller's come first. */
export function SpecTag(name: string): AnyDecorator {
  return spec.decorate('specTags', name, true)
}

/** The description of an operation in Markdown. It replaces that of `@Description`. */
export function SpecDescription(text: string): AnyDecorator {
  return spec.decorate('specDescription', text)
}

/** The operation id. It replaces that of `@Id` and the generated one. */
export function SpecOperationId(id: string): AnyDecorator {
  return spec.decorate('specOperationId', id)
}

/** Marks an operation, or all operations of a controller, as deprecated. */
export function SpecDeprecated(): AnyDecorator {
  return spec.decorate('specDeprecated', true)
}

/** Leaves an operation, or all operations of a controller, out of the description. They are still served. */
export function SpecExclude(): AnyDecorator {
  return spec.decorate('specExclude', true)
}

/** A link to further documentation of an operation. */
export function SpecExternalDocs(url: string, description?: string): AnyDecorator {
  return spec.decorate('specExternalDocs', { url, ...(description !== undefined && { description }) })
}

/** A response besides those of `@Returns`: `@SpecResponse(404, { description: 'No such project.' })`. Several can be stacked. */
export function SpecResponse(status: number, options: Omit<SpecResponseEntry, 'status'> = {}): AnyDecorator {
  return spec.decorate('specResponses', { status, ...options }, true)
}

/**
 * A parameter that the handler reads itself, or more about one that it gets by a decorator:
 * `@SpecParam({ in: 'header', name: 'x-trace', description: 'Shown in the log.' })`. Several can be stacked.
 */
export function SpecParam(param: SpecParamEntry): AnyDecorator {
  return spec.decorate('specParams', param, true)
}

/** An example of a parameter or body or, on a handler, of its response. Several can be stacked. */
export function SpecExample(value: unknown, options: Omit<SpecExampleEntry, 'value'> = {}): AnyDecorator {
  return spec.decorate('specExamples', { value, ...options }, true)
}

/**
 * The security scheme of an operation, or of all operations of a controller. It replaces the schemes of the guards. If
 * several are stacked, any one of them is enough.
 */
export function SpecSecurity(scheme: string, scopes: readonly string[] = []): AnyDecorator {
  return spec.decorate('specSecurity', { [scheme]: scopes }, true)
}

/** Marks an operation, or all operations of a controller, as public, regardless of guards. */
export function SpecPublic(): AnyDecorator {
  return spec.decorate('specPublic', true)
}
