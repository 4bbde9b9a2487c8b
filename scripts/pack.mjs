// `npm run pack:all [-- packages] [--out folder]`: creates the tarballs for publishing in packs/. Each package is
// staged in a temporary folder, so that packing does not change the workspace.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, posix, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { rolldown } from 'rolldown'
import { root } from './run.mjs'

// The login client is bundled into one small file with a source map, because programs import it at every start.
const bundled = ['login']

/**
 * Packs one package and returns the tarball's path.
 * @param {string} name folder below packages/
 * @param {string} out folder for the tarball
 */
export async function packPackage(name, out) {
  const stage = mkdtempSync(join(tmpdir(), 'portico-pack-'))
  try {
    await stagePackage(join(root, 'packages', name), stage, bundled.includes(name))
    mkdirSync(out, { recursive: true })
    const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', out]
    const result = spawnSync('npm', args, { cwd: stage, encoding: 'utf8', shell: process.platform === 'win32' })
    if (result.status !== 0) throw new Error(`npm pack of ${name} failed:\n${result.stderr}`)
    return join(out, /** @type {string} */ (result.stdout.trim().split('\n').at(-1)))
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

/** @param {string} folder @param {string} stage @param {boolean} bundle */
async function stagePackage(folder, stage, bundle) {
  const {
    scripts: _,
    devDependencies: __,
    ...manifest
  } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const name = basename(folder)
  const packed = { ...manifest, ...repositoryFields(name, readRepository()) }
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`)
  const readme = readFileSync(join(folder, 'README.md'), 'utf8')
  writeFileSync(join(stage, 'README.md'), resolveOuterLinks(readme, name, readRepository()))
  cpSync(join(root, 'LICENSE'), join(stage, 'LICENSE'))
  for (const part of ['bin', 'template']) {
    if (existsSync(join(folder, part))) cpSync(join(folder, part), join(stage, part), { recursive: true })
  }
  if (bundle) {
    await bundleSources(folder, join(stage, 'dist'))
    for (const file of reachableTypes(join(folder, 'dist', 'index.d.ts'))) {
      const text = readFileSync(file, 'utf8').replace(/^\/\/# sourceMappingURL.*\n?/m, '')
      writeFileSync(join(stage, 'dist', relative(join(folder, 'dist'), file)), text)
    }
  } else {
    cpSync(join(folder, 'dist'), join(stage, 'dist'), { recursive: true, filter: (file) => hasSource(folder, file) })
  }
}

/** False for what an older build left behind: tsc never removes the output of a source that has moved. @param {string} folder @param {string} file */
function hasSource(folder, file) {
  const source = file.replace(join(folder, 'dist'), join(folder, 'src')).replace(/(\.d\.ts|\.js)(\.map)?$/, '.ts')
  return !source.endsWith('.ts') || existsSync(source)
}

/** The web address of the repository, which the root manifest has as `repository`. @returns {string | undefined} */
export function readRepository() {
  const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return repository === undefined ? undefined : normalizeRepository(repository)
}

/**
 * The address that a browser opens: `git+https://host/owner/name.git` and `{ url }` are spellings of it that npm knows.
 * @param {unknown} repository
 */
export function normalizeRepository(repository) {
  const url = typeof repository === 'object' && repository !== null && 'url' in repository ? repository.url : repository
  const address = typeof url === 'string' ? url.replace(/^git\+/, '').replace(/(\.git)?\/?$/, '') : ''
  if (!/^https:\/\/[^/\s]+\/\S+$/.test(address))
    throw new Error('package.json: `repository` must be the https address of the repository')
  return address
}

/**
 * The source repository for the manifest of a published package. npm links to it, and provenance requires it.
 * @param {string} name folder below packages/
 * @param {string | undefined} repository
 */
export function repositoryFields(name, repository) {
  if (repository === undefined) return {}
  const directory = `packages/${name}`
  return {
    homepage: `${repository}/tree/main/${directory}#readme`,
    repository: { type: 'git', url: `git+${repository}.git`, directory },
    bugs: { url: `${repository}/issues` },
  }
}

/**
 * Links to other packages and to the docs lead nowhere from a tarball. They become links into the repository, or words
 * where its address is not known.
 * @param {string} readme
 * @param {string} name folder below packages/
 * @param {string | undefined} repository
 */
export function resolveOuterLinks(readme, name, repository) {
  return readme.replace(/\[([^\]]+)\]\((\.\.\/[^)#\s]*)(#[^)]*)?\)/g, (_, text, target, hash = '') => {
    const path = posix.join('packages', name, target)
    if (repository !== undefined) return `[${text}](${repository}/tree/main/${path}${hash})`
    const [, other] = path.match(/^packages\/([^/]+)/) ?? []
    if (other === undefined) return `${text} (\`${path}\` in the repository)`
    return text.includes(`@portico/${other}`) ? text : `${text} (\`@portico/${other}\`)`
  })
}

/** Warns whoever packs that the manifests lack what npm links to. */
export function warnWithoutRepository() {
  if (readRepository() !== undefined) return
  console.warn(
    'portico: package.json has no `repository`, so the packed manifests have no repository, homepage and bugs. ' +
      'Set it once to the https address of the repository.',
  )
}

/** @param {string} folder @param {string} dist */
async function bundleSources(folder, dist) {
  /** @param {string} source */
  const sourcemapPathTransform = (source) => `../src/${basename(source)}`
  const bundle = await rolldown({
    input: join(folder, 'src', 'index.ts'),
    platform: 'node',
    external: /^node:/,
    experimental: { attachDebugInfo: 'none' },
  })
  // Lines and the names of functions stay, so that a stack trace can be read.
  const minify = { compress: false, mangle: { toplevel: false }, codegen: { removeWhitespace: false } }
  await bundle.write({ dir: dist, format: 'esm', sourcemap: true, sourcemapPathTransform, minify, comments: false })
  await bundle.close()
}

/** A declaration file and all that it imports. @param {string} entry @param {Set<string>} seen @returns {Set<string>} */
function reachableTypes(entry, seen = new Set()) {
  if (seen.has(entry)) return seen
  seen.add(entry)
  for (const [, target = ''] of readFileSync(entry, 'utf8').matchAll(/from '(\.[^']+)\.[jt]s'/g)) {
    reachableTypes(join(dirname(entry), `${target}.d.ts`), seen)
  }
  return seen
}

/** The folders below packages/ that hold a package. */
export function listPackages() {
  return readdirSync(join(root, 'packages')).filter((name) => existsSync(join(root, 'packages', name, 'package.json')))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const options = { out: { type: /** @type {const} */ ('string'), default: join(root, 'packs') } }
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  warnWithoutRepository()
  for (const name of positionals.length > 0 ? positionals.map((it) => basename(it)) : listPackages()) {
    console.log(`portico: packed ${relative(root, await packPackage(name, resolve(values.out)))}`)
  }
}
