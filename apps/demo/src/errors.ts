export type DemoErrorCode =
  | 'DATABASE_URL_INVALID'
  | 'DATABASE_UNSUPPORTED'
  | 'FOLDER_EXPOSED'
  | 'FOLDER_UNUSABLE'
  | 'SECRET_EXPOSED'
  | 'SECRET_INVALID'
  | 'PORT_FORBIDDEN'
  | 'PORTS_TAKEN'

/** The app cannot start. The message says how to fix it. */
export class DemoError extends Error {
  override readonly name = 'DemoError'
  readonly code: DemoErrorCode

  constructor(code: DemoErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
