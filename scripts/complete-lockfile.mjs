// `npm run lockfile`, after each change of a dependency: adds entries that npm leaves out of package-lock.json if the
// registry does not have the builds for other platforms. Without them an install on such a platform would lack its
// native modules.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './run.mjs'

const operatingSystems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
]
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

/**
 * @typedef {{ version?: string, dev?: boolean, optionalDependencies?: Record<string, string> }} LockEntry
 * @typedef {{ packages: Record<string, LockEntry> }} LockFile
 */

/**
 * Optional platform packages that the lock file does not list.
 * @param {LockFile} lock
 */
export function findMissingPlatforms(lock) {
  const missing = []
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const listed = `node_modules/${name}` in lock.packages || `${path}/node_modules/${name}` in lock.packages
      if (!listed) missing.push({ name, version, parent: entry })
    }
  }
  return missing
}

/** The names of platform packages contain the platform: `@scope/tool-linux-arm64-musl`. @param {string} name */
function platformOf(name) {
  const words = name.split(/[/-]/)
  const libc = words.some((word) => word.startsWith('musl'))
    ? 'musl'
    : words.some((word) => word.startsWith('gnu'))
      ? 'glibc'
      : undefined
  return {
    cpu: processors.filter((cpu) => words.includes(cpu)),
    os: operatingSystems.filter((os) => words.includes(os)),
    ...(libc && { libc: [libc] }),
  }
}

/** @param {LockFile} lock @returns {LockFile} */
function completeLockFile(lock) {
  const added = findMissingPlatforms(lock).map(({ name, version, parent }) => {
    if (!/^\d+\.\d+\.\d+/.test(version)) throw new Error(`${name}: ${version} is not an exact version; add it by hand`)
    const { cpu, os, libc } = platformOf(name)
    const entry = {
      version,
      ...(cpu.length && { cpu }),
      ...(parent.dev && { dev: true }),
      ...(libc && { libc }),
      optional: true,
      ...(os.length && { os }),
    }
    return /** @type {const} */ ([`node_modules/${name}`, entry])
  })
  const packages = Object.entries(lock.packages)
    .concat(added)
    .sort(([a], [b]) => a.localeCompare(b, 'en'))
  return { ...lock, packages: Object.fromEntries(packages) }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = join(root, 'package-lock.json')
  const lock = /** @type {LockFile} */ (JSON.parse(readFileSync(file, 'utf8')))
  writeFileSync(file, `${JSON.stringify(completeLockFile(lock), null, 2)}\n`)
  console.log(`portico: added ${findMissingPlatforms(lock).length} entries for other platforms`)
}
