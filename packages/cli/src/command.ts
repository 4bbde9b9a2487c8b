import type { ParseArgsConfig } from 'node:util'
import type { Terminal } from './terminal.ts'

/** The exit codes of the command. `interrupted` is 128 and the number of SIGINT, as shells have it. */
export const EXIT = { ok: 0, problems: 1, error: 2, interrupted: 130 } as const

/** What a command is run with. */
export interface Invocation {
  readonly cwd: string
  /** Files and folders, as they were given. */
  readonly paths: readonly string[]
  readonly options: Readonly<Record<string, OptionValue>>
  readonly terminal: Terminal
}

export type OptionValue = string | boolean | readonly string[] | undefined

/** One option of a command. */
export type Option = NonNullable<ParseArgsConfig['options']>[string] & {
  /** Whether an option with a value may stand alone; its value is then the empty text. */
  readonly optional?: true
}

/** One command of `portico`: each stands in a file of its own. */
export interface Command {
  readonly summary: string
  readonly help: string
  readonly options: Readonly<Record<string, Option>>
  /** Returns the exit code. */
  readonly run: (invocation: Invocation) => Promise<number>
}

/** The command was called in a way that cannot work: shown as one line, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
