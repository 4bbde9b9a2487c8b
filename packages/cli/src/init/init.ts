import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Compiler } from '@portico/schema'
import { type Command, EXIT, type Invocation, UsageError } from '../command.ts'
import { checkPackageName } from './package-name.ts'

/** `portico init` */
export const init: Command = {
  summary: 'create a new app in an empty folder',
  help: `Usage: portico init [folder] [options]

Creates a small working app: a table, its routes, a controller, a test and portico.config.ts.
Default: the current folder. The folder must be empty, except for .git.

Options:
  --name <name>  package name (default: the name of the folder)
  --json         print results as JSON

Examples:
  portico init notes
  portico init . --name @acme/notes`,
  options: { name: { type: 'string' } },
  run: runInit,
}

const template = fileURLToPath(new URL('../../template', import.meta.url))

async function runInit({ cwd, paths, options, terminal }: Invocation): Promise<number> {
  if (paths.length > 1) throw new UsageError('init takes one folder')
  const folder = resolve(cwd, paths[0] ?? '.')
  const given = options['name'] as string | undefined
  const name = checkPackageName(given ?? basename(folder), given === undefined)
  checkEmpty(folder, paths[0] ?? '.')
  const files = makeFiles(name)
  writeFiles(folder, files)
  const names = [...files.keys()]
  if (options['json']) terminal.out(JSON.stringify({ folder, name, files: names }))
  else terminal.out(describe(names, cwd, folder))
  return EXIT.ok
}

function checkEmpty(folder: string, given: string): void {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (!found) return
  if (!found.isDirectory()) throw new UsageError(`${given} is a file; init needs an empty folder`)
  const [first] = readdirSync(folder).filter((it) => it !== '.git')
  if (first !== undefined) {
    throw new UsageError(`${given} is not empty: it contains ${first}. Nothing was changed; init needs an empty folder`)
  }
}

/** Writes all files or none, so that a failed init can be repeated. */
function writeFiles(folder: string, files: ReadonlyMap<string, string>): void {
  const undo: (() => void)[] = []
  try {
    for (const [path, text] of files) {
      const file = join(folder, path)
      const made = mkdirSync(dirname(file), { recursive: true })
      if (made !== undefined) undo.push(() => rmdirSync(made))
      // `wx` never overwrites a file that appeared in the meantime.
      const opened = openSync(file, 'wx')
      undo.push(() => rmSync(file))
      try {
        writeFileSync(opened, text)
      } finally {
        closeSync(opened)
      }
    }
  } catch (error) {
    for (const step of undo.reverse()) attempt(step)
    throw error
  }
}

/** Ignores errors: a folder that is no longer empty stays. */
function attempt(step: () => void): void {
  try {
    step()
  } catch {}
}

/** The files of a new app by path, with `/` as separator. */
function makeFiles(name: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  for (const path of listFiles(template)) {
    const text = readFileSync(join(template, path), 'utf8')
    // npm leaves .gitignore out of packages, so the template has another name for it.
    if (path === 'gitignore') files.set('.gitignore', text)
    else if (path === 'package.json') files.set(path, makeManifest(text, name))
    else files.set(path, text.replaceAll('{{name}}', name))
  }
  const sources = [...files.keys()].filter((it) => it.endsWith('.portico'))
  const { modules } = new Compiler({ read: (path) => files.get(path) }).compile(sources)
  for (const { path, code } of modules) files.set(path, code)
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((it) => it.isFile())
    .map((it) => relative(folder, join(it.parentPath, it.name)).split(sep).join('/'))
}

/** All @portico packages get the version of this command. */
function makeManifest(text: string, name: string): string {
  const { version } = JSON.parse(readFileSync(join(template, '..', 'package.json'), 'utf8')) as { version: string }
  const manifest = JSON.parse(text) as Record<string, Record<string, string>>
  for (const group of ['dependencies', 'devDependencies']) {
    for (const it of Object.keys(manifest[group] ?? {}))
      if (it.startsWith('@portico/')) manifest[group]![it] = `^${version}`
  }
  return `${JSON.stringify({ ...manifest, name }, null, 2)}\n`
}

function quoteForShell(folder: string): string {
  return /^[\w./@+~:\\][\w./@+~:\\-]*$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`
}

function describe(files: readonly string[], cwd: string, folder: string): string {
  const path = relative(cwd, folder)
  const clone = findClone()
  const enter = path === '' ? [] : [`cd ${quoteForShell(path)}`]
  const install = clone === undefined ? ['npm install'] : installFromClone(clone, folder)
  return `${files.map((it) => `wrote ${it}`).join('\n')}

The new app is ready${path === '' ? '' : ` in ${path}`}. Next:

${[...enter, ...install, 'npm run dev'].map((it) => `  ${it}`).join('\n')}

See README.md for more.`
}

/** The Portico repository, if this command runs from a clone and not from an installed package. */
function findClone(): string | undefined {
  const folder = resolve(template, '../../..')
  return existsSync(join(folder, 'scripts', 'pack.mjs')) ? folder : undefined
}

/** The version in a clone may not be published, so the app installs tarballs of the packages. */
function installFromClone(clone: string, folder: string): string[] {
  const path = quoteForShell(relative(folder, clone).split(sep).join('/'))
  return [`npm run pack:all --prefix ${path}`, `npm install ${path}/packs/*.tgz`]
}
