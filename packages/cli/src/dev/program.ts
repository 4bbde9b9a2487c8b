import { type ChildProcess, spawn } from 'node:child_process'
import { killGroup, pipeVariable, stopTimeoutMs } from './kill-group.ts'

export interface ProgramOptions {
  readonly args: readonly string[]
  readonly cwd: string
  /** Called when it ends on its own. `how` is a message such as `exited with code 1`. */
  readonly onEnd: (how: string) => void
}

/**
 * A program that can be restarted. It runs in its own process group: Ctrl-C does not reach it directly, and `stop` also
 * ends its child processes.
 */
export class Program {
  readonly #options: ProgramOptions
  #child: ChildProcess | undefined
  #closed: Promise<void> = Promise.resolve()

  constructor(options: ProgramOptions) {
    this.#options = options
  }

  /** Starts a JavaScript or TypeScript module. */
  start(file: string): void {
    const { args, cwd, onEnd } = this.#options
    // The loader compiles TypeScript with the decorator metadata that controllers need.
    const loader = /\.[cm]?tsx?$/.test(file) ? ['--import', import.meta.resolve('@oxc-node/core/register')] : []
    const watch = ['--import', import.meta.resolve('./end-with-dev.js')]
    const child = spawn(process.execPath, ['--enable-source-maps', ...watch, ...loader, file, ...args], {
      cwd,
      env: { ...process.env, [pipeVariable]: '3' },
      stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
      detached: process.platform !== 'win32',
    })
    this.#child = child
    // Leave nothing running when this process exits. If it is killed, the preloaded module ends the program.
    const abandon = (): void => killGroup(child.pid, 'SIGKILL')
    process.on('exit', abandon)
    this.#closed = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        process.off('exit', abandon)
        // End remaining child processes now: later the group id may belong to someone else.
        abandon()
        const isAsked = this.#child !== child
        if (!isAsked) this.#child = undefined
        resolve()
        if (!isAsked) onEnd(signal === null ? `exited with code ${code}` : `was killed by ${signal}`)
      })
    })
  }

  /** Sends SIGTERM, and SIGKILL after a timeout. Resolves when the program has ended. */
  async stop(): Promise<void> {
    if (!this.#child) return this.#closed
    const child = this.#child
    this.#child = undefined
    killGroup(child.pid, 'SIGTERM')
    const timer = setTimeout(() => killGroup(child.pid, 'SIGKILL'), stopTimeoutMs)
    await this.#closed
    clearTimeout(timer)
  }
}
