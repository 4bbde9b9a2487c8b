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

const paints = { error: '\u001b[31m', warning: '\u001b[33m', dim: '\u001b[2m', none: '\u001b[0m' }

const paint =
  (start: string) =>
  (text: string): string =>
    `${start}${text}${paints.none}`

const acting = new RegExp(`${Object.values(paints).map(escapeBracket).join('|')}|\\p{Cc}`, 'gu')

function escapeBracket(sequence: string): string {
  return sequence.replace('[', '\\[')
}

/**
 * Shows the characters that a terminal would act upon, but for line ends, tabs and the colours of this command: a line
 * may hold words of a server, of a database or of a file from elsewhere. JSON means the same before and after.
 */
function tame(line: string): string {
  return line.replace(acting, (it) => {
    if (it.length > 1 || it === '\n' || it === '\t') return it
    return `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

export function openTerminal(env: NodeJS.ProcessEnv, isTerminal: boolean): Terminal {
  // https://no-color.org: any value but the empty one.
  const colored = isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  return {
    out: (line) => void process.stdout.write(`${tame(line)}\n`),
    err: (line) => void process.stderr.write(`${tame(line)}\n`),
    write: (text) => void process.stdout.write(text),
    rewrite: isTerminal ? (line) => void process.stderr.write(`\r\u001b[2K${tame(line)}`) : undefined,
    colors: colored
      ? { error: paint(paints.error), warning: paint(paints.warning), dim: paint(paints.dim) }
      : undefined,
  }
}
