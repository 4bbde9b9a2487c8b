import { expect, it, vi } from 'vitest'
import { showProgress } from '../../dist/show-progress.js'

it('overwrites its line on a terminal, adds lines to a log, and prints nothing for quick copies', () => {
  vi.useFakeTimers()
  try {
    const lines: string[] = []
    const push = (line: string): void => void lines.push(line)
    const terminal = showProgress({ err: push, rewrite: push }, false)
    terminal.update({ table: 'users', copied: 1, rows: 5000 })
    vi.advanceTimersByTime(150)
    terminal.update({ table: 'users', copied: 2500, rows: 5000 })
    terminal.update({ table: 'users', copied: 2600, rows: 5000 })
    terminal.end()
    expect(lines.splice(0)).toEqual(['copying users: 2,500 of 5,000 rows', ''])

    const log = showProgress({ err: push, rewrite: undefined }, false)
    vi.advanceTimersByTime(1000)
    log.update({ table: 'users', copied: 1000 })
    vi.advanceTimersByTime(5000)
    log.update({ table: 'users', copied: 9000 })
    log.end()
    expect(lines.splice(0)).toEqual(['copying users: 9,000 rows'])

    const quiet = showProgress({ err: push, rewrite: push }, true)
    vi.advanceTimersByTime(9000)
    quiet.update({ table: 'users', copied: 9000 })
    quiet.end()
    expect(lines).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})
