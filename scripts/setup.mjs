// Makes a checkout ready: installs what the lock file asks for when that changed, then builds what changed.
// Runs before `npm start`, `npm test` and their like, also in a bare clone, so it uses nothing but Node itself.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stampFile = join(root, 'node_modules', '.portico-installed')

class SetupError extends Error {}

try {
  checkNodeVersion()
  await holdLock(() => {
    const wanted = fingerprint()
    if (readIfThere(stampFile) !== wanted) install(wanted)
    if (!process.argv.includes('--install-only')) build()
  })
} catch (error) {
  if (!(error instanceof SetupError)) throw error
  console.error(`portico: ${error.message}`)
  process.exitCode = 1
}

function checkNodeVersion() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  throw new SetupError(`needs Node 20.19 or newer; this is ${process.version}`)
}

/** Changes whenever an install would: the lock file, a manifest, or the kind of Node that native modules are built for. */
function fingerprint() {
  const hash = createHash('sha256')
  for (const file of ['package-lock.json', 'package.json', ...workspaceManifests()]) {
    hash.update(`${file}\n${readIfThere(join(root, file))}\n`)
  }
  return `${hash.digest('hex')} ${process.platform}-${process.arch} abi ${process.versions.modules}\n`
}

function workspaceManifests() {
  return ['packages', 'apps'].flatMap((group) =>
    readdirSync(join(root, group))
      .map((name) => `${group}/${name}/package.json`)
      .filter((file) => existsSync(join(root, file)))
      .sort(),
  )
}

/** @param {string} wanted */
function install(wanted) {
  console.log('portico: installing dependencies (once; about a minute)')
  const started = Date.now()
  // --no-save: an install must never rewrite the lock file of the person who runs it.
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  const npm = process.env['npm_execpath']
  const result = npm
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, env: installEnv(), encoding: 'utf8' })
    : spawnSync('npm', args, { cwd: root, env: installEnv(), encoding: 'utf8', shell: process.platform === 'win32' })
  if (result.status !== 0) {
    process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`)
    const reason = result.error ? `: ${result.error.message}` : ''
    throw new SetupError(`npm install failed${reason}; mend what it says above and try again`)
  }
  mkdirSync(dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, wanted)
  console.log(`portico: installed in ${seconds(started)}`)
}

/** node-gyp looks for Node's headers on the network unless it is told that Node brought them along. */
function installEnv() {
  const prefix = dirname(dirname(process.execPath))
  if (!existsSync(join(prefix, 'include', 'node', 'node.h'))) return process.env
  return { ...process.env, npm_package_config_node_gyp_nodedir: prefix }
}

function build() {
  const started = Date.now()
  const before = buildTimes()
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const result = spawnSync(process.execPath, [tsc, '-b'], { cwd: root, stdio: 'inherit' })
  if (result.status !== 0) throw new SetupError('the build failed')
  if (buildTimes() !== before) console.log(`portico: built in ${seconds(started)}`)
}

function buildTimes() {
  return workspaceManifests()
    .map((file) => join(root, dirname(file), 'dist', '.tsbuildinfo'))
    .map((file) => (existsSync(file) ? statSync(file).mtimeMs : 0))
    .join()
}

/** Two set-ups of one checkout take turns. @param {() => void} work */
async function holdLock(work) {
  const lock = join(tmpdir(), `portico-setup-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`)
  for (let waited = false; !takeLock(lock); waited = true) {
    if (!waited) console.log('portico: waiting for another set-up of this checkout')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  try {
    work()
  } finally {
    rmSync(lock, { force: true })
  }
}

/** @param {string} lock */
function takeLock(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
    if (!isAlive(Number(readIfThere(lock)))) rmSync(lock, { force: true })
    return false
  }
}

/** @param {number} pid */
function isAlive(pid) {
  // The owner writes its number right after it made the file: an empty file has an owner that is alive.
  if (pid === 0) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}

/** @param {string} file */
function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** @param {number} started */
function seconds(started) {
  return `${((Date.now() - started) / 1000).toFixed(1)} s`
}
