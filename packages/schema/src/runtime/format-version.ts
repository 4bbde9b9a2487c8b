/** The format of generated modules that this runtime supports. */
export const FORMAT_VERSION = 1

/** Thrown if a generated module does not match this version of the runtime. */
export class SchemaFormatError extends Error {
  override readonly name = 'SchemaFormatError'
  readonly code = 'SCHEMA_FORMAT'
}

/** Called first by every generated module. Throws if this runtime does not support its format. */
export function assertFormat(version: number, file: string): void {
  if (version === FORMAT_VERSION) return
  const problem = `${file} was generated in format ${version}, but this version of @portico/schema supports format ${FORMAT_VERSION}`
  const fix = version > FORMAT_VERSION ? 'update @portico/schema' : 'run `portico generate` again'
  throw new SchemaFormatError(`${problem}: ${fix}`)
}
