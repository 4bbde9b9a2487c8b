import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { count } from '../shared/count.ts'
import { type Finding, ok, problem } from './finding.ts'

interface Manifest {
  readonly name?: string
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** The packages only work together in the same version. Two versions side by side mean two copies of every class. */
export function checkPackages(folder: string): Finding {
  const { dependencies, devDependencies } = readManifest(folder) ?? {}
  const wanted = Object.keys({ ...dependencies, ...devDependencies }).filter((it) => it.startsWith('@portico/'))
  const found = foldersAbove(folder).flatMap((it) => listPackages(join(it, 'node_modules')))
  const missing = wanted.filter((name) => !found.some((it) => it.name === name))
  if (missing.length > 0) return problem('PACKAGES', `not installed: ${missing.join(', ')}`, 'run `npm install`')
  const versions = new Map(found.map(({ name, version, path }) => [`${name} ${version}`, { version, path }]))
  const differing = new Set([...versions.values()].map((it) => it.version))
  if (differing.size <= 1)
    return ok('PACKAGES', `${count(found.length, '@portico package')}, version ${[...differing][0] ?? 'none'}`)
  const list = [...versions].map(([label, { path }]) => `${label} in ${path}`).sort()
  const names = [...new Set(found.map((it) => it.name))].map((it) => `${it}@latest`).sort()
  return problem(
    'PACKAGES',
    `packages in different versions: ${list.join('; ')}`,
    `run \`npm install ${names.join(' ')}\``,
  )
}

/** A folder and its parents: where Node looks for packages. */
export function foldersAbove(folder: string): string[] {
  return folder === dirname(folder) ? [folder] : [folder, ...foldersAbove(dirname(folder))]
}

interface Installed {
  readonly name: string
  readonly version: string
  readonly path: string
}

/** The @portico packages in a `node_modules` folder, including nested ones. */
function listPackages(modules: string): Installed[] {
  const scope = join(modules, '@portico')
  if (!existsSync(scope)) return []
  return readdirSync(scope).flatMap((part) => {
    const path = join(scope, part)
    const { name, version } = readManifest(path) ?? {}
    if (name === undefined || version === undefined) return []
    return [{ name, version, path }, ...listPackages(join(path, 'node_modules'))]
  })
}

function readManifest(folder: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  } catch {
    return undefined
  }
}
