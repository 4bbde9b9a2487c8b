import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { program, RunningPortico, type User } from './cli.ts'

/** The character of Ctrl-C. The terminal turns it into a signal. */
export const CTRL_C = '\u0003'

/** `script`, which comes with every Linux and macOS, gives a program a terminal without a native module. */
export const hasTerminals: boolean = (process.env['PATH'] ?? '')
  .split(delimiter)
  .some((folder) => existsSync(join(folder, 'script')))

/** Starts `portico` in a pseudo-terminal; what is typed goes to `type`. */
export function startInTerminal(user: User, ...args: string[]): RunningPortico & { type(text: string): void } {
  const command = [process.execPath, program, ...args]
  const own =
    process.platform === 'darwin'
      ? ['-q', '/dev/null', ...command]
      : ['--quiet', '--return', '--flush', '--command', command.map((it) => `'${it}'`).join(' '), '/dev/null']
  const child = spawn('script', own, { cwd: user.folder, env: { ...user.env, TERM: 'xterm' } })
  return Object.assign(new RunningPortico(child), { type: (text: string) => void child.stdin.write(text) })
}
