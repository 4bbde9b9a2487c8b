/** The checks of `portico doctor`. Codes are stable; messages may change. */
export const checkCodes = {
  NODE: 'Node is 20.19 or newer',
  CONFIG: 'portico.config.ts exists, loads and is valid',
  PACKAGES: 'all @portico packages have the same version',
  PROGRAM: 'the modules `main` and `app` exist',
  SCHEMA: 'the schema files have no errors',
  MODULES: 'the generated modules match the schema files',
  DECORATORS: 'tsconfig.json enables decorators, if controllers use them',
  DRIVER: 'the database driver is installed and built for this Node version',
  DATABASE: 'the database can be reached',
  SYNC: 'the database matches the schema',
  PORT: 'the port of `server` is free, if it is on this machine',
  CREDENTIALS: 'the tokens saved by `portico login` can be read, and only by you',
} as const

export type CheckCode = keyof typeof checkCodes

/** The result of a check. A `warning` may be intended. */
export interface Finding {
  readonly code: CheckCode
  readonly level: 'ok' | 'warning' | 'problem'
  readonly message: string
  /** The suggested fix. */
  readonly fix?: string | undefined
}

export function ok(code: CheckCode, message: string): Finding {
  return { code, level: 'ok', message }
}

export function warning(code: CheckCode, message: string, fix: string): Finding {
  return { code, level: 'warning', message, fix }
}

export function problem(code: CheckCode, message: string, fix: string): Finding {
  return { code, level: 'problem', message, fix }
}
