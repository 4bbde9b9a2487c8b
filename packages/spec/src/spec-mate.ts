import { type DescribingMetadata, getMate, type InputPlace, type Mate, type TypeToken } from '@portico/http'
import type { ExternalDocs, SecurityRequirement } from './document.ts'

/** An answer that `@SpecResponse` tells of. */
export interface SpecResponseEntry {
  readonly status: number
  readonly type?: TypeToken | undefined
  /** Default: the phrase of the status. */
  readonly description?: string | undefined
  /** Default: `text/plain` for text, `application/json` for anything else. */
  readonly contentType?: string | undefined
  /** What each header of the answer means, by its name. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A parameter that `@SpecParam` tells of. */
export interface SpecParamEntry {
  readonly in: Exclude<InputPlace, 'body'>
  readonly name: string
  /** Default `String`. */
  readonly type?: TypeToken | undefined
  /** Default `false`; a path parameter always is. */
  readonly required?: boolean | undefined
  readonly description?: string | undefined
  readonly deprecated?: boolean | undefined
}

/** An example that `@SpecExample` gives. */
export interface SpecExampleEntry {
  readonly value: unknown
  /** Default `example`, and a number from the second on. */
  readonly name?: string | undefined
  readonly summary?: string | undefined
  /** On a handler: the status of the answer that it is an example of. Default: that of success. */
  readonly status?: number | undefined
}

/** Everything that decorators say for the API description, by key. */
export interface TSpecMate extends DescribingMetadata {
  readonly specTags?: readonly string[]
  readonly specDeprecated?: boolean
  readonly specDescription?: string
  readonly specOperationId?: string
  readonly specExclude?: boolean
  readonly specExternalDocs?: ExternalDocs
  readonly specResponses?: readonly SpecResponseEntry[]
  readonly specParams?: readonly SpecParamEntry[]
  readonly specExamples?: readonly SpecExampleEntry[]
  /** Any one of these is enough. */
  readonly specSecurity?: readonly SecurityRequirement[]
  readonly specPublic?: boolean
}

/**
 * The store of what decorators say, for decorators of your own. What they write is picked up by itself.
 *
 * ```ts
 * const mate = getSpecMate()
 * const Legacy = () => mate.apply(mate.decorate('specTags', 'legacy', true), mate.decorate('specDeprecated', true))
 * ```
 *
 * `decorate(key, value)` replaces what is under the key; `decorate(key, value, true)` adds the value to the array that
 * is there.
 */
export function getSpecMate(): Mate<TSpecMate> {
  return getMate<TSpecMate>()
}
