import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { isModuleOf } from '@portico/schema'
import { UsageError } from './command.ts'

export interface SchemaFiles {
  /** The schema files, sorted, relative to the working folder, with `/` as separator. */
  readonly files: readonly string[]
  /** The folders that were searched. */
  readonly folders: readonly string[]
  /** Generated modules in these folders whose schema file no longer exists. */
  readonly orphans: readonly string[]
  /** Paths that do not exist. */
  readonly missing: readonly string[]
}

const skipped = new Set(['node_modules', 'dist', 'coverage'])

/** False for folders of tools, such as `node_modules` and `dist`. */
export function isOwnFolder(name: string): boolean {
  return !skipped.has(name) && !name.startsWith('.')
}

/** Lists the schema files in the given paths. Throws a UsageError if there are none. */
export function listSchemaFiles(cwd: string, paths: readonly string[]): readonly string[] {
  const { files } = findSchemaFiles(cwd, paths)
  if (files.length === 0) throw noSchemaFiles(paths)
  return files
}

export function noSchemaFiles(paths: readonly string[]): UsageError {
  return new UsageError(`no schema files (*.portico) found in ${paths.join(', ') || '.'}`)
}

/** Finds schema files in the given files and folders, including subfolders. Default: the current folder. */
export function findSchemaFiles(
  cwd: string,
  paths: readonly string[],
  { allowMissing = false }: { readonly allowMissing?: boolean | undefined } = {},
): SchemaFiles {
  const files = new Set<string>()
  const folders = new Set<string>()
  const modules = new Set<string>()
  const missing: string[] = []
  for (const path of paths.length > 0 ? paths : ['.']) {
    const found = statIfThere(resolve(cwd, path))
    if (!found) {
      if (!allowMissing) throw new UsageError(`no such file or folder: ${path}`)
      missing.push(path)
      folders.add(resolve(cwd, path, '..'))
    } else if (found.isDirectory()) scan(cwd, resolve(cwd, path), { files, folders, modules })
    else if (path.endsWith('.portico')) {
      files.add(toSchemaPath(cwd, resolve(cwd, path)))
      folders.add(resolve(cwd, path, '..'))
    } else throw new UsageError(`${path} is not a schema file: the name must end in .portico`)
  }
  const orphans = [...modules].filter((it) => isOrphan(resolve(cwd, it))).sort()
  return { files: [...files].sort(), folders: [...folders], orphans, missing }
}

interface Found {
  readonly files: Set<string>
  readonly folders: Set<string>
  readonly modules: Set<string>
}

function scan(cwd: string, folder: string, found: Found): void {
  found.folders.add(folder)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (isOwnFolder(entry.name)) scan(cwd, path, found)
    } else if (entry.name.endsWith('.portico')) found.files.add(toSchemaPath(cwd, path))
    else if (entry.isFile() && entry.name.endsWith('.portico.ts')) found.modules.add(toSchemaPath(cwd, path))
  }
}

/** Only files with the header of a generated module count. Anything else was written by hand. */
function isOrphan(path: string): boolean {
  const source = path.slice(0, -'.ts'.length)
  return !statIfThere(source) && isModuleOf(source.split(sep).join('/'), readIfThere(path) ?? '')
}

function toSchemaPath(cwd: string, path: string): string {
  return relative(cwd, path).split(sep).join('/')
}

function statIfThere(path: string) {
  return statSync(path, { throwIfNoEntry: false })
}

/** Far above any real schema. Catches wrong files early. */
const MAX_FILE_BYTES = 64 * 1024 * 1024

/** The text of a file, or `undefined` if it does not exist. Rejects pipes and devices, which may never end. */
export function readIfThere(path: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readRegularFile(path))
  } catch (error) {
    if (error instanceof TypeError) throw new Error(`${path} is not UTF-8 text`)
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return undefined
    throw error
  }
}

function readRegularFile(path: string): Buffer {
  // Without O_NONBLOCK, opening a pipe without a writer would block forever.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const stat = fstatSync(file)
    if (!stat.isFile() && !stat.isDirectory()) throw new UsageError(`${path} is not a regular file`)
    if (stat.size > MAX_FILE_BYTES) throw new UsageError(`${path} is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB`)
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

/**
 * True if the path of a generated module is taken by a file that `portico generate` did not write, or by a link to
 * another folder.
 */
export function isOwnedByOthers(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return false
  const target = statIfThere(path)
  // A dangling link is replaced by the module; nothing is written through it.
  if (!target) return false
  if (found.isSymbolicLink() && dirname(realpathSync(path)) !== realpathSync(dirname(path))) return true
  const source = path.slice(0, -'.ts'.length).split(sep).join('/')
  return !target.isFile() || !isModuleOf(source, readIfThere(path) ?? '')
}

/** Writes a file atomically. Follows links and keeps the file mode. */
export function replaceFile(link: string, text: string): void {
  const before = statIfThere(link)
  try {
    placeFile(before ? realpathSync(link) : link, text, before && { mode: before.mode })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // The original error names the temporary file, which would confuse.
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new Error(`the folder of ${link} does not exist`)
    throw error
  }
}

/** Writes a file atomically and replaces whatever is at the path, even a link. `flush` waits for the disk. */
export function placeFile(
  path: string,
  text: string,
  options: { mode?: number | undefined; flush?: boolean | undefined } = {},
): void {
  const temporary = `${path}.${process.pid}.tmp`
  try {
    rmSync(temporary, { force: true })
    // `wx` creates the file: it never writes through a link that someone else has placed.
    writeFileSync(temporary, text, { ...options, flag: 'wx' })
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
