/** Every way in which an API description cannot be made, with what it means. */
export const specErrorCodes = {
  OPERATION_ID_DUPLICATE: 'Two operations have one id. The message names both handlers.',
  SCHEMA_CONFLICT: 'Two different schemas have one name. The message names both places.',
  SECURITY_UNKNOWN: 'A handler asks for a security scheme that `securitySchemes` does not declare.',
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
