import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DemoError } from './errors.ts'

/** The secret of the authorization server, made at the first start. It locks the signing keys, which are in the database. */
export function keepSecret(folder: string): string {
  makeFolder(folder)
  const file = join(folder, 'secret')
  const made = randomBytes(32).toString('base64url')
  try {
    writeFileSync(file, made, { flag: 'wx', mode: 0o600 })
    return made
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
    throw new DemoError('SECRET_EXPOSED', `others may read ${file}: remove it, and a new one is made`)
  }
  const secret = readFileSync(file, 'utf8')
  if (!/^[\w-]{43}$/.test(secret)) {
    throw new DemoError('SECRET_INVALID', `${file} holds no secret: remove it, and a new one is made`)
  }
  return secret
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    const told = `${folder} cannot be the data folder (${(error as NodeJS.ErrnoException).code}): name another with PORTICO_DEMO_DATA`
    throw new DemoError('DATA_FOLDER_UNUSABLE', told)
  }
}
