import { describe, expect, it, vi } from 'vitest'
import { openTerminal } from '../../dist/terminal.js'

const both = { out: true, err: true }

/** Captures everything written to the outputs. */
function record(work: () => void): unknown[] {
  const written: unknown[] = []
  const spies = [process.stdout, process.stderr].map((it) =>
    vi.spyOn(it, 'write').mockImplementation((text) => written.push(text) > 0),
  )
  try {
    work()
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
  return written
}

describe('colors', () => {
  it('are used only on a terminal', () => {
    expect(openTerminal({ TERM: 'xterm' }, both).colors?.error('x')).toBe('\u001b[31mx\u001b[0m')
    expect(openTerminal({ TERM: 'xterm' }, { out: true, err: false }).colors).toBeUndefined()
  })

  it('are disabled by NO_COLOR or a dumb terminal', () => {
    expect(openTerminal({ NO_COLOR: '1' }, both).colors).toBeUndefined()
    expect(openTerminal({ NO_COLOR: '' }, both).colors).toBeDefined()
    expect(openTerminal({ TERM: 'dumb' }, both).colors).toBeUndefined()
  })

  it('are not written to a file while standard error is a terminal', () => {
    const { out, err, colors } = openTerminal({}, { out: false, err: true })
    const line = `${colors?.warning('warning')} ${colors?.dim('dim')}`
    const written = record(() => {
      for (const write of [out, err]) write(line)
    })
    expect(written).toEqual(['warning dim\n', '\u001b[33mwarning\u001b[0m \u001b[2mdim\u001b[0m\n'])
  })
})

describe('a line', () => {
  it('escapes control characters except line ends, tabs and our own colors', () => {
    const { out, err, colors } = openTerminal({ TERM: 'xterm' }, both)
    const written = record(() => {
      for (const write of [out, err]) write('a\n\tb \u001b]0;title\u0007\u001b[2J\r\u009b31m\u007f é…')
      err(`${colors?.error('red')}${colors?.warning('yellow')}${colors?.dim('dim')}\u001b[8mhidden`)
    })
    const shown = 'a\n\tb \\u001b]0;title\\u0007\\u001b[2J\\u000d\\u009b31m\\u007f é…\n'
    const colored = '\u001b[31mred\u001b[0m\u001b[33myellow\u001b[0m\u001b[2mdim\u001b[0m\\u001b[8mhidden\n'
    expect(written).toEqual([shown, shown, colored])
  })

  it('is overwritten on a capable terminal, cut to its width', () => {
    const before = process.stderr.columns
    try {
      const { rewrite } = openTerminal({ TERM: 'xterm' }, both)
      const write = (columns: number | undefined): unknown[] => {
        Object.assign(process.stderr, { columns })
        return record(() => rewrite?.('4:59 left 😀'))
      }
      expect(write(80)).toEqual(['\r\u001b[K4:59 left 😀'])
      expect(write(undefined)).toEqual(['\r\u001b[K4:59 left 😀'])
      expect(write(5)).toEqual(['\r\u001b[K4:59'])
      expect(write(12)).toEqual(['\r\u001b[K4:59 left '])
    } finally {
      Object.assign(process.stderr, { columns: before })
    }
    expect(openTerminal({ TERM: 'dumb' }, both).rewrite).toBeUndefined()
    expect(openTerminal({ TERM: 'xterm' }, { out: true, err: false }).rewrite).toBeUndefined()
  })
})
