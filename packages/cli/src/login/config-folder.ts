import { homedir } from 'node:os'
import { isAbsolute, posix, win32 } from 'node:path'

/** What tells where a user's settings are kept. */
export interface UserPlace {
  readonly env: NodeJS.ProcessEnv
  readonly platform: NodeJS.Platform
  readonly home: string
}

/** The folder for this user's settings of `portico`, where each system expects it. */
export function findConfigFolder(
  { env, platform, home }: UserPlace = { env: process.env, platform: process.platform, home: homedir() },
): string {
  const path = platform === 'win32' ? win32 : posix
  // XDG Base Directory Specification: a relative path is to be ignored.
  const xdg = env['XDG_CONFIG_HOME']
  if (xdg && isAbsolute(xdg)) return path.join(xdg, 'portico')
  if (platform === 'win32') return path.join(env['APPDATA'] || path.join(home, 'AppData', 'Roaming'), 'portico')
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'portico')
  return path.join(home, '.config', 'portico')
}
