// `node scripts/setup.mjs [projects]`: installs dependencies if the lock file changed, then builds what changed.
// Runs before `npm start`, `npm test` and others, even in a fresh clone, so it only uses Node. Projects are folders with
// a tsconfig.json: only they and their references are built.
//   --install-only   does not build
//   --verbose        also reports that there is nothing to build
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

class SetupError extends Error {
  exitCode = 1
}

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stampFile = join(root, 'node_modules', '.portico-installed')
const heartbeatMs = 500
const deadAfterMs = 10_000

try {
  checkNodeVersion()
  await holdLock(async () => {
    const wanted = fingerprint()
    if (readIfThere(stampFile) !== wanted) await install(wanted)
    if (!process.argv.includes('--install-only')) await build()
  })
} catch (error) {
  if (!(error instanceof SetupError)) throw error
  console.error(`portico: ${error.message}`)
  process.exitCode = error.exitCode
}

function checkNodeVersion() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  throw new SetupError(`needs Node 20.19 or newer; this is ${process.version}`)
}

/** Changes if an install is needed: after changes of the lock file, dependencies, or the Node version of native modules. */
function fingerprint() {
  const hash = createHash('sha256').update(readIfThere(join(root, 'package-lock.json')))
  for (const file of ['package.json', ...workspaceManifests()]) {
    const manifest = JSON.parse(readIfThere(join(root, file)))
    const relevant = Object.keys(manifest).filter((key) =>
      /dependencies|^(name|bin|workspaces|allowScripts)$/i.test(key),
    )
    hash.update(`${file}\n${JSON.stringify(relevant.map((key) => [key, manifest[key]]))}\n`)
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
async function install(wanted) {
  console.log('portico: installing dependencies (once; a minute or two)')
  const started = Date.now()
  // --no-save: an install must never rewrite the lock file.
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  const npm = process.env['npm_execpath']
  const { status, output } = await (npm
    ? run(process.execPath, [npm, ...args], installEnv())
    : run('npm', args, installEnv(), process.platform === 'win32'))
  if (status !== 0) {
    process.stderr.write(output)
    throw new SetupError('npm install failed; fix the errors above and try again')
  }
  mkdirSync(dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, wanted)
  console.log(`portico: installed in ${seconds(started)}`)
}

/** Points node-gyp to the headers that come with Node; otherwise it downloads them. */
function installEnv() {
  const prefix = dirname(dirname(realpathSync(process.execPath)))
  if (!existsSync(join(prefix, 'include', 'node', 'node.h'))) return process.env
  return { ...process.env, npm_package_config_node_gyp_nodedir: prefix }
}

async function build() {
  const started = Date.now()
  const before = buildTimes()
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const projects = process.argv.slice(2).filter((arg) => !arg.startsWith('-'))
  const args = ['-b', ...projects, '--pretty', String(Boolean(process.stderr.isTTY))]
  const { status, output } = await run(process.execPath, [tsc, ...args])
  if (status !== 0) {
    process.stderr.write(`${output.trimEnd()}\n`)
    throw new SetupError('the build failed')
  }
  // Packages that ship more than compiled sources have a script for the rest.
  for (const folder of workspaceManifests().map((it) => join(root, dirname(it)))) {
    const script = join(folder, 'scripts', 'after-build.mjs')
    if (existsSync(script) && existsSync(join(folder, 'dist'))) await import(pathToFileURL(script).href)
  }
  if (buildTimes() !== before) console.log(`portico: built in ${seconds(started)}`)
  else if (process.argv.includes('--verbose')) console.log('portico: nothing to build')
}

function buildTimes() {
  return workspaceManifests()
    .map((file) => join(root, dirname(file), 'dist', '.tsbuildinfo'))
    .map((file) => (existsSync(file) ? statSync(file).mtimeMs : 0))
    .join()
}

/**
 * Runs a tool until it ends, even after Ctrl-C: the lock must not be released while npm cleans up.
 * @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} env @param {boolean} shell
 * @returns {Promise<{ status: number | null, output: string }>}
 */
function run(command, args, env = process.env, shell = false) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env, shell, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    let interrupted = 0
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
      })
    }
    /** @param {NodeJS.Signals} signal */
    const onSignal = (signal) => {
      interrupted = constants.signals[signal]
      child.kill(signal)
    }
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
    child.once('error', (error) => reject(new SetupError(`could not start ${command}: ${error.message}`)))
    child.once('close', (status) => {
      process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
      if (!interrupted) return resolve({ status, output })
      reject(Object.assign(new SetupError('interrupted'), { exitCode: 128 + interrupted }))
    })
  })
}

/** Only one setup per checkout runs at a time. The holder touches the lock regularly; a stale lock is free. @param {() => Promise<void>} work */
async function holdLock(work) {
  const lock = join(tmpdir(), `portico-setup-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`)
  for (let waits = 0; !takeLock(lock); waits += 1) {
    if (waits === 5) console.log(`portico: waiting for another setup of this checkout (${lock})`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  const heartbeat = setInterval(() => utimesSync(lock, new Date(), new Date()), heartbeatMs)
  try {
    await work()
  } finally {
    clearInterval(heartbeat)
    rmSync(lock, { force: true })
  }
}

/** @param {string} lock */
function takeLock(lock) {
  try {
    writeFileSync(lock, '', { flag: 'wx' })
    return true
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
    const touched = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - touched > deadAfterMs) rmSync(lock, { force: true })
    return false
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
