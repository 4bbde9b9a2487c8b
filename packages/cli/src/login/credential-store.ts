import { createHash } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  type Stats,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { placeFile } from '../files.ts'

/** A saved sign-in to one server. */
export interface Credential {
  readonly server: string
  readonly accessToken: string
  readonly userId?: string | undefined
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number | undefined
  /** Milliseconds since the epoch. */
  readonly signedInAt: number
  /** The granted scopes, or the requested ones if the server does not report them, separated by spaces. */
  readonly scope?: string | undefined
}

export type CredentialErrorCode = 'CREDENTIALS_UNSAFE' | 'CREDENTIALS_BROKEN'

/** A saved token that cannot be trusted: someone else may have read or placed it. */
export class CredentialError extends Error {
  override readonly name = 'CredentialError'
  readonly code: CredentialErrorCode
  /** The suggested fix. */
  readonly fix: string

  constructor(code: CredentialErrorCode, problem: string, fix: string) {
    super(`${problem}, so no token is read from it: ${fix}`)
    this.code = code
    this.fix = fix
  }
}

const extension = '.token.json'

/**
 * The saved sign-ins of a user. Each server has its own file, so that sign-ins at different servers do not conflict. Files
 * are private (0600 in a 0700 folder), and links are never followed.
 */
export class CredentialStore {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  find(server: string): Credential | undefined {
    return this.#readFolder() ? readCredential(this.#pathOf(server)) : undefined
  }

  /** All sign-ins, the most recent last. */
  list(): readonly Credential[] {
    const names = (this.#readFolder() ?? []).filter((it) => it.endsWith(extension))
    const found = names.map((it) => readCredential(join(this.folder, it))).filter((it) => it !== undefined)
    return found.sort((a, b) => a.signedInAt - b.signedInAt)
  }

  /** Throws if the folder is not writable. */
  checkWritable(): void {
    let folder = this.folder
    while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder)
    try {
      // With the trailing slash, a regular file is an error.
      accessSync(`${folder}/`, constants.W_OK)
    } catch (cause) {
      throw new Error(`cannot store a token in ${this.folder}: ${(cause as Error).message}`, { cause })
    }
  }

  save(credential: Credential): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    this.#readFolder()
    if (process.platform !== 'win32') chmodSync(this.folder, 0o700)
    const text = `${JSON.stringify(credential, null, 2)}\n`
    placeFile(this.#pathOf(credential.server), text, { mode: 0o600, flush: true })
  }

  forget(server: string): void {
    rmSync(this.#pathOf(server), { force: true })
  }

  /** The file names in the folder, or `undefined` if it does not exist. */
  #readFolder(): readonly string[] | undefined {
    const found = lstatSync(this.folder, { throwIfNoEntry: false })
    if (!found) return undefined
    if (!found.isDirectory()) throw unsafe(`${this.folder} is a link or a file`, 'remove it')
    checkOwner(this.folder, found)
    if (process.platform !== 'win32' && (found.mode & 0o022) !== 0) {
      throw unsafe(`others can write to ${this.folder}`, `run: chmod 700 '${this.folder}'`)
    }
    return readdirSync(this.folder)
  }

  #pathOf(server: string): string {
    const { host } = new URL(server)
    const hash = createHash('sha256').update(server).digest('hex').slice(0, 12)
    return join(this.folder, `${host.replaceAll(/[^\w.-]/g, '_')}-${hash}${extension}`)
  }
}

function readCredential(path: string): Credential | undefined {
  const text = readPrivateFile(path)
  if (text === undefined) return undefined
  const credential = parseCredential(text)
  if (!credential) {
    throw new CredentialError('CREDENTIALS_BROKEN', `${path} is damaged`, 'remove it and run `portico login`')
  }
  return credential
}

function parseCredential(text: string): Credential | undefined {
  try {
    const { server, accessToken, userId, expiresAt, signedInAt, scope } = JSON.parse(text) as Record<string, unknown>
    if (typeof server !== 'string' || typeof accessToken !== 'string' || typeof signedInAt !== 'number')
      return undefined
    return {
      server,
      accessToken,
      signedInAt,
      userId: typeof userId === 'string' ? userId : undefined,
      expiresAt: typeof expiresAt === 'number' ? expiresAt : undefined,
      scope: typeof scope === 'string' ? scope : undefined,
    }
  } catch {
    // The parser's error would quote the text, which contains a token.
    return undefined
  }
}

/** Checks the opened file, not its path, because the path may change in between. */
function readPrivateFile(path: string): string | undefined {
  // Windows lacks these flags and modes; user folders are private there. O_NONBLOCK avoids waiting for a pipe.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const file = openIfThere(path, flags)
  if (file === undefined) return undefined
  try {
    const found = fstatSync(file)
    if (!found.isFile()) throw unsafe(`${path} is not a regular file`, 'remove it')
    checkOwner(path, found)
    if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) {
      throw unsafe(`others can read the token in ${path}`, `run: chmod 600 '${path}'`)
    }
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

function openIfThere(path: string, flags: number): number | undefined {
  try {
    return openSync(path, flags)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    if (code === 'ELOOP') throw unsafe(`${path} is a link`, 'remove it')
    throw error
  }
}

function checkOwner(path: string, { uid }: Stats): void {
  const own = process.getuid?.()
  if (own !== undefined && uid !== own) throw unsafe(`${path} belongs to another user`, 'remove it')
}

function unsafe(problem: string, fix: string): CredentialError {
  return new CredentialError('CREDENTIALS_UNSAFE', problem, fix)
}
