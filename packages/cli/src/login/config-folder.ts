import { homedir } from 'node:os'
import { posix, win32 } from 'node:path'

/** The environment that determines the settings folder. */
export interface UserEnvironment {
  readonly env: NodeJS.ProcessEnv
  readonly platform: NodeJS.Platform
  readonly home: string
}

/** The user's settings folder for `portico`, by the convention of each platform. */
export function findConfigFolder(
  place: UserEnvironment = { env: process.env, platform: process.platform, home: findHome() },
): string {
  const path = place.platform === 'win32' ? win32 : posix
  // XDG Base Directory Specification: relative paths must be ignored.
  const xdg = place.env['XDG_CONFIG_HOME']
  const folder = xdg && path.isAbsolute(xdg) ? xdg : findSettings(place)
  // A relative path would put tokens into the current folder, for example a repository.
  if (!path.isAbsolute(folder)) throw new Error('no home folder found to store tokens in: set HOME or XDG_CONFIG_HOME')
  return path.join(folder, 'portico')
}

function findSettings({ env, platform, home }: UserEnvironment): string {
  if (platform === 'win32') return env['APPDATA'] || win32.join(home, 'AppData', 'Roaming')
  return platform === 'darwin' ? posix.join(home, 'Library', 'Application Support') : posix.join(home, '.config')
}

/** Empty if there is none, for example for a user without an entry in the system. */
function findHome(): string {
  try {
    return homedir()
  } catch {
    return ''
  }
}
