import { parseFile } from './2-parse/parse-file.ts'
import type { FileSyntax } from './2-parse/syntax.ts'
import { check } from './3-check/check.ts'
import { checkPhysicalNames } from './3-check/check-program.ts'
import type { FileToCheck } from './3-check/scope.ts'
import { type EmitOptions, emitModule } from './4-emit/emit-module.ts'
import { dropCascadingCheckErrors, dropCascadingSyntaxErrors } from './diagnostics/cascading-errors.ts'
import { type Diagnostic, Report } from './diagnostics/report.ts'
import type { FileModel } from './model.ts'
import { resolveImport } from './paths.ts'
import { SourceFile } from './source.ts'

/** One schema file as text. */
export interface SchemaSource {
  /** Uses `/` as separator. Imports are resolved relative to it. */
  readonly path: string
  readonly text: string
}

/** A TypeScript module to write next to its schema file. */
export interface GeneratedModule {
  /** The path of the schema file plus `.ts`. */
  readonly path: string
  readonly code: string
}

export interface CompileResult {
  /** All problems, file by file in source order. */
  readonly diagnostics: readonly Diagnostic[]
  /** True if at least one of them is an error. */
  readonly failed: boolean
  /** One per requested file, in that order. Empty if there is an error. */
  readonly modules: readonly GeneratedModule[]
  /** The models of the requested files, in that order. */
  readonly models: readonly FileModel[]
  /** The paths that were compiled this time. The rest came from the cache. */
  readonly compiled: readonly string[]
}

export interface CompilerOptions extends EmitOptions {
  /** Reads a schema file. Returns `undefined` if it does not exist. */
  readonly read: (path: string) => string | undefined
}

/**
 * Compiles schema files that are given as text.
 *
 * ```ts
 * const { diagnostics, modules } = compile([{ path: 'users.portico', text }])
 * ```
 */
export function compile(sources: readonly SchemaSource[], options: EmitOptions = {}): CompileResult {
  const texts = new Map(sources.map((it) => [it.path, it.text]))
  return new Compiler({ ...options, read: (path) => texts.get(path) }).compile(sources.map((it) => it.path))
}

interface LoadedFile {
  readonly text: string
  readonly syntax: FileSyntax
  /** All problems found by the lexer and the parser. */
  readonly parsed: Report
  /** The same problems without cascading ones. */
  readonly syntaxErrors: readonly Diagnostic[]
  readonly imports: readonly (string | undefined)[]
}

interface CheckedFile {
  readonly loaded: LoadedFile
  /** All direct and indirect imports, to detect changes in them. */
  readonly dependencies: ReadonlyMap<string, LoadedFile>
  readonly model: FileModel
  readonly diagnostics: readonly Diagnostic[]
  readonly failed: boolean
  code: string | undefined
}

/**
 * An incremental compiler: recompiles only files that changed, import a changed file, or have errors.
 *
 * ```ts
 * const compiler = new Compiler({ read: (path) => files.get(path) })
 * const { modules, compiled } = compiler.compile(['users.portico', 'teams.portico'])
 * ```
 */
export class Compiler {
  readonly #options: CompilerOptions
  #loaded: Map<string, LoadedFile> = new Map()
  #checked: Map<string, CheckedFile> = new Map()

  constructor(options: CompilerOptions) {
    this.#options = options
  }

