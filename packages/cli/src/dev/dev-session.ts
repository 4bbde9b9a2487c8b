import { basename, relative, resolve } from 'node:path'
import { type CompileResult, Compiler } from '@portico/schema'
import { ConfigError } from '../config.ts'
import { findSchemaFiles, readIfThere } from '../files.ts'
import { settle } from '../generate.ts'
import { findMain, type LoadedConfig, loadConfig } from '../load-config.ts'
import { planDatabase } from '../plan-database.ts'
import { count } from '../shared/count.ts'
import { showDiagnostics } from '../show-diagnostics.ts'
import type { Terminal } from '../terminal.ts'
import { findChanges, listSources, type Sources, stampOf } from './list-sources.ts'
import { Program } from './program.ts'

export interface DevOptions {
  readonly config: LoadedConfig
  /** The module that starts the program. */
  readonly file: string
  readonly args: readonly string[]
  readonly importExtension: 'js' | 'ts'
  readonly terminal: Terminal
  readonly signal: AbortSignal
}

/** What is known between the changes of a `portico dev`. */
export class DevSession {
  readonly #options: DevOptions
  readonly #compiler: Compiler
  readonly #program: Program
  #config: LoadedConfig
  #file: string
  /** How often the configuration was read anew. */
  #version = 0
  /** Whether the configuration could not be read when it was last tried. */
  #isConfigDue = false
  #sources: Sources = { stamps: new Map(), folders: [] }
  /** What to show the sync plan of before the next start. */
  #unplanned: CompileResult | undefined
  #isStartDue = false
  #starting: Promise<void> | undefined

  constructor(options: DevOptions) {
    const { config, file, args, importExtension } = options
    this.#options = options
    this.#config = config
    this.#file = file
    this.#compiler = new Compiler({ read: (path) => readIfThere(resolve(config.folder, path)), importExtension })
    this.#program = new Program({
      args,
      cwd: config.folder,
      onEnd: (how) => this.#tell(`the program ${how}; it starts again after the next change`),
    })
  }

  /** Looks what changed and sees to it. Returns the folders to watch. */
  async look(): Promise<readonly string[]> {
    const isFirst = this.#sources.stamps.size === 0
    const changes = this.#findChanges()
    if (changes.length === 0) return this.#sources.folders
    if (!isFirst) this.#tellChanges(changes)
    if (await this.#follow(changes, isFirst)) this.#startSoon()
    return this.#sources.folders
  }

  /** Brings modules and configuration up to date; whether the program can start. */
  async #follow(changes: readonly string[], isFirst: boolean): Promise<boolean> {
    const isSchemaChanged = isFirst || changes.some((it) => it.endsWith('.portico') || it.endsWith('.portico.ts'))
    const isConfigDue = this.#isConfigDue || (!isFirst && changes.includes(this.#config.path))
    // Modules first: the configuration may import them.
    if (isSchemaChanged && !this.#generate() && !isConfigDue) return false
    // The sync plan is made with what the configuration imports, which may have changed since it was read.
    if (isConfigDue || (isSchemaChanged && !isFirst)) {
      this.#isConfigDue = !(await this.#reload())
      if (this.#isConfigDue) return false
    }
    if (!isConfigDue) return true
    // What the new configuration names is no further change.
    this.#findChanges()
    return this.#generate()
  }

  #findChanges(): string[] {
    const before = this.#sources.stamps
    this.#sources = listSources([this.#config.folder, ...this.#findSchema().folders])
    return findChanges(before, this.#sources.stamps)
  }

  /** Takes the configuration as it is now; whether it can be used. */
  async #reload(): Promise<boolean> {
    const { folder, path } = this.#config
    try {
      const config = await loadConfig(folder, path, `${++this.#version}`)
      this.#file = findMain(config)
      this.#config = config
      return true
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      this.#tell(error.message)
      this.#tell('the program goes on as it is until the configuration is mended')
      return false
    }
  }

  async end(): Promise<void> {
    await this.#starting
    await this.#program.stop()
  }

  #findSchema() {
    const { folder, schema = [] } = this.#config
    return findSchemaFiles(folder, typeof schema === 'string' ? [schema] : schema, { missingIsFine: true })
  }

  /** Writes the modules; whether there is no error. */
  #generate(): boolean {
    const config = this.#config
    const { terminal } = this.#options
    const { files, orphans, missing } = this.#findSchema()
    if (missing.length > 0) {
      this.#tell(`schema names ${missing.join(' and ')}, which is not there: mend it in ${basename(config.path)}`)
      return false
    }
    const result = this.#compiler.compile(files)
    showDiagnostics(result.diagnostics, config.folder, terminal)
    if (result.failed) {
      this.#tell('the program does not start again until the schema is mended')
      return false
    }
    try {
      const { written, removed } = settle(config.folder, result, orphans, false)
      for (const path of [...written, ...removed]) {
        this.#tell(`${removed.includes(path) ? 'removed' : 'wrote'} ${path}`)
        this.#restamp(resolve(config.folder, path))
      }
    } catch (error) {
      this.#tell((error as Error).message)
      return false
    }
    this.#unplanned = result
    return true
  }

  /** What was written here is no change. */
  #restamp(path: string): void {
    const stamp = stampOf(path)
    if (stamp === undefined) this.#sources.stamps.delete(path)
    else this.#sources.stamps.set(path, stamp)
  }

  /** Starts the program once what is going on is over; changes that come in the meantime are one start together. */
  #startSoon(): void {
    this.#isStartDue = true
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined
    })
  }

  async #start(): Promise<void> {
    const { signal } = this.#options
    while (this.#isStartDue && !signal.aborted) {
      this.#isStartDue = false
      await Promise.all([this.#showPlan(), this.#program.stop()])
      if (this.#isStartDue || signal.aborted) continue
      this.#tell(`starting ${relative(this.#config.folder, this.#file)}`)
      this.#program.start(this.#file)
    }
  }

  async #showPlan(): Promise<void> {
    const config = this.#config
    const { signal } = this.#options
    const result = this.#unplanned
    this.#unplanned = undefined
    if (!result || config.database === undefined) return
    try {
      const { differs, summary } = await planDatabase(config, result, signal)
      this.#tell(differs ? `a sync of the database would do this:\n${summary}` : summary)
    } catch (error) {
      // The program will say so itself if it cannot do without.
      if (!signal.aborted) this.#tell(`there is no sync plan: ${(error as Error).message}`)
    }
  }

  #tellChanges(changes: readonly string[]): void {
    const config = this.#config
    const [first = '', ...others] = changes.map((it) => relative(config.folder, it))
    this.#tell(`${first}${others.length > 0 ? ` and ${count(others.length, 'other file')}` : ''} changed`)
  }

  #tell(line: string): void {
    const { err, colors } = this.#options.terminal
    err(colors ? colors.dim(`portico: ${line}`) : `portico: ${line}`)
  }
}
