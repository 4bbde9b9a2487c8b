/** The format of the generated modules that this version of the runtime reads. */
export const FORMAT_VERSION = 1

/** A generated module does not fit this version of the runtime. */
export class SchemaFormatError extends Error {
  override readonly name = 'SchemaFormatError'
  readonly code = 'SCHEMA_FORMAT'
}

/** Every generated module says first which format it has. Throws when that is not the one this runtime reads. */
export function assertFormat(version: number, file: string): void {
  if (version === FORMAT_VERSION) return
  const told = `${file} was generated in format ${version}, and this version of @portico/schema reads format ${FORMAT_VERSION}`
  const mend = version > FORMAT_VERSION ? 'update @portico/schema' : 'run `portico generate` again'
  throw new SchemaFormatError(`${told}: ${mend}`)
}
