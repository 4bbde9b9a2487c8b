import { homedir } from 'node:os'
import { posix, win32 } from 'node:path'

/** What tells where a user's settings are kept. */
export interface UserPlace {
  readonly env: NodeJS.ProcessEnv
  readonly platform: NodeJS.Platform
  readonly home: string
}

/** The folder for this user's settings of `portico`, where each system expects it. */
export function findConfigFolder(
  place: UserPlace = { env: process.env, platform: process.platform, home: findHome() },
): string {
  const path = place.platform === 'win32' ? win32 : posix
  // XDG Base Directory Specification: a relative path is to be ignored.
  const xdg = place.env['XDG_CONFIG_HOME']
  const folder = xdg && path.isAbsolute(xdg) ? xdg : findSettings(place)
  // Else tokens would be kept wherever somebody happens to be, such as in a repository.
  if (!path.isAbsolute(folder))
    throw new Error('there is no home folder to keep tokens in: set HOME or XDG_CONFIG_HOME')
  return path.join(folder, 'portico')
}

function findSettings({ env, platform, home }: UserPlace): string {
  if (platform === 'win32') return env['APPDATA'] || win32.join(home, 'AppData', 'Roaming')
  return platform === 'darwin' ? posix.join(home, 'Library', 'Application Support') : posix.join(home, '.config')
}

/** Empty where there is none, as for a user that the system has no entry of. */
function findHome(): string {
  try {
    return homedir()
  } catch {
    return ''
  }
}
