import { spawn } from 'node:child_process'

/** Opens the URL if there is a display. Ignores errors: the URL is also printed in the terminal. */
export function openBrowser(url: string): void {
  const opener = findOpener()
  if (!opener) return
  const { program, args } = opener
  // Detached, so that Ctrl-C does not end the browser too.
  spawn(program, [...args, url], { stdio: 'ignore', detached: true })
    .once('error', () => {})
    .unref()
}

function findOpener(): { program: string; args: string[] } | undefined {
  if (process.platform === 'darwin') return { program: 'open', args: [] }
  if (process.platform === 'win32') return { program: 'rundll32', args: ['url.dll,FileProtocolHandler'] }
  return process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'] ? { program: 'xdg-open', args: [] } : undefined
}
