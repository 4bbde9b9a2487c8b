import { join } from 'node:path'
import { type Program, startProgram } from '../../../../test/support/program.ts'

/** Runs a program of test/programs. */
export function runProgram(name: string, args: readonly string[], nodeArgs: readonly string[] = []): Program {
  return startProgram(join(import.meta.dirname, '..', 'programs', `${name}.mjs`), { args, nodeArgs })
}
