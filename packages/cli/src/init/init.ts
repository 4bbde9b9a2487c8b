import {
  closeSync,
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
  summary: 'make a new app in an empty folder',
  help: `Usage: portico init [folder] [options]

Makes a small app that starts: a table, its routes, a controller, a test, and the configuration of portico.
Without a folder it takes the current one. A folder that holds anything but .git is refused, and stays as it is.

Options:
  --name <name>  the name of the package (default: that of the folder)
  --json         results as JSON on the output

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
  else terminal.out(describe(names, relative(cwd, folder)))
  return EXIT.ok
}

function checkEmpty(folder: string, given: string): void {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (!found) return
  if (!found.isDirectory()) throw new UsageError(`${given} is a file; init needs an empty folder`)
  const [first] = readdirSync(folder).filter((it) => it !== '.git')
  if (first !== undefined) {
    throw new UsageError(`${given} is not empty: there is ${first}. Nothing was changed; init needs an empty folder`)
  }
}

/** Writes all of the files or none: half an app would be in the way of the next try. */
function writeFiles(folder: string, files: ReadonlyMap<string, string>): void {
  const undo: (() => void)[] = []
  try {
    for (const [path, text] of files) {
      const file = join(folder, path)
      const made = mkdirSync(dirname(file), { recursive: true })
      if (made !== undefined) undo.push(() => rmdirSync(made))
      // Made anew: what somebody else puts there at this very moment is not overwritten.
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

/** A folder stays where somebody else has put something into it. */
function attempt(step: () => void): void {
  try {
    step()
  } catch {}
}

/** The files of a new app by their paths, with `/` between their parts. */
function makeFiles(name: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  for (const path of listFiles(template)) {
    const text = readFileSync(join(template, path), 'utf8')
    // A package that is packed leaves out what is called .gitignore.
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

/** The packages of portico fit each other when they are of one version: that of this command. */
function makeManifest(text: string, name: string): string {
  const { version } = JSON.parse(readFileSync(join(template, '..', 'package.json'), 'utf8')) as { version: string }
  const manifest = JSON.parse(text) as Record<string, Record<string, string>>
  for (const group of ['dependencies', 'devDependencies']) {
    for (const it of Object.keys(manifest[group] ?? {}))
      if (it.startsWith('@portico/')) manifest[group]![it] = `^${version}`
  }
  return `${JSON.stringify({ ...manifest, name }, null, 2)}\n`
}

/** A folder as a shell takes it, however it is called. */
function quoteForShell(folder: string): string {
  return /^[\w./@+~:\\][\w./@+~:\\-]*$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`
}

function describe(files: readonly string[], folder: string): string {
  const steps = [...(folder === '' ? [] : [`cd ${quoteForShell(folder)}`]), 'npm install', 'npm run dev']
  return `${files.map((it) => `wrote ${it}`).join('\n')}

A new app is ready${folder === '' ? '' : ` in ${folder}`}. Next:

${steps.map((it) => `  ${it}`).join('\n')}

Its README.md tells the rest.`
}
