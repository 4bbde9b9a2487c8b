import { existsSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type CompileResult, Compiler } from '@portico/schema'
import { type Command, EXIT, type Invocation, type OptionValue, UsageError } from './command.ts'
import { findSchemaFiles, isOwnedByOthers, noSchemaFiles, readIfThere, replaceFile, type SchemaFiles } from './files.ts'
import { untilInterrupted } from './interrupt.ts'
import { count } from './shared/count.ts'
import { showDiagnostics } from './show-diagnostics.ts'
import { watchFolders } from './watch.ts'

/** `portico generate` */
export const generate: Command = {
  summary: 'generate TypeScript modules from schema files',
  help: `Usage: portico generate [files and folders…] [options]

Compiles schema files and writes users.portico.ts next to users.portico.
Default: all schema files in the current folder.
Unchanged modules are not written again. If there is an error, nothing is written.
Files that generate did not write are never overwritten, nor are files that a link leads to in another folder.
Modules in these folders whose schema file no longer exists are removed.

Options:
  --check                    write nothing; exit with 1 if a module is missing, out of date or left over
  --watch                    keep running and compile after every change
  --import-extension <js|ts> extension in imports between modules (default: js)
  --json                     print results as JSON

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

/** The result of writing or checking modules. */
export interface Outcome {
  /** Modules that were written. */
  readonly written: readonly string[]
  /** With `--check`: modules that are missing or out of date. */
  readonly stale: readonly string[]
  readonly unchanged: readonly string[]
  /** Modules that were removed because their schema file no longer exists. */
  readonly removed: readonly string[]
  /** With `--check`: modules whose schema file no longer exists. */
  readonly orphaned: readonly string[]
  /** With `--check`: files at the path of a module that `generate` did not write. */
  readonly blocked: readonly string[]
}

async function runGenerate(invocation: Invocation): Promise<number> {
  const { cwd, options } = invocation
  if (options['check'] && options['watch']) throw new UsageError('--check and --watch cannot be combined')
  const compiler = new Compiler({
    read: (path) => readIfThere(resolve(cwd, path)),
    importExtension: readExtension(options['import-extension']),
  })
  if (options['watch']) return watchAndGenerate(invocation, compiler)
  const found = findAny(invocation)
  return finishRound(invocation, compiler.compile(found.files), found.orphans)
}

/** Finds the schema files. A folder with only left-over modules is processed, too, to remove them. */
function findAny({ cwd, paths }: Invocation): SchemaFiles {
  const found = findSchemaFiles(cwd, paths)
  if (found.files.length === 0 && found.orphans.length === 0) throw noSchemaFiles(paths)
  return found
}

async function watchAndGenerate(invocation: Invocation, compiler: Compiler): Promise<number> {
  const { cwd, paths, options, terminal } = invocation
  findAny(invocation)
  let known = ''
  const folders = new Set<string>()
  const round = (): readonly string[] => {
    const found = findSchemaFiles(cwd, paths, { allowMissing: true })
    const result = compiler.compile(found.files)
    // Print nothing if nothing was compiled and no file was added or removed.
    if (result.compiled.length > 0 || found.files.join('\n') !== known) {
      try {
        finishRound(invocation, result, found.orphans)
      } catch (error) {
        // Keep watching: the next change may fix it.
        terminal.err(`portico: ${(error as Error).message}`)
      }
      if (!options['json']) terminal.out(`watching ${count(found.files.length, 'schema file')}`)
    }
    known = found.files.join('\n')
    for (const path of result.compiled) folders.add(dirname(resolve(cwd, path)))
    return [...new Set([...found.folders, ...folders])].filter((it) => existsSync(it))
  }
  await untilInterrupted((signal) => watchFolders(signal, round))
  return EXIT.ok
}

export function readExtension(value: OptionValue): 'js' | 'ts' {
  if (value === undefined || value === 'js' || value === 'ts') return value ?? 'js'
  throw new UsageError(`--import-extension must be js or ts, not ${String(value)}`)
}

/** Writes the compiled modules, prints the outcome and returns the exit code. */
function finishRound(invocation: Invocation, result: CompileResult, orphans: readonly string[]): number {
  const { cwd, options, terminal } = invocation
  const outcome = writeModules(cwd, result, orphans, options['check'] === true)
  if (options['json']) {
    terminal.out(JSON.stringify({ diagnostics: result.diagnostics, compiled: result.compiled, ...outcome }))
  } else showOutcome(invocation, result, outcome)
  return result.failed || isOutdated(outcome) ? EXIT.problems : EXIT.ok
}

/** True if the modules do not match the schema files. */
export function isOutdated({ stale, orphaned, blocked }: Outcome): boolean {
  return stale.length + orphaned.length + blocked.length > 0
}

export function describeBlocked(path: string): string {
  return `${path} was not written by \`portico generate\` or is a link to another folder: move it, because the module goes there`
}

/** Writes modules that changed and removes left-over ones. With `isCheck` it only reports them. */
export function writeModules(
  cwd: string,
  { modules, failed }: CompileResult,
  orphans: readonly string[],
  isCheck: boolean,
): Outcome {
  const changed = modules.filter(({ path, code }) => readIfThere(resolve(cwd, path)) !== code)
  const blocked = changed.map((it) => it.path).filter((it) => isOwnedByOthers(resolve(cwd, it)))
  if (!isCheck && blocked.length > 0)
    throw new UsageError(`nothing was written: ${blocked.map(describeBlocked).join('; ')}`)
  const names = changed.map((it) => it.path).filter((it) => !blocked.includes(it))
  if (!isCheck) for (const { path, code } of changed) replaceFile(resolve(cwd, path), code)
  const unchanged = modules.map((it) => it.path).filter((it) => ![...names, ...blocked].includes(it))
  const removed = isCheck || failed ? [] : orphans
  for (const path of removed) rmSync(resolve(cwd, path))
  return {
    written: isCheck ? [] : names,
    stale: isCheck ? names : [],
    unchanged,
    removed,
    orphaned: isCheck ? orphans : [],
    blocked,
  }
}

function showOutcome({ cwd, terminal, options }: Invocation, result: CompileResult, outcome: Outcome): void {
  showDiagnostics(result.diagnostics, cwd, terminal)
  const broken = new Set(result.diagnostics.filter((it) => it.severity === 'error').map((it) => it.path))
  const compiled = options['watch'] ? result.compiled.filter((it) => !broken.has(it)) : []
  for (const path of compiled) terminal.out(`compiled ${path}`)
  for (const path of outcome.written) terminal.out(`wrote ${path}`)
  for (const path of outcome.removed) terminal.out(`removed ${path}: its schema file no longer exists`)
  for (const path of outcome.stale) terminal.err(`${path} is missing or out of date: run \`portico generate\``)
  for (const path of outcome.orphaned) {
    terminal.err(`${path} is left over (its schema file no longer exists): run \`portico generate\``)
  }
  for (const path of outcome.blocked) terminal.err(describeBlocked(path))
  if (!result.failed && !isOutdated(outcome)) {
    const written = outcome.written.length > 0 ? `${outcome.written.length} written, ` : ''
    terminal.out(`${count(result.modules.length, 'module')}: ${written}${outcome.unchanged.length} unchanged`)
  }
}
