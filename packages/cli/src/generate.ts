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
  summary: 'write the TypeScript module beside each schema file',
  help: `Usage: portico generate [files and folders…] [options]

Compiles schema files and writes users.portico.ts beside users.portico.
Without files or folders it looks through the current folder.
Modules that would not change are not written again; on an error nothing is written.
A file that generate did not write is never overwritten, nor is one in another folder through a link.
Modules in these folders whose schema file is gone are removed.

Options:
  --check                    write nothing; exit 1 when a module is missing, stale or left over
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

/** What became of the modules. */
export interface Outcome {
  /** Modules that were written. */
  readonly written: readonly string[]
  /** Modules that are missing or differ, with `--check`. */
  readonly stale: readonly string[]
  readonly unchanged: readonly string[]
  /** Modules that were removed, since their schema files are gone. */
  readonly removed: readonly string[]
  /** Modules whose schema files are gone, with `--check`. */
  readonly orphaned: readonly string[]
  /** Files in the place of a module that `generate` did not write and so leaves alone, with `--check`. */
  readonly blocked: readonly string[]
}

async function runGenerate(invocation: Invocation): Promise<number> {
  const { cwd, options } = invocation
  if (options['check'] && options['watch']) throw new UsageError('--check and --watch do not go together')
  const compiler = new Compiler({
    read: (path) => readIfThere(resolve(cwd, path)),
    importExtension: readExtension(options['import-extension']),
  })
  if (options['watch']) return watchAndGenerate(invocation, compiler)
  const found = findAny(invocation)
  return finishRound(invocation, compiler.compile(found.files), found.orphans)
}

/** Finds the schema files. A folder that holds nothing but modules of schema files that are gone is worth a round. */
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
    const found = findSchemaFiles(cwd, paths, { missingIsFine: true })
    const result = compiler.compile(found.files)
    // A round in which nothing had to be compiled and no file came or went has nothing to tell.
    if (result.compiled.length > 0 || found.files.join('\n') !== known) {
      try {
        finishRound(invocation, result, found.orphans)
      } catch (error) {
        // A module that cannot be written now may be so after the next change.
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
  throw new UsageError(`--import-extension is js or ts, not ${String(value)}`)
}

/** Writes what a compilation gave, tells about it, and returns the exit code. */
function finishRound(invocation: Invocation, result: CompileResult, orphans: readonly string[]): number {
  const { cwd, options, terminal } = invocation
  const outcome = settle(cwd, result, orphans, options['check'] === true)
  if (options['json']) {
    terminal.out(JSON.stringify({ diagnostics: result.diagnostics, compiled: result.compiled, ...outcome }))
  } else showOutcome(invocation, result, outcome)
  return result.failed || isBehind(outcome) ? EXIT.problems : EXIT.ok
}

/** Whether the modules are not those of the schema files. */
export function isBehind({ stale, orphaned, blocked }: Outcome): boolean {
  return stale.length + orphaned.length + blocked.length > 0
}

/** What keeps a module from being written, as a sentence. */
export function describeBlocked(path: string): string {
  return `${path} was not written by \`portico generate\`, or is a link to another folder: move it away, since the module goes there`
}

/** Writes the modules that differ and removes those that are left over; `isCheck` only tells of them. */
export function settle(
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
  for (const path of outcome.removed) terminal.out(`removed ${path}: its schema file is gone`)
  for (const path of outcome.stale) terminal.err(`${path} is missing or stale: run \`portico generate\``)
  for (const path of outcome.orphaned) {
    terminal.err(`${path} is left over, its schema file is gone: run \`portico generate\``)
  }
  for (const path of outcome.blocked) terminal.err(describeBlocked(path))
  if (!result.failed && !isBehind(outcome)) {
    terminal.out(`${count(result.modules.length, 'module')}, ${outcome.unchanged.length} unchanged`)
  }
}
