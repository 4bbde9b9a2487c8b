import { type Dirent, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isOwnFolder } from '../files.ts'

export interface Sources {
  /** What tells one version of a file from another, by its path. */
  readonly stamps: Map<string, string>
  readonly folders: readonly string[]
}

/** Whether a file is code. What a program writes while it runs, a database or other data, must not start it again. */
export function isSource(name: string): boolean {
  return /\.(portico|[cm]?[jt]sx?)$/.test(name) || /^(package|tsconfig.*)\.json$/.test(name)
}

/** Whether a change under this name is worth a look: a source, or a folder, whose name tells nothing of what is in it. */
export function isWorthALook(name: string): boolean {
  return isSource(name) || !name.includes('.')
}

/** The sources below these folders. */
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

/** A folder that goes while it is looked at is empty; the next look no longer finds it. */
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

/** The paths that came, went or changed. */
export function findChanges(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const paths = new Set([...before.keys(), ...after.keys()])
  return [...paths].filter((it) => before.get(it) !== after.get(it))
}
