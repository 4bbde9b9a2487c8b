import { resolve } from 'node:path'
import { type CompileResult, Compiler } from '@portico/schema'
import { type Command, EXIT, type Invocation, UsageError } from './command.ts'
import { findSchemaFiles, readIfThere, replaceFile } from './files.ts'
import { count, showDiagnostics } from './show-diagnostics.ts'
import { watchFolders } from './watch.ts'

/** `portico generate` */
export const generate: Command = {
  summary: 'write the TypeScript module beside each schema file',
  help: `Usage: portico generate [files and folders…] [options]

Compiles schema files and writes users.portico.ts beside users.portico.
Without files or folders it looks through the current folder.
Modules that would not change are not written again; on an error nothing is written.

Options:
  --check                    write nothing; exit 1 when a module is missing or stale
  --watch                    stay, and compile what changes
  --import-extension <js|ts> how modules import each other (default: js)
  --json                     results as JSON on the output

Examples:
  portico generate
  portico generate schema/ --watch
  portico generate --check          in continuous integration`,
  options: {
    check: { type: 'boolean' },
    watch: { type: 'boolean' },
    'import-extension': { type: 'string' },
  },
  run: runGenerate,
}

interface Outcome {
  /** Modules that were written. */
  readonly written: readonly string[]
  /** Modules that are missing or differ, with `--check`. */
  readonly stale: readonly string[]
  readonly unchanged: readonly string[]
}

async function runGenerate(invocation: Invocation): Promise<number> {
  const { cwd, options, terminal } = invocation
  if (options['check'] && options['watch']) throw new UsageError('--check and --watch do not go together')
  const compiler = new Compiler({
    read: (path) => readIfThere(resolve(cwd, path)),
    importExtension: readExtension(options['import-extension']),
  })
  if (!options['watch']) return round(invocation, compiler, findFiles(invocation).files)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  let known = new Set<string>()
  await watchFolders(stop.signal, () => {
    const { files, folders } = findSchemaFiles(cwd, invocation.paths)
    const names = new Set(files)
    round(invocation, compiler, files, known.size === names.size && files.every((it) => known.has(it)))
    known = names
    if (!options['json']) terminal.err(`watching ${count(files.length, 'schema file')}`)
    return folders
  })
  return EXIT.ok
}

function readExtension(value: string | boolean | undefined): 'js' | 'ts' {
  if (value === undefined || value === 'js' || value === 'ts') return value ?? 'js'
  throw new UsageError(`--import-extension is js or ts, not ${value}`)
}

function findFiles({ cwd, paths }: Invocation): { files: readonly string[] } {
  const found = findSchemaFiles(cwd, paths)
  if (found.files.length === 0) throw new UsageError(`no schema files (*.portico) in ${paths.join(', ') || '.'}`)
  return found
}

/** Compiles once. In watch mode a round in which nothing had to be compiled says nothing. */
function round(invocation: Invocation, compiler: Compiler, files: readonly string[], quiet = false): number {
  const { cwd, options, terminal } = invocation
  const result = compiler.compile(files)
  if (quiet && result.compiled.length === 0) return EXIT.ok
  const outcome = settle(cwd, result, options['check'] === true)
  if (options['json']) {
    terminal.out(JSON.stringify({ diagnostics: result.diagnostics, compiled: result.compiled, ...outcome }))
  } else showOutcome(invocation, result, outcome)
  return result.failed || outcome.stale.length > 0 ? EXIT.problems : EXIT.ok
}

function settle(cwd: string, { modules }: CompileResult, isCheck: boolean): Outcome {
  const changed = modules.filter(({ path, code }) => readIfThere(resolve(cwd, path)) !== code)
  const names = changed.map((it) => it.path)
  if (!isCheck) for (const { path, code } of changed) replaceFile(resolve(cwd, path), code)
  const unchanged = modules.map((it) => it.path).filter((it) => !names.includes(it))
  return { written: isCheck ? [] : names, stale: isCheck ? names : [], unchanged }
}

function showOutcome({ cwd, terminal, options }: Invocation, result: CompileResult, outcome: Outcome): void {
  showDiagnostics(result.diagnostics, cwd, terminal)
  if (options['watch']) for (const path of result.compiled) terminal.err(`compiled ${path}`)
  for (const path of outcome.written) terminal.out(`wrote ${path}`)
  for (const path of outcome.stale) terminal.err(`${path} is missing or stale: run \`portico generate\``)
  if (!result.failed && outcome.stale.length === 0) {
    terminal.out(`${count(result.modules.length, 'module')}, ${outcome.unchanged.length} unchanged`)
  }
}
