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
  /** The schema files, relative to the working folder, with `/` between their parts, in order. */
  readonly files: readonly string[]
  /** The folders that were looked through. */
  readonly folders: readonly string[]
  /** The modules in these folders that were generated from a schema file which is gone. */
  readonly orphans: readonly string[]
  /** The paths where nothing is. */
  readonly missing: readonly string[]
}

const skipped = new Set(['node_modules', 'dist', 'coverage'])

/** Whether a folder holds what people write, and not what tools do. */
export function isOwnFolder(name: string): boolean {
  return !skipped.has(name) && !name.startsWith('.')
}

/** The schema files that paths name; that there are none is a mistake of the caller. */
export function listSchemaFiles(cwd: string, paths: readonly string[]): readonly string[] {
  const { files } = findSchemaFiles(cwd, paths)
  if (files.length === 0) throw noSchemaFiles(paths)
  return files
}

export function noSchemaFiles(paths: readonly string[]): UsageError {
  return new UsageError(`no schema files (*.portico) in ${paths.join(', ') || '.'}`)
}

/** Finds the schema files that paths name: files as they are, folders with all below them. No path means here. */
export function findSchemaFiles(
  cwd: string,
  paths: readonly string[],
  { missingIsFine = false }: { readonly missingIsFine?: boolean } = {},
): SchemaFiles {
  const files = new Set<string>()
  const folders = new Set<string>()
  const modules = new Set<string>()
  const missing: string[] = []
  for (const path of paths.length > 0 ? paths : ['.']) {
    const found = statIfThere(resolve(cwd, path))
    if (!found) {
      if (!missingIsFine) throw new UsageError(`there is no file or folder ${path}`)
      missing.push(path)
      folders.add(resolve(cwd, path, '..'))
    } else if (found.isDirectory()) scan(cwd, resolve(cwd, path), { files, folders, modules })
    else if (path.endsWith('.portico')) {
      files.add(toSchemaPath(cwd, resolve(cwd, path)))
      folders.add(resolve(cwd, path, '..'))
    } else throw new UsageError(`${path} is no schema file: their names end in .portico`)
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

/** Only what says in its first line that it was generated counts: anything else is somebody's work. */
function isOrphan(path: string): boolean {
  const source = path.slice(0, -'.ts'.length)
  return !statIfThere(source) && isModuleOf(source.split(sep).join('/'), readIfThere(path) ?? '')
}

export function toSchemaPath(cwd: string, path: string): string {
  return relative(cwd, path).split(sep).join('/')
}

function statIfThere(path: string) {
  return statSync(path, { throwIfNoEntry: false })
}

/** No schema or description comes near this; whoever names a larger file by mistake learns of it at once. */
const MAX_FILE_BYTES = 64 * 1024 * 1024

/** The text of a file, or `undefined` when there is none. Pipes and devices, which may never end, are refused. */
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
  // To open a pipe that nobody writes to would wait for ever without O_NONBLOCK.
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
 * Whether what has the place of a generated module must be left alone: a file that `portico generate` did not write, or a
 * link that leads to another folder.
 */
export function isOwnedByOthers(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return false
  const target = statIfThere(path)
  // A link that leads nowhere is replaced by the module, and nothing is written through it.
  if (!target) return false
  if (found.isSymbolicLink() && dirname(realpathSync(path)) !== realpathSync(dirname(path))) return true
  const source = path.slice(0, -'.ts'.length).split(sep).join('/')
  return !target.isFile() || !isModuleOf(source, readIfThere(path) ?? '')
}

/** Writes a file so that no reader ever sees half of it; a link stays a link, and a mode what it was. */
export function replaceFile(link: string, text: string): void {
  const before = statIfThere(link)
  try {
    placeFile(before ? realpathSync(link) : link, text, before && { mode: before.mode })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // The name of the temporary file would say nothing to anybody.
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new Error(`the folder of ${link} is not there`)
    throw error
  }
}

/** Puts a whole file in the place of whatever has the name, be it a link; `flush` once it is on the disk. */
export function placeFile(path: string, text: string, options: { mode?: number; flush?: boolean } = {}): void {
  const temporary = `${path}.${process.pid}.tmp`
  try {
    rmSync(temporary, { force: true })
    // Made anew, never written through a link that somebody has placed.
    writeFileSync(temporary, text, { ...options, flag: 'wx' })
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
