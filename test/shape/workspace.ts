import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/run.mjs'

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly scripts?: Record<string, string>
  readonly exports?: Record<string, string | { types?: string; default?: string }>
  readonly dependencies?: Record<string, string>
  readonly devDependencies?: Record<string, string>
  readonly peerDependencies?: Record<string, string>
  readonly optionalDependencies?: Record<string, string>
}

/** A package or app of this workspace. */
export interface Member {
  readonly folder: string
  readonly manifest: Manifest
}

export const members: readonly Member[] = ['packages', 'apps'].flatMap((group) =>
  readdirSync(join(root, group))
    .map((name) => join(group, name))
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => ({ folder, manifest: readJson(join(folder, 'package.json')) as Manifest })),
)

export const packages: readonly Member[] = members.filter(({ folder }) => folder.startsWith('packages'))

/** Every file that git tracks, or would track. */
export const trackedFiles: readonly string[] = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => file !== '' && existsSync(join(root, file)))

export function readText(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

export function readJson(file: string): unknown {
  return JSON.parse(readText(file))
}
