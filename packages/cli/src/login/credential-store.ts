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

/** A sign-in at one server. */
export interface Credential {
  readonly server: string
  readonly accessToken: string
  readonly userId?: string
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number
  /** Milliseconds since the epoch. */
  readonly signedInAt: number
  /** What was granted, or asked for where the server does not say: names with spaces between them. */
  readonly scope?: string
}

export type CredentialErrorCode = 'CREDENTIALS_UNSAFE' | 'CREDENTIALS_BROKEN'

/** A kept token that is not to be trusted: somebody else may have read or placed it. */
export class CredentialError extends Error {
  override readonly name = 'CredentialError'
  readonly code: CredentialErrorCode
  /** What to do about it. */
  readonly mend: string

  constructor(code: CredentialErrorCode, what: string, mend: string) {
    super(`${what}, so no token is read from it: ${mend}`)
    this.code = code
    this.mend = mend
  }
}

const ending = '.token.json'

/**
 * The sign-ins of a user, each server's in a file of its own, so that two programs that sign in at two servers do not
 * get in each other's way. Files are the user's alone (0600 in a 0700 folder), and no link is ever followed.
 */
export class CredentialStore {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** The sign-in at a server, if there is one. */
  find(server: string): Credential | undefined {
    return this.#readFolder() ? readCredential(this.#pathOf(server)) : undefined
  }

  /** All sign-ins, the last one last. */
  list(): readonly Credential[] {
    const names = (this.#readFolder() ?? []).filter((it) => it.endsWith(ending))
    const found = names.map((it) => readCredential(join(this.folder, it))).filter((it) => it !== undefined)
    return found.sort((a, b) => a.signedInAt - b.signedInAt)
  }

  /** Throws where a sign-in could not be kept, as far as that can be told beforehand. */
  checkWritable(): void {
    let folder = this.folder
    while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder)
    try {
      // The slash makes a mistake of a file.
      accessSync(`${folder}/`, constants.W_OK)
    } catch (cause) {
      throw new Error(`no token could be kept in ${this.folder}: ${(cause as Error).message}`, { cause })
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

  /** The names in the folder, or `undefined` when there is none. */
  #readFolder(): readonly string[] | undefined {
    const found = lstatSync(this.folder, { throwIfNoEntry: false })
    if (!found) return undefined
    if (!found.isDirectory()) throw unsafe(`${this.folder} is a link or a file`, 'remove it')
    checkOwner(this.folder, found)
    if (process.platform !== 'win32' && (found.mode & 0o022) !== 0) {
      throw unsafe(`others may write into ${this.folder}`, `run: chmod 700 '${this.folder}'`)
    }
    return readdirSync(this.folder)
  }

  #pathOf(server: string): string {
    const { host } = new URL(server)
    const hash = createHash('sha256').update(server).digest('hex').slice(0, 12)
    return join(this.folder, `${host.replaceAll(/[^\w.-]/g, '_')}-${hash}${ending}`)
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
      ...(typeof userId === 'string' && { userId }),
      ...(typeof expiresAt === 'number' && { expiresAt }),
      ...(typeof scope === 'string' && { scope }),
    }
  } catch {
    // The parser's own error quotes the text, and that holds a token.
    return undefined
  }
}

/** Looks at the file that was opened, not at its name: between two looks at a name it may become another file. */
function readPrivateFile(path: string): string | undefined {
  // Windows has neither these flags nor modes; there the folder of a user is the user's alone. A pipe would be waited for.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const file = openIfThere(path, flags)
  if (file === undefined) return undefined
  try {
    const found = fstatSync(file)
    if (!found.isFile()) throw unsafe(`${path} is no file`, 'remove it')
    checkOwner(path, found)
    if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) {
      throw unsafe(`others may read the token in ${path}`, `run: chmod 600 '${path}'`)
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
  if (own !== undefined && uid !== own) throw unsafe(`${path} belongs to somebody else`, 'remove it')
}

function unsafe(what: string, mend: string): CredentialError {
  return new CredentialError('CREDENTIALS_UNSAFE', what, mend)
}
