import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../../scripts/run.mjs'

const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps', '--silent', '--engine-strict=false']

/**
 * Installs a peer into a separate folder, so that the project does not depend on it. Returns the name and version of the
 * first package, or nothing if it is not available.
 */
export async function installPeer(
  folder: string,
  ...packages: readonly [string, ...string[]]
): Promise<string | undefined> {
  // The name may have a version, and both a version and a scope start with `@`.
  const name = packages[0].replace(/(?<=.)@.*$/, '')
  const manifestPath = join(folder, 'package.json')
  try {
    if (!existsSync(manifestPath)) await writeFile(manifestPath, '{ "private": true, "type": "module" }')
    execFileSync('npm', ['install', ...flags, ...packages], { cwd: folder, stdio: 'pipe', timeout: 300_000 })
    const manifest = await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8')
    return `${name} ${(JSON.parse(manifest) as { version: string }).version}`
  } catch {
    return undefined
  }
}

/** Makes the peers use the packages of the project, so that all contenders have the same drivers. */
export async function shareDrivers(folder: string, names: readonly string[]): Promise<void> {
  await mkdir(join(folder, 'node_modules'), { recursive: true })
  for (const name of names) {
    const place = join(folder, 'node_modules', name)
    await rm(place, { recursive: true, force: true })
    await symlink(join(root, 'node_modules', name), place, 'junction')
  }
}
