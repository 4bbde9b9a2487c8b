import type { DiagnosticColors } from '@portico/schema'

/** Where a command writes: results to the output, problems and progress to the error output. */
export interface Terminal {
  readonly out: (line: string) => void
  readonly err: (line: string) => void
  /** Writes a text to the output as it is, without a line end of its own. */
  readonly write: (text: string) => void
  /** Writes over the last line that was written so, on a terminal. */
  readonly rewrite: ((line: string) => void) | undefined
  /** Absent where the error output is no terminal, or colours are not wanted. */
  readonly colors: DiagnosticColors | undefined
}

const paint =
  (code: number) =>
  (text: string): string =>
    `\u001b[${code}m${text}\u001b[0m`

export function openTerminal(env: NodeJS.ProcessEnv, isTerminal: boolean): Terminal {
  // https://no-color.org: any value but the empty one.
  const colored = isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  return {
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
    write: (text) => void process.stdout.write(text),
    rewrite: isTerminal ? (line) => void process.stderr.write(`\r\u001b[2K${line}`) : undefined,
    colors: colored ? { error: paint(31), warning: paint(33), dim: paint(2) } : undefined,
  }
}
