import { describe, expect, it } from 'vitest'
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
