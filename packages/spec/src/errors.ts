/** Every way in which an API description cannot be made, with what it means. */
export const specErrorCodes = {
  OPERATION_ID_DUPLICATE: 'Two operations have one id. The message names both handlers.',
  SCHEMA_CONFLICT: 'Two different schemas have one name. The message names both places.',
  SCHEMA_INVALID: 'A JSON Schema refers to something that cannot be shared. The message says to what.',
  PATH_DUPLICATE:
    'Two operations have one address: in OpenAPI a rest, `*`, is a parameter like any other. The message names both handlers.',
  SECURITY_UNKNOWN: 'A handler asks for a security scheme that `securitySchemes` does not declare.',
  YAML_UNKNOWN: 'A text is no YAML as `writeYaml` writes it. The message names the line.',
  OPTIONS_INVALID: 'An option of the description is of no use. The message says which and why.',
} as const

export type SpecErrorCode = keyof typeof specErrorCodes

/** A mistake that keeps the API description from being made, found when the app starts. */
export class SpecError extends Error {
  override readonly name = 'SpecError'
  readonly code: SpecErrorCode

  constructor(code: SpecErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
