// Installs the packed packages like a user, without a lock file and with engine-strict, on the Node that runs this
// script, and imports all their exports. This finds problems that the lock file hides, such as a dependency whose newest
// version needs another Node.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, join } from 'node:path'

const [packs = 'packs'] = process.argv.slice(2)
const tarballs = readdirSync(packs).filter((it) => it.endsWith('.tgz'))
if (tarballs.length === 0) throw new Error(`no tarballs in ${packs}: run npm run pack:all first`)

const folder = mkdtempSync(join(tmpdir(), 'portico-packs-'))
try {
  const dependencies = Object.fromEntries(
    tarballs.map((it) => [
      `@portico/${basename(it).replace(/^portico-|-\d.*$/g, '')}`,
      `file:${join(realpathSync(packs), it)}`,
    ]),
  )
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }))
  writeFileSync(join(folder, '.npmrc'), 'engine-strict=true\n')
  // No package is compiled at install: database drivers are optional peers.
  run([findNpm(), 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'])
  const entries = Object.keys(dependencies).flatMap(listExports)
  writeFileSync(join(folder, 'try.mjs'), entries.map((it) => `await import(${JSON.stringify(it)})\n`).join(''))
  run([join(folder, 'try.mjs')])
  console.log(`ok ${tarballs.length} packages, ${entries.length} exports on Node ${process.versions.node}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** @param {string[]} args */
function run(args) {
  const { status } = spawnSync(process.execPath, args, { cwd: folder, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

/** The path of npm, to run it on this Node instead of the first one in PATH. */
function findNpm() {
  for (const part of (process.env['PATH'] ?? '').split(delimiter)) {
    try {
      return realpathSync(join(part, 'npm'))
    } catch {}
  }
  throw new Error('npm is not in PATH')
}

/** @param {string} name @returns {string[]} */
function listExports(name) {
  const manifest = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'))
  return Object.keys(manifest.exports).map((it) => `${name}${it.slice(1)}`)
}
