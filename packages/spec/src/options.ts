import type { Contact, ExternalDocs, License, SecurityScheme, Server, Tag } from './document.ts'
import { SpecError } from './errors.ts'
import { anything, expecting, oneOf } from './shared/option-checks.ts'
import { findInvalidOption, type OptionRules } from './shared/options.ts'

/** The versions of OpenAPI that a description can be written in. */
export type OpenApiVersion = '3.0' | '3.1' | '3.2'

export interface SpecOptions {
  /** Default `API`. */
  readonly title?: string | undefined
  /** The version of the API. Default `1.0.0`. */
  readonly version?: string | undefined
  /** A description of the API, in Markdown. */
  readonly description?: string | undefined
  /** The version of OpenAPI. Default `3.1`. */
  readonly openapi?: OpenApiVersion | undefined
  /** The base URLs of the API. Default `[{ url: '/' }]`, the origin of the description. */
  readonly servers?: readonly Server[] | undefined
  readonly contact?: Contact | undefined
  readonly license?: License | undefined
  /** Tags in the order in which they are shown; those that are not listed follow. */
  readonly tags?: readonly Tag[] | undefined
  readonly externalDocs?: ExternalDocs | undefined
  /**
   * The authentication schemes by name. Guards and `@SpecSecurity` refer to the names. `bearer` does not have to be
   * declared.
   */
  readonly securitySchemes?: Readonly<Record<string, SecurityScheme>> | undefined
  /** The name of the schema of problems (RFC 9457), where an app has a `Problem` of its own. Default `Problem`. */
  readonly problemName?: string | undefined
}

/** The `openapi` field of each version: the patch release that most tools support. */
export const documentVersions: Readonly<Record<OpenApiVersion, string>> = {
  '3.0': '3.0.3',
  '3.1': '3.1.0',
  '3.2': '3.2.0',
}

/** Every version of OpenAPI allows these characters in keys of `components`. */
const componentName = expecting(
  'a name of letters, digits, `.`, `-` and `_`',
  (value) => typeof value === 'string' && /^[\w.-]+$/.test(value),
)

const componentNames = expecting('an object whose keys consist of letters, digits, `.`, `-` and `_`', (value) =>
  Object.keys(Object(value)).every((it) => componentName(it) === undefined),
)

export const optionRules: OptionRules<SpecOptions> = {
  title: anything,
  version: anything,
  description: anything,
  openapi: oneOf(...Object.keys(documentVersions)),
  servers: expecting('a non-empty list, or left out', (value) => Array.isArray(value) && value.length > 0),
  contact: anything,
  license: anything,
  tags: anything,
  externalDocs: anything,
  securitySchemes: componentNames,
  problemName: componentName,
}

/** Refuses options that would make a useless description. `specController` refuses unknown names. */
export function checkOptions(options: SpecOptions): void {
  const problem = findInvalidOption(options, optionRules)
  if (problem !== undefined) throw new SpecError('OPTIONS_INVALID', `createSpec: ${problem}`)
  const names = (options.tags ?? []).map((it) => it.name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new SpecError('OPTIONS_INVALID', `createSpec: the tag \`${twice}\` is declared twice`)
}
