import { randomBytes } from 'node:crypto'
import { linkSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DemoError } from './errors.ts'

/** The secret of the authorization server, created at the first start. It encrypts the signing keys in the database. */
export function keepSecret(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    checkFolder(folder)
    const file = join(folder, 'secret')
    if (!lstatSync(file, { throwIfNoEntry: false })) makeSecret(file)
    return readSecret(file)
  } catch (error) {
    if (error instanceof DemoError) throw error
    const reason = (error as Error).message
    throw new DemoError('FOLDER_UNUSABLE', `${reason}. Set PORTICO_DEMO_DATA to use another data folder`)
  }
}

function checkFolder(folder: string): void {
  if (process.platform !== 'win32' && (statSync(folder).mode & 0o002) !== 0) {
    throw new DemoError('FOLDER_EXPOSED', `everyone can write to ${folder}. Run: chmod 700 '${folder}'`)
  }
}

/** Creates the file atomically: an interrupted start leaves no partial file, and of two starts only one creates it. */
function makeSecret(file: string): void {
  const temporary = `${file}.${process.pid}.tmp`
  rmSync(temporary, { force: true })
  try {
    writeFileSync(temporary, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 })
    linkSync(temporary, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(temporary, { force: true })
  }
}

function readSecret(file: string): string {
  const again = 'delete it, and the next start creates a new one'
  const found = lstatSync(file)
  if (!found.isFile() || found.uid !== (process.getuid?.() ?? found.uid)) {
    throw new DemoError('SECRET_EXPOSED', `${file} is not a regular file that you own: ${again}`)
  }
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) {
    throw new DemoError('SECRET_EXPOSED', `other users can read ${file}: ${again}`)
  }
  const secret = readFileSync(file, 'utf8')
  if (!/^[\w-]{43}$/.test(secret))
    throw new DemoError('SECRET_INVALID', `${file} does not contain a valid secret: ${again}`)
  return secret
}
