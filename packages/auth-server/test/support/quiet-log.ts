import type { AppOptions } from '@portico/http'

/**
 * Warnings and errors go to stderr, except the warning that every server with clients and the default policy logs at
 * start: most tests use that policy on purpose.
 */
export const quietLog = {
  level: 'warn',
  stream: {
    write: (line: string) => void (line.includes('trustEmailVerifiedFrom') || process.stderr.write(line)),
  },
} as NonNullable<AppOptions['logger']>
