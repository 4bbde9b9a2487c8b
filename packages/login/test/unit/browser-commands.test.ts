import { describe, expect, it } from 'vitest'
import { listBrowserCommands, type Machine } from '../../src/browser.ts'

const url = new URL('https://app.example/a?x=1&y="q" `b` \'s\' 100% %20&z=$(id);|<>^').href

function commands(machine: Partial<Machine>) {
  return listBrowserCommands(url, { platform: 'linux', release: '6.1.0', env: {}, ...machine })
}

describe('the command line that opens the browser', () => {
  it('has the URL as one argument that no command line can split', () => {
    expect(url).not.toMatch(/[\s"<>]/)
    const all = [
      ...commands({ platform: 'darwin' }),
      ...commands({ platform: 'win32' }),
      ...commands({ env: { WSL_DISTRO_NAME: 'Debian' } }),
      ...commands({ env: { DISPLAY: ':0' } }),
    ]
    expect(all).toHaveLength(5)
    for (const { args } of all) expect(args.filter((arg) => arg === url)).toHaveLength(1)
  })

  it('macOS: open', () => {
    expect(commands({ platform: 'darwin' })).toEqual([{ command: 'open', args: [url] }])
  })

  it('Windows: rundll32 of the system, not one in the working directory', () => {
    const args = ['url.dll,FileProtocolHandler', url]
    expect(commands({ platform: 'win32', env: { SystemRoot: 'D:\\Win' } })).toEqual([
      { command: 'D:\\Win\\System32\\rundll32.exe', args },
    ])
    expect(commands({ platform: 'win32' })).toEqual([{ command: 'C:\\Windows\\System32\\rundll32.exe', args }])
  })

  it.each([
    ['the distribution', { env: { WSL_DISTRO_NAME: 'Debian' } }],
    ['the kernel', { release: '5.15.90.1-microsoft-standard-WSL2' }],
  ])('WSL, detected by %s: wslview, then the Windows command, without a display', (_, machine) => {
    expect(commands(machine)).toEqual([
      { command: 'wslview', args: [url] },
      { command: 'rundll32.exe', args: ['url.dll,FileProtocolHandler', url] },
    ])
  })

  it.each([[{ DISPLAY: ':0' }], [{ WAYLAND_DISPLAY: 'wayland-0' }]])('Linux with a display, %o: xdg-open', (env) => {
    expect(commands({ env })).toEqual([{ command: 'xdg-open', args: [url] }])
    expect(commands({ platform: 'freebsd', env })).toEqual([{ command: 'xdg-open', args: [url] }])
  })

  it.each([[{}], [{ DISPLAY: '' }], [{ DISPLAY: '', WAYLAND_DISPLAY: '' }]])(
    'Linux without a display, %o: nothing is tried',
    (env) => {
      expect(commands({ env })).toEqual([])
    },
  )
})
