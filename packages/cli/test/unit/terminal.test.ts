import { describe, expect, it, vi } from 'vitest'
import { openTerminal } from '../../dist/terminal.js'

const both = { out: true, err: true }

/** What is written to the outputs meanwhile. */
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

describe('colours', () => {
  it('are there on a terminal alone', () => {
    expect(openTerminal({ TERM: 'xterm' }, both).colors?.error('x')).toBe('\u001b[31mx\u001b[0m')
    expect(openTerminal({ TERM: 'xterm' }, { out: true, err: false }).colors).toBeUndefined()
  })

  it('are left out when NO_COLOR is set to anything, or the terminal knows none', () => {
    expect(openTerminal({ NO_COLOR: '1' }, both).colors).toBeUndefined()
    expect(openTerminal({ NO_COLOR: '' }, both).colors).toBeDefined()
    expect(openTerminal({ TERM: 'dumb' }, both).colors).toBeUndefined()
  })

  it('do not go into a file while the error output is a terminal', () => {
    const { out, err, colors } = openTerminal({}, { out: false, err: true })
    const line = `${colors?.warning('warning')} ${colors?.dim('dim')}`
    const written = record(() => {
      for (const tell of [out, err]) tell(line)
    })
    expect(written).toEqual(['warning dim\n', '\u001b[33mwarning\u001b[0m \u001b[2mdim\u001b[0m\n'])
  })
})

describe('a line', () => {
  it('shows what a terminal would act upon, but for line ends, tabs and the colours of the command', () => {
    const { out, err, colors } = openTerminal({ TERM: 'xterm' }, both)
    const written = record(() => {
      for (const tell of [out, err]) tell('a\n\tb \u001b]0;title\u0007\u001b[2J\r\u009b31m\u007f é…')
      err(`${colors?.error('red')}${colors?.warning('yellow')}${colors?.dim('dim')}\u001b[8mhidden`)
    })
    const shown = 'a\n\tb \\u001b]0;title\\u0007\\u001b[2J\\u000d\\u009b31m\\u007f é…\n'
    const colored = '\u001b[31mred\u001b[0m\u001b[33myellow\u001b[0m\u001b[2mdim\u001b[0m\\u001b[8mhidden\n'
    expect(written).toEqual([shown, shown, colored])
  })

  it('is written over where a terminal can, and never longer than it is wide', () => {
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
