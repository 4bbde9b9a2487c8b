/** All codes of {@link SpecError}, with their meanings. */
export const specErrorCodes = {
  OPERATION_ID_DUPLICATE: 'Two operations have the same id. The message names both handlers.',
  SCHEMA_CONFLICT: 'Two different schemas have the same name. The message names both places.',
  SCHEMA_INVALID: 'A JSON Schema has a reference that cannot be resolved in the document. The message names it.',
  PATH_DUPLICATE:
    'Two operations have the same path: in OpenAPI the wildcard `*` is an ordinary parameter. The message names both handlers.',
  SECURITY_UNKNOWN: 'A guard or decorator names a security scheme that `securitySchemes` does not declare.',
  YAML_UNKNOWN: 'The text is not YAML as `writeYaml` writes it. The message names the line.',
  OPTIONS_INVALID: 'An option is unknown or wrong. The message names the option and the reason.',
} as const

export type SpecErrorCode = keyof typeof specErrorCodes

/** A mistake in the API description, found when the app starts. */
export class SpecError extends Error {
  override readonly name = 'SpecError'
  readonly code: SpecErrorCode

  constructor(code: SpecErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
