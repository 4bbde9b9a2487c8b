import type { DiagnosticColors } from '@portico/schema'

/** The output of a command: results go to standard output, problems and progress to standard error. */
export interface Terminal {
  readonly out: (line: string) => void
  readonly err: (line: string) => void
  /** Writes to standard output unchanged, without adding a line end. */
  readonly write: (text: string) => void
  /** Overwrites the current line, cut to the width of the terminal. Absent if the terminal cannot do that. */
  readonly rewrite: ((line: string) => void) | undefined
  /** Absent if standard error is not a terminal, or colors are disabled. */
  readonly colors: DiagnosticColors | undefined
}

const codes = { error: '\u001b[31m', warning: '\u001b[33m', dim: '\u001b[2m', none: '\u001b[0m' }

const paint =
  (start: string) =>
  (text: string): string =>
    `${start}${text}${codes.none}`

const colorCodes = Object.values(codes)
  .map((sequence) => sequence.replace('[', '\\['))
  .join('|')
const controlCharacters = new RegExp(`${colorCodes}|\\p{Cc}`, 'gu')

/**
 * Escapes control characters, except line ends, tabs and our own colors. Lines may contain text from servers, databases
 * and files, which must not control the terminal. The escapes do not change the meaning of JSON.
 */
function escapeControls(line: string): string {
  return line.replace(controlCharacters, (it) => {
    if (it.length > 1 || it === '\n' || it === '\t') return it
    return `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

function removeColors(line: string): string {
  return line.replace(new RegExp(colorCodes, 'g'), '')
}

/** Cuts a line to the terminal width. The rest would wrap to a line that is not overwritten. */
function fit(line: string, columns: number | undefined): string {
  // Remove half of a surrogate pair at the cut.
  return columns ? line.slice(0, columns - 1).replace(/\p{Cs}$/u, '') : line
}

/** Which of the streams are terminals. */
export interface Terminals {
  readonly out: boolean
  readonly err: boolean
}

export function openTerminal(env: NodeJS.ProcessEnv, isTerminal: Terminals): Terminal {
  const isInteractive = isTerminal.err && env['TERM'] !== 'dumb'
  const { stdout, stderr } = process
  return {
    out: (line) => void stdout.write(`${escapeControls(isTerminal.out ? line : removeColors(line))}\n`),
    err: (line) => void stderr.write(`${escapeControls(line)}\n`),
    write: (text) => void stdout.write(text),
    rewrite: isInteractive
      ? (line) => void stderr.write(`\r\u001b[K${fit(escapeControls(line), stderr.columns)}`)
      : undefined,
    // https://no-color.org: any value except an empty one.
    colors:
      isInteractive && !env['NO_COLOR']
        ? { error: paint(codes.error), warning: paint(codes.warning), dim: paint(codes.dim) }
        : undefined,
  }
}
