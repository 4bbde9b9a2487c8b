export type DemoErrorCode =
  | 'DATABASE_URL_INVALID'
  | 'DATABASE_UNSUPPORTED'
  | 'DATA_FOLDER_UNUSABLE'
  | 'SECRET_EXPOSED'
  | 'SECRET_INVALID'
  | 'PORTS_TAKEN'

/** Why the app does not start; the message says how to mend it. */
export class DemoError extends Error {
  override readonly name = 'DemoError'
  readonly code: DemoErrorCode

  constructor(code: DemoErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
