import type { SyncProgress } from '@portico/db'
import type { Terminal } from './terminal.ts'

/** How often a line is written: over itself on a terminal, below the last one in a log. */
const TERMINAL_MS = 100
const LOG_MS = 5000

export interface Progress {
  readonly tell: (progress: SyncProgress) => void
  /** Leaves the terminal clean. */
  readonly end: () => void
}

/** Tells how far the copying of big tables has come. What is quick is not worth a line. */
export function showProgress({ err, rewrite }: Pick<Terminal, 'err' | 'rewrite'>, isQuiet: boolean): Progress {
  let last = Date.now()
  let isShown = false
  return {
    tell({ table, copied, rows }) {
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
