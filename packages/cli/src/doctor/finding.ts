/** What `portico doctor` looks at. Codes never change; messages may. */
export const checkCodes = {
  NODE: 'Node is 20.19 or newer',
  CONFIG: 'portico.config.ts is there, loads, and says what it may',
  PACKAGES: 'the packages of portico are installed, all of one version',
  PROGRAM: 'the modules that `main` and `app` name are there',
  SCHEMA: 'the schema files have no errors',
  MODULES: 'the generated modules are those of the schema files',
  DECORATORS: 'where controllers are written with decorators, tsconfig.json switches them on',
  DRIVER: 'the driver of the database is installed, and built for this Node',
  DATABASE: 'the database can be reached',
  SYNC: 'the database is up to date',
  PORT: 'the port of `server` is free, where it is on this machine',
  CREDENTIALS: 'the tokens that `portico login` keeps are safe',
} as const

export type CheckCode = keyof typeof checkCodes

/** What a check found: `ok`, `warning` (it may be meant so) or `problem`. */
export interface Finding {
  readonly code: CheckCode
  readonly level: 'ok' | 'warning' | 'problem'
  readonly message: string
  /** What to do about it. */
  readonly mend?: string
}

export function ok(code: CheckCode, message: string): Finding {
  return { code, level: 'ok', message }
}

export function warning(code: CheckCode, message: string, mend: string): Finding {
  return { code, level: 'warning', message, mend }
}

export function problem(code: CheckCode, message: string, mend: string): Finding {
  return { code, level: 'problem', message, mend }
}
