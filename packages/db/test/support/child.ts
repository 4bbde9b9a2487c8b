import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A program of test/programs that runs in a process of its own, and is gone when the block ends. */
export interface Program extends AsyncDisposable {
  readonly process: ChildProcess
  readonly lines: string[]
  /** Waits for the first line that fits. */
  line(pattern: RegExp): Promise<string>
  /** Waits for the end; gives the exit code. */
  ended(): Promise<number | null>
  kill(): Promise<void>
}

export function runProgram(name: string, args: readonly string[], nodeArgs: readonly string[] = []): Program {
  const file = join(import.meta.dirname, '..', 'programs', `${name}.mjs`)
  const child = spawn(process.execPath, [...nodeArgs, file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  const waiting = new Set<() => void>()
  createInterface(child.stdout).on('line', (line) => {
    lines.push(line)
    for (const wake of waiting) wake()
  })
  // Not 'exit': what was printed before it has to be read first.
  const closed = once(child, 'close').then(([code]) => {
    for (const wake of waiting) wake()
    return code as number | null
  })
  return {
    process: child,
    lines,
    async line(pattern) {
      for (;;) {
        const found = lines.find((it) => pattern.test(it))
        if (found !== undefined) return found
        if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${name} ended: ${lines.join('\n')}`)
        await new Promise<void>((resolve) => waiting.add(resolve))
      }
    },
    ended: () => closed,
    async kill() {
      child.kill('SIGKILL')
      await closed
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await closed
    },
  }
}
