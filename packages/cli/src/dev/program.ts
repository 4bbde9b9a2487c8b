import { type ChildProcess, spawn } from 'node:child_process'
import { killGroup, patienceMs, pipeVariable } from './ending.ts'

export interface ProgramOptions {
  readonly args: readonly string[]
  readonly cwd: string
  /** Called when it ends by itself; `how` is told to people: `ended with code 1`. */
  readonly onEnd: (how: string) => void
}

/**
 * A program that is started and stopped again and again. It runs in a process group of its own: a Ctrl-C reaches it through
 * `stop` alone, and `stop` reaches what it started as well.
 */
export class Program {
  readonly #options: ProgramOptions
  #child: ChildProcess | undefined
  #closed: Promise<void> = Promise.resolve()

  constructor(options: ProgramOptions) {
    this.#options = options
  }

  /** Starts a module, TypeScript or not. */
  start(file: string): void {
    const { args, cwd, onEnd } = this.#options
    // The loader emits the decorator metadata that controllers rely on; plain JavaScript needs none.
    const loader = /\.[cm]?tsx?$/.test(file) ? ['--import', import.meta.resolve('@oxc-node/core/register')] : []
    const watch = ['--import', import.meta.resolve('./end-with-dev.js')]
    const child = spawn(process.execPath, ['--enable-source-maps', ...watch, ...loader, file, ...args], {
      cwd,
      env: { ...process.env, [pipeVariable]: '3' },
      stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
      detached: process.platform !== 'win32',
    })
    this.#child = child
    // However this process ends, it leaves nothing running; where it is killed outright, the program itself sees to it.
    const abandon = (): void => killGroup(child.pid, 'SIGKILL')
    process.on('exit', abandon)
    this.#closed = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        process.off('exit', abandon)
        // What it started and left behind ends with it. Later its number might be that of somebody else's group.
        abandon()
        const isAsked = this.#child !== child
        if (!isAsked) this.#child = undefined
        resolve()
        if (!isAsked) onEnd(signal === null ? `ended with code ${code}` : `was ended by ${signal}`)
      })
    })
  }

  /** Asks it to end, waits, and makes it end where it takes too long. */
  async stop(): Promise<void> {
    if (!this.#child) return this.#closed
    const child = this.#child
    this.#child = undefined
    killGroup(child.pid, 'SIGTERM')
    const impatience = setTimeout(() => killGroup(child.pid, 'SIGKILL'), patienceMs)
    await this.#closed
    clearTimeout(impatience)
  }
}
