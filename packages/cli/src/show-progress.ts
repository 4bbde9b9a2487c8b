import type { SyncProgress } from '@portico/db'
import type { Terminal } from './terminal.ts'

/** The interval between lines: a terminal overwrites the last one, a log appends. */
const TERMINAL_MS = 100
const LOG_MS = 5000

export interface Progress {
  readonly report: (progress: SyncProgress) => void
  /** Clears the line on a terminal. */
  readonly end: () => void
}

/** Shows the progress of copying large tables. Quick copies print nothing. */
export function showProgress({ err, rewrite }: Pick<Terminal, 'err' | 'rewrite'>, isQuiet: boolean): Progress {
  let last = Date.now()
  let isShown = false
  return {
    report({ table, copied, rows }) {
      const now = Date.now()
      if (isQuiet || copied === undefined || now - last < (rewrite ? TERMINAL_MS : LOG_MS)) return
      last = now
      isShown = true
      const whole = rows === undefined ? '' : ` of ${rows.toLocaleString('en')}`
      const line = `copying ${table}: ${copied.toLocaleString('en')}${whole} rows`
      if (rewrite) rewrite(line)
      else err(line)
    },
    end() {
      if (isShown) rewrite?.('')
    },
  }
}
