import { describe, expect, it, vi } from 'vitest'
import { openTerminal } from '../../dist/terminal.js'

describe('colours', () => {
  it('are there on a terminal alone', () => {
    expect(openTerminal({ TERM: 'xterm' }, true).colors?.error('x')).toBe('\u001b[31mx\u001b[0m')
    expect(openTerminal({ TERM: 'xterm' }, false).colors).toBeUndefined()
  })

  it('are left out when NO_COLOR is set to anything, or the terminal knows none', () => {
    expect(openTerminal({ NO_COLOR: '1' }, true).colors).toBeUndefined()
    expect(openTerminal({ NO_COLOR: '' }, true).colors).toBeDefined()
    expect(openTerminal({ TERM: 'dumb' }, true).colors).toBeUndefined()
  })
})

describe('a line', () => {
  it('shows what a terminal would act upon, but for line ends, tabs and the colours of the command', () => {
    const { out, err, colors } = openTerminal({ TERM: 'xterm' }, true)
    const written: unknown[] = []
    const spies = [process.stdout, process.stderr].map((it) =>
      vi.spyOn(it, 'write').mockImplementation((text) => written.push(text) > 0),
    )
    try {
      for (const tell of [out, err]) tell('a\n\tb \u001b]0;title\u0007\u001b[2J\r\u009b31m\u007f é…')
      err(`${colors?.error('red')}${colors?.warning('yellow')}${colors?.dim('dim')}\u001b[8mhidden`)
    } finally {
      for (const spy of spies) spy.mockRestore()
    }
    const shown = 'a\n\tb \\u001b]0;title\\u0007\\u001b[2J\\u000d\\u009b31m\\u007f é…\n'
    const colored = '\u001b[31mred\u001b[0m\u001b[33myellow\u001b[0m\u001b[2mdim\u001b[0m\\u001b[8mhidden\n'
    expect(written).toEqual([shown, shown, colored])
  })
})
