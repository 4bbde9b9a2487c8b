import type { ParseArgsConfig } from 'node:util'
import type { Terminal } from './terminal.ts'

/** The exit codes of the command. `interrupted` is 128 plus the number of SIGINT, as in shells. */
export const EXIT = { ok: 0, problems: 1, error: 2, interrupted: 130 } as const

export interface Invocation {
  readonly cwd: string
  /** Files and folders as given on the command line. */
  readonly paths: readonly string[]
  readonly options: Readonly<Record<string, OptionValue>>
  readonly terminal: Terminal
}

export type OptionValue = string | boolean | readonly string[] | undefined

/** One option of a command. */
type Option = NonNullable<ParseArgsConfig['options']>[string] & {
  /** True if the value of the option may be omitted. The value is then an empty string. */
  readonly optional?: true
}

/** One command of `portico`. */
export interface Command {
  readonly summary: string
  readonly help: string
  readonly options: Readonly<Record<string, Option>>
  /** Returns the exit code. */
  readonly run: (invocation: Invocation) => Promise<number>
}

/** The command was called with wrong arguments. Shown as one line, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly code = 'USAGE'
}
