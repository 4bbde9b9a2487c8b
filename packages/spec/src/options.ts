import type { Contact, ExternalDocs, License, SecurityScheme, Server, Tag } from './document.ts'
import { SpecError } from './errors.ts'

/** The versions of OpenAPI that a description can be written in. */
export type OpenApiVersion = '3.0' | '3.1' | '3.2'

export interface SpecOptions {
  /** Default `API`. */
  readonly title?: string | undefined
  /** The version of the API. Default `1.0.0`. */
  readonly version?: string | undefined
  /** What the API is for, in Markdown. */
  readonly description?: string | undefined
  /** The version of OpenAPI. Default `3.1`. */
  readonly openapi?: OpenApiVersion | undefined
  /** Where the API is served. Default `[{ url: '/' }]`: where the description is. */
  readonly servers?: readonly Server[] | undefined
  readonly contact?: Contact | undefined
  readonly license?: License | undefined
  /** Tags in the order in which they are shown; those that are not listed follow. */
  readonly tags?: readonly Tag[] | undefined
  readonly externalDocs?: ExternalDocs | undefined
  /**
   * How callers show who they are, by name. Guards and `@SpecSecurity` refer to the names. `bearer` needs no
   * declaration.
   */
  readonly securitySchemes?: Readonly<Record<string, SecurityScheme>> | undefined
  /** The name of the schema of problems (RFC 9457), where an app has a `Problem` of its own. Default `Problem`. */
  readonly problemName?: string | undefined
}

/** Every option that there is; the record keeps the list whole. */
export const optionNames: readonly string[] = Object.keys({
  title: true,
  version: true,
  description: true,
  openapi: true,
  servers: true,
  contact: true,
  license: true,
  tags: true,
  externalDocs: true,
  securitySchemes: true,
  problemName: true,
} satisfies Record<keyof SpecOptions, true>)

/** The number that a document of each version carries: the patch release that most tools know. */
export const documentVersions: Readonly<Record<OpenApiVersion, string>> = {
  '3.0': '3.0.3',
  '3.1': '3.1.0',
  '3.2': '3.2.0',
}

/** Refuses options that would make a description of no use. */
export function checkOptions(options: SpecOptions): void {
  const { openapi = '3.1', tags = [], servers, securitySchemes = {}, problemName = 'Problem' } = options
  if (!Object.hasOwn(documentVersions, openapi)) {
    throw new SpecError('OPTIONS_INVALID', `openapi is ${Object.keys(documentVersions).join(', ')}, not ${openapi}`)
  }
  const names = tags.map((it) => it.name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new SpecError('OPTIONS_INVALID', `the tag \`${twice}\` is declared twice`)
  for (const name of Object.keys(securitySchemes)) checkName('the security scheme', name)
  checkName('problemName', problemName)
  if (servers?.length === 0) throw new SpecError('OPTIONS_INVALID', 'servers is empty: leave it out for the default')
}

/** What may stand under `components` in any version. */
function checkName(of: string, name: string): void {
  if (typeof name === 'string' && /^[\w.-]+$/.test(name)) return
  const told = `${of} \`${name}\` needs a name of letters, digits, \`.\`, \`-\` and \`_\``
  throw new SpecError('OPTIONS_INVALID', told)
}
