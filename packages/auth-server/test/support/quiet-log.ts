import type { AppOptions } from '@portico/http'

/** A line of the log, as far as it is shown. */
interface LogLine {
  readonly msg?: string
  readonly err?: { readonly message: string; readonly stack?: string }
}

/**
 * Warnings and errors go to stderr as text, except the warning that every server with clients and the default policy
 * logs at start: most tests use that policy on purpose.
 */
export const quietLog = {
  level: 'warn',
  stream: {
    write(line: string): void {
      const { msg = '', err } = JSON.parse(line) as LogLine
      if (!msg.includes('trustEmailVerifiedFrom'))
        process.stderr.write(err ? `${msg}\n${err.stack ?? err.message}\n` : `${msg}\n`)
    },
  },
} as NonNullable<AppOptions['logger']>
