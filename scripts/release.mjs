// `npm run release [-- --dry-run] [-- npm's own options]`: packs every package and publishes the tarballs, dependencies
// first. With --dry-run npm checks and lists what it would publish, but sends nothing.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listPackages, packPackage, warnWithoutRepository } from './pack.mjs'
import { root } from './run.mjs'

const options = process.argv.slice(2)
warnWithoutRepository()
const folder = mkdtempSync(join(tmpdir(), 'portico-release-'))
try {
  for (const name of inPublishingOrder()) {
    // An absolute path: npm treats `packs/x.tgz` as a GitHub repository.
    const tarball = await packPackage(name, folder)
    const args = ['publish', ...options, tarball]
    const { status } = spawnSync('npm', args, { stdio: 'inherit', shell: process.platform === 'win32' })
    if (status !== 0) {
      console.error(`portico: npm publish of ${name} failed; the packages before it are published`)
      process.exitCode = 1
      break
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Dependencies first, so that every published package can be installed. */
function inPublishingOrder() {
  /** @type {Set<string>} */
  const ordered = new Set()
  /** @param {string} name */
  const add = (name) => {
    if (ordered.has(name)) return
    const { dependencies = {} } = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
    for (const other of Object.keys(dependencies))
      if (other.startsWith('@portico/')) add(other.slice('@portico/'.length))
    ordered.add(name)
  }
  for (const name of listPackages()) add(name)
  return ordered
}
