import { basename, relative, resolve } from 'node:path'
import { type CompileResult, Compiler } from '@portico/schema'
import { ConfigError } from '../config.ts'
import { findSchemaFiles, readIfThere } from '../files.ts'
import { writeModules } from '../generate.ts'
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

/** The state of `portico dev` between changes. */
export class DevSession {
  readonly #options: DevOptions
  readonly #compiler: Compiler
  readonly #program: Program
  #config: LoadedConfig
  #file: string
  /** Increases each time the configuration is loaded again. */
  #version = 0
  /** True if the configuration failed to load the last time. */
  #isConfigDue = false
  #sources: Sources = { stamps: new Map(), folders: [] }
  /** The compiled schema whose sync plan is shown before the next start. */
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
      onEnd: (how) => this.#log(`the program ${how}; it restarts after the next change`),
    })
  }

  /** Handles all changes since the last call. Returns the folders to watch. */
  async update(): Promise<readonly string[]> {
    const isFirst = this.#sources.stamps.size === 0
    const changes = this.#findChanges()
    if (changes.length === 0) return this.#sources.folders
    if (!isFirst) this.#logChanges(changes)
    if (await this.#apply(changes, isFirst)) this.#startSoon()
    return this.#sources.folders
  }

  /** Updates modules and configuration. Returns true if the program can start. */
  async #apply(changes: readonly string[], isFirst: boolean): Promise<boolean> {
    const isSchemaChanged = isFirst || changes.some((it) => it.endsWith('.portico') || it.endsWith('.portico.ts'))
    const isConfigDue = this.#isConfigDue || (!isFirst && changes.includes(this.#config.path))
    // Modules first, because the configuration may import them.
    if (isSchemaChanged && !this.#generate() && !isConfigDue) return false
    // The sync plan uses modules that the configuration imports, and those may have changed.
    if (isConfigDue || (isSchemaChanged && !isFirst)) {
      this.#isConfigDue = !(await this.#reload())
      if (this.#isConfigDue) return false
    }
    if (!isConfigDue) return true
    // Update the file list: paths from the new configuration are not changes.
    this.#findChanges()
    return this.#generate()
  }

  #findChanges(): string[] {
    const before = this.#sources.stamps
    this.#sources = listSources([this.#config.folder, ...this.#findSchema().folders])
    return findChanges(before, this.#sources.stamps)
  }

  /** Loads the configuration again. Returns true on success. */
  async #reload(): Promise<boolean> {
    const { folder, path } = this.#config
    try {
      const config = await loadConfig(folder, path, `${++this.#version}`)
      this.#file = findMain(config)
      this.#config = config
      return true
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      this.#log(error.message)
      this.#log('the program keeps running unchanged until the configuration is fixed')
      return false
    }
  }

  async end(): Promise<void> {
    await this.#starting
    await this.#program.stop()
  }

  #findSchema() {
    const { folder, schema = [] } = this.#config
    return findSchemaFiles(folder, typeof schema === 'string' ? [schema] : schema, { allowMissing: true })
  }

  /** Writes the modules. Returns true if there is no error. */
  #generate(): boolean {
    const config = this.#config
    const { terminal } = this.#options
    const { files, orphans, missing } = this.#findSchema()
    if (missing.length > 0) {
      this.#log(`schema path ${missing.join(' and ')} does not exist: fix schema in ${basename(config.path)}`)
      return false
    }
    const result = this.#compiler.compile(files)
    showDiagnostics(result.diagnostics, config.folder, terminal)
    if (result.failed) {
      this.#log('the program restarts once the schema is fixed')
      return false
    }
    try {
      const { written, removed } = writeModules(config.folder, result, orphans, false)
      for (const path of [...written, ...removed]) {
        this.#log(`${removed.includes(path) ? 'removed' : 'wrote'} ${path}`)
        this.#restamp(resolve(config.folder, path))
      }
    } catch (error) {
      this.#log((error as Error).message)
      return false
    }
    this.#unplanned = result
    return true
  }

  /** Records a file that was written here, so that it does not count as a change. */
  #restamp(path: string): void {
    const stamp = stampOf(path)
    if (stamp === undefined) this.#sources.stamps.delete(path)
    else this.#sources.stamps.set(path, stamp)
  }

  /** Schedules a start. Changes that arrive while one is in progress lead to a single restart. */
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
      this.#log(`starting ${relative(this.#config.folder, this.#file)}`)
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
      const { differs, description } = await planDatabase(config, result, signal)
      this.#log(differs ? `a sync would make these changes to the database:\n${description}` : description)
    } catch (error) {
      // Not an error here: the program reports it if it needs the database.
      if (!signal.aborted) this.#log(`no sync plan: ${(error as Error).message}`)
    }
  }

  #logChanges(changes: readonly string[]): void {
    const config = this.#config
    const [first = '', ...others] = changes.map((it) => relative(config.folder, it))
    this.#log(`${first}${others.length > 0 ? ` and ${count(others.length, 'other file')}` : ''} changed`)
  }

  #log(line: string): void {
    const { err, colors } = this.#options.terminal
    err(colors ? colors.dim(`portico: ${line}`) : `portico: ${line}`)
  }
}
