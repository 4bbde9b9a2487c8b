import { type DescribingMetadata, getMate, type InputPlace, type Mate, type TypeToken } from '@portico/http'
import type { ExternalDocs, SecurityRequirement } from './document.ts'

/** A response, written by `@SpecResponse`. */
export interface SpecResponseEntry {
  readonly status: number
  readonly type?: TypeToken | undefined
  /** Default: the reason phrase of the status. */
  readonly description?: string | undefined
  /** Default: `text/plain` for text, `application/json` for anything else. */
  readonly contentType?: string | undefined
  /** Descriptions of the response headers, by name. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A parameter, written by `@SpecParam`. */
export interface SpecParamEntry {
  readonly in: Exclude<InputPlace, 'body'>
  readonly name: string
  /** Default `String`. */
  readonly type?: TypeToken | undefined
  /** Default `false`; path parameters are always required. */
  readonly required?: boolean | undefined
  readonly description?: string | undefined
  readonly deprecated?: boolean | undefined
}

/** An example, written by `@SpecExample`. */
export interface SpecExampleEntry {
  readonly value: unknown
  /** Default `example`, `example2` and so on. */
  readonly name?: string | undefined
  readonly summary?: string | undefined
  /** On a handler: the status of the response that it is an example of. Default: the success status. */
  readonly status?: number | undefined
}

/** The metadata for the API description, by key. */
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
  /** Any one of these requirements is enough. */
  readonly specSecurity?: readonly SecurityRequirement[]
  readonly specPublic?: boolean
}

/**
 * The metadata store, for your own decorators. The API description picks up everything that they write.
 *
 * ```ts
 * const mate = getSpecMate()
 * const Legacy = () => mate.apply(mate.decorate('specTags', 'legacy', true), mate.decorate('specDeprecated', true))
 * ```
 *
 * `decorate(key, value)` replaces the value under the key; `decorate(key, value, true)` appends to the array under it.
 */
export function getSpecMate(): Mate<TSpecMate> {
  return getMate<TSpecMate>()
}
