import { type Dirent, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isOwnFolder } from '../files.ts'

export interface Sources {
  /** Modification time and size of each file, to detect changes. */
  readonly stamps: Map<string, string>
  readonly folders: readonly string[]
}

/** True for code. Data that the program writes, such as a database, must not restart it. */
export function isSource(name: string): boolean {
  return /\.(portico|[cm]?[jt]sx?)$/.test(name) || /^(package|tsconfig.*)\.json$/.test(name)
}

/** True if a change with this name may affect sources: a source file, or a name without extension, such as a folder. */
export function mayBeSource(name: string): boolean {
  return isSource(name) || !name.includes('.')
}

/** Lists the sources in these folders and their subfolders. */
export function listSources(roots: readonly string[]): Sources {
  const stamps = new Map<string, string>()
  const folders = new Set<string>()
  const scan = (folder: string): void => {
    folders.add(folder)
    for (const entry of readFolder(folder)) {
      const path = join(folder, entry.name)
      if (entry.isDirectory() && isOwnFolder(entry.name)) scan(path)
      else if (entry.isFile() && isSource(entry.name)) {
        const stamp = stampOf(path)
        if (stamp !== undefined) stamps.set(path, stamp)
      }
    }
  }
  for (const root of roots) scan(root)
  return { stamps, folders: [...folders] }
}

/** Returns an empty list if the folder is removed while it is read. */
function readFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

export function stampOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && `${found.mtimeMs} ${found.size}`
}

/** The paths that were added, removed or changed. */
export function findChanges(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const paths = new Set([...before.keys(), ...after.keys()])
  return [...paths].filter((it) => before.get(it) !== after.get(it))
}
