import type { DiagnosticColors } from '@portico/schema'

/** Where a command writes: results to the output, problems and progress to the error output. */
export interface Terminal {
  readonly out: (line: string) => void
  readonly err: (line: string) => void
  /** Writes a text to the output as it is, without a line end of its own. */
  readonly write: (text: string) => void
  /** Writes over the last line that was written so, on a terminal that can; what does not fit the line is cut off. */
  readonly rewrite: ((line: string) => void) | undefined
  /** Absent where the error output is no terminal, or colours are not wanted. */
  readonly colors: DiagnosticColors | undefined
}

const paints = { error: '\u001b[31m', warning: '\u001b[33m', dim: '\u001b[2m', none: '\u001b[0m' }

const paint =
  (start: string) =>
  (text: string): string =>
    `${start}${text}${paints.none}`

const painted = Object.values(paints)
  .map((sequence) => sequence.replace('[', '\\['))
  .join('|')
const acting = new RegExp(`${painted}|\\p{Cc}`, 'gu')

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

/** Without colours, for what is no terminal. */
function bleach(line: string): string {
  return line.replace(new RegExp(painted, 'g'), '')
}

/** A line that is longer than the terminal is wide would go on below, where nothing writes over it. */
function fit(line: string, columns: number | undefined): string {
  // The cut may fall into the middle of a character.
  return columns ? line.slice(0, columns - 1).replace(/\p{Cs}$/u, '') : line
}

/** Which of the outputs are terminals. */
export interface Terminals {
  readonly out: boolean
  readonly err: boolean
}

export function openTerminal(env: NodeJS.ProcessEnv, isTerminal: Terminals): Terminal {
  const isClever = isTerminal.err && env['TERM'] !== 'dumb'
  const { stdout, stderr } = process
  return {
    out: (line) => void stdout.write(`${tame(isTerminal.out ? line : bleach(line))}\n`),
    err: (line) => void stderr.write(`${tame(line)}\n`),
    write: (text) => void stdout.write(text),
    rewrite: isClever ? (line) => void stderr.write(`\r\u001b[K${fit(tame(line), stderr.columns)}`) : undefined,
    // https://no-color.org: any value but the empty one.
    colors:
      isClever && !env['NO_COLOR']
        ? { error: paint(paints.error), warning: paint(paints.warning), dim: paint(paints.dim) }
        : undefined,
  }
}
