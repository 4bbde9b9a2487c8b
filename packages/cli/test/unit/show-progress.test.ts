import { expect, it, vi } from 'vitest'
import { showProgress } from '../../dist/show-progress.js'

it('writes over its line on a terminal, below it in a log, and never for what is quick', () => {
  vi.useFakeTimers()
  try {
    const lines: string[] = []
    const push = (line: string): void => void lines.push(line)
    const terminal = showProgress({ err: push, rewrite: push }, false)
    terminal.report({ table: 'users', copied: 1, rows: 5000 })
    vi.advanceTimersByTime(150)
    terminal.report({ table: 'users', copied: 2500, rows: 5000 })
    terminal.report({ table: 'users', copied: 2600, rows: 5000 })
    terminal.end()
    expect(lines.splice(0)).toEqual(['copying users: 2,500 of 5,000 rows', ''])

    const log = showProgress({ err: push, rewrite: undefined }, false)
    vi.advanceTimersByTime(1000)
    log.report({ table: 'users', copied: 1000 })
    vi.advanceTimersByTime(5000)
    log.report({ table: 'users', copied: 9000 })
    log.end()
    expect(lines.splice(0)).toEqual(['copying users: 9,000 rows'])

    const quiet = showProgress({ err: push, rewrite: push }, true)
    vi.advanceTimersByTime(9000)
    quiet.report({ table: 'users', copied: 9000 })
    quiet.end()
    expect(lines).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})
