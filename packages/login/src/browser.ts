import { spawn } from 'node:child_process'
import { release } from 'node:os'

/** A program and its arguments. It is started without a shell. */
export interface BrowserCommand {
  readonly command: string
  readonly args: readonly string[]
}

export interface Machine {
  readonly platform: NodeJS.Platform
  readonly release: string
  readonly env: NodeJS.ProcessEnv
}

/** The commands to try in order. Empty if there is no display. */
export function listBrowserCommands(url: string, machine: Machine): BrowserCommand[] {
  if (machine.platform === 'darwin') return [{ command: 'open', args: [url] }]
  if (machine.platform === 'win32')
    return [buildWindowsCommand(`${machine.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\rundll32.exe`, url)]
  if (isWsl(machine)) return [{ command: 'wslview', args: [url] }, buildWindowsCommand('rundll32.exe', url)]
  const hasDisplay = Boolean(machine.env['DISPLAY'] || machine.env['WAYLAND_DISPLAY'])
  return hasDisplay ? [{ command: 'xdg-open', args: [url] }] : []
}

/** Unlike `cmd /c start`, rundll32 does not interpret `&` and `%` in the URL. */
function buildWindowsCommand(rundll32: string, url: string): BrowserCommand {
  return { command: rundll32, args: ['url.dll,FileProtocolHandler', url] }
}

/** The Windows Subsystem for Linux has no display, but can open the browser of its host. */
function isWsl({ platform, release, env }: Machine): boolean {
  return platform === 'linux' && (Boolean(env['WSL_DISTRO_NAME']) || /microsoft/i.test(release))
}

/** Opens the URL in the person's browser. Ignores failures, since `onUrl` has shown the URL. Returns a function that stops it. */
export function openBrowser(url: string): () => void {
  const commands = listBrowserCommands(url, { platform: process.platform, release: release(), env: process.env })
  tryNext(commands)
  return () => commands.splice(0)
}

function tryNext(commands: BrowserCommand[]): void {
  const next = commands.shift()
  if (!next) return
  try {
    // Detached: Ctrl-C in the terminal ends the program, but not the browser that it opened.
    const child = spawn(next.command, next.args, {
      stdio: 'ignore',
      detached: process.platform !== 'win32',
    })
    child.once('error', () => tryNext(commands))
    child.once('exit', (code) => code !== 0 && tryNext(commands))
    child.unref()
  } catch {
    tryNext(commands)
  }
}
