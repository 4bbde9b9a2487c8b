import type { SyncProgress } from '@portico/db'
import type { Terminal } from './terminal.ts'

/** The minimum time between two updates, on a terminal and in a log. */
const TERMINAL_MS = 100
const LOG_MS = 5000

export interface Progress {
  readonly update: (progress: SyncProgress) => void
  /** Clears the progress line. */
  readonly end: () => void
}

/** Shows the progress of copying large tables. Quick copies print nothing. */
export function showProgress({ err, rewrite }: Pick<Terminal, 'err' | 'rewrite'>, isQuiet: boolean): Progress {
  let last = Date.now()
  let isShown = false
  return {
    update({ table, copied, rows }) {
      const now = Date.now()
      if (isQuiet || copied === undefined || now - last < (rewrite ? TERMINAL_MS : LOG_MS)) return
      last = now
      isShown = true
      const total = rows === undefined ? '' : ` of ${rows.toLocaleString('en')}`
      const line = `copying ${table}: ${copied.toLocaleString('en')}${total} rows`
      if (rewrite) rewrite(line)
      else err(line)
    },
    end() {
      if (isShown) rewrite?.('')
    },
  }
}