  compile(paths: readonly string[]): CompileResult {
    const missing = this.#load(paths)
    const compiled = this.#check()
    const files = [...this.#checked.values()]
    const global = checkPhysicalNames(files.map((it) => ({ model: it.model, syntax: it.loaded.syntax })))
    const diagnostics = [...missing, ...files.flatMap((it) => withGlobal(it, global))]
    const failed = diagnostics.some((it) => it.severity === 'error') || files.some((it) => it.failed)
    const wanted = [...new Set(paths)].flatMap((path) => this.#checked.get(path) ?? [])
    return {
      diagnostics,
      failed,
      modules: failed ? [] : wanted.map((it) => this.#emit(it)),
      models: wanted.map((it) => it.model),
      compiled,
    }
  }

  /** Reads and parses the files and their imports. Unchanged files are reused. */
  #load(paths: readonly string[]): Diagnostic[] {
    const before = this.#loaded
    const after = new Map<string, LoadedFile>()
    const queue = [...new Set(paths)]
    const missing: Diagnostic[] = []
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      if (after.has(path)) continue
      const text = this.#options.read(path)
      if (text === undefined) {
        if (paths.includes(path)) missing.push(reportMissingFile(path))
        continue
      }
      const known = before.get(path)
      const file = known?.text === text ? known : load(path, text)
      after.set(path, file)
      for (const other of file.imports) if (other !== undefined && !after.has(other)) queue.push(other)
    }
    this.#loaded = after
    return missing
  }

  /** Checks the files that changed or have errors, and all files that import them directly or indirectly. */
  #check(): string[] {
    const closures = findClosures(this.#loaded)
    const fresh = new Map<string, CheckedFile>()
    const stale: string[] = []
    for (const [path, loaded] of this.#loaded) {
      const known = this.#checked.get(path)
      const closure = closures.get(path)!
      const isUnchanged = known?.loaded === loaded && isSame(known.dependencies, closure)
      if (isUnchanged && !this.#hasFailed([path, ...closure.keys()])) fresh.set(path, known)
      else stale.push(path)
    }
    const known = new Map([...fresh].map(([path, file]) => [path, file.model]))
    const files = stale.map((path) => this.#toCheck(this.#loaded.get(path)!))
    const models = check(files, known)
    for (const [index, path] of stale.entries()) {
      const { report } = files[index]!
      const loaded = this.#loaded.get(path)!
      fresh.set(path, {
        loaded,
        dependencies: closures.get(path)!,
        model: models[index]!,
        diagnostics: inOrder([
          ...loaded.syntaxErrors,
          ...dropCascadingCheckErrors(report.list(), loaded.parsed.list(), loaded.syntax),
        ]),
        failed: loaded.parsed.failed || report.failed,
        code: undefined,
      })
    }
    this.#checked = new Map([...this.#loaded.keys()].map((path) => [path, fresh.get(path)!]))
    return stale
  }

  /** The model of a file with errors may lack parts, so its importers are checked again. */
  #hasFailed(paths: readonly string[]): boolean {
    return paths.some((path) => this.#checked.get(path)?.failed)
  }

  #toCheck({ syntax, imports }: LoadedFile): FileToCheck {
    const report = new Report(syntax.source)
    const found = imports.map((path, index) => {
      const { from } = syntax.imports[index]!
      if (path === undefined) report.add('bad_import_path', from.span, from.value)
      else if (!this.#loaded.has(path)) report.add('file_not_found', from.span, path)
      else return path
      return undefined
    })
    return { syntax, report, imports: found }
  }

  #emit(file: CheckedFile): GeneratedModule {
    file.code ??= emitModule(file.model, this.#options)
    return { path: `${file.model.path}.ts`, code: file.code }
  }
}

function load(path: string, text: string): LoadedFile {
  const parsed = new Report(new SourceFile(path, text))
  const { syntax } = parseFile(parsed)
  const imports = syntax.imports.map((it) => resolveImport(path, it.from.value))
  return { text, syntax, parsed, syntaxErrors: dropCascadingSyntaxErrors(parsed.list()), imports }
}

/** A requested file that does not exist: reported on an empty source with its path. */
function reportMissingFile(path: string): Diagnostic {
  const report = new Report(new SourceFile(path, ''))
  report.add('file_not_found', { start: 0, end: 0 }, path)
  return report.list()[0]!
}

function withGlobal({ model, diagnostics }: CheckedFile, global: readonly Diagnostic[]): readonly Diagnostic[] {
  const own = global.filter((it) => it.path === model.path)
  return own.length === 0 ? diagnostics : inOrder([...diagnostics, ...own])
}

function inOrder(diagnostics: Diagnostic[]): Diagnostic[] {
  return diagnostics.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end)
}

/** All direct and indirect imports of each file. Files without imports share one empty map. */
function findClosures(files: ReadonlyMap<string, LoadedFile>): Map<string, ReadonlyMap<string, LoadedFile>> {
  const none: ReadonlyMap<string, LoadedFile> = new Map()
  return new Map([...files].map(([path, file]) => [path, file.imports.length === 0 ? none : closureOf(file, files)]))
}

function closureOf(file: LoadedFile, files: ReadonlyMap<string, LoadedFile>): Map<string, LoadedFile> {
  const found = new Map<string, LoadedFile>()
  const queue = [file]
  for (let next = queue.pop(); next; next = queue.pop()) {
    for (const path of next.imports) {
      const other = path === undefined ? undefined : files.get(path)
      if (path === undefined || !other || found.has(path)) continue
      found.set(path, other)
      queue.push(other)
    }
  }
  return found
}

function isSame(before: ReadonlyMap<string, LoadedFile>, after: ReadonlyMap<string, LoadedFile>): boolean {
  if (before.size !== after.size) return false
  for (const [path, file] of after) if (before.get(path) !== file) return false
  return true
}
