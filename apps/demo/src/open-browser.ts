import { spawn } from 'node:child_process'

/** Opens the address where there is a display. What fails is ignored: the address stands in the terminal as well. */
export function openBrowser(url: string): void {
  const opener = findOpener()
  if (!opener) return
  const { program, args } = opener
  // Apart from this program, which Ctrl-C ends.
  spawn(program, [...args, url], { stdio: 'ignore', detached: true })
    .once('error', () => {})
    .unref()
}

function findOpener(): { program: string; args: string[] } | undefined {
  if (process.platform === 'darwin') return { program: 'open', args: [] }
  if (process.platform === 'win32') return { program: 'rundll32', args: ['url.dll,FileProtocolHandler'] }
  return process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'] ? { program: 'xdg-open', args: [] } : undefined
}
