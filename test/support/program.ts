import { type ChildProcess, spawn } from 'node:child_process'

/** A Node program in a separate process, which is killed when the block ends. */
export interface Program extends AsyncDisposable {
  readonly process: ChildProcess
  /** The complete lines of stdout and stderr so far. */
  readonly lines: readonly string[]
  /** Waits for the first matching line. Rejects if the program ends without one. */
  line(pattern: RegExp): Promise<string>
  readonly ended: Promise<Ended>
  /** Kills it and waits until it has ended. */
  kill(): Promise<void>
}

interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: string
}

interface ProgramOptions {
  readonly args?: readonly string[]
  /** Arguments for Node itself. */
  readonly nodeArgs?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  /** Called after the end of the block has stopped the program. */
  readonly cleanUp?: () => Promise<void>
}

export function startProgram(file: string, options: ProgramOptions = {}): Program {
  const { args = [], nodeArgs = [], env, cwd, cleanUp } = options
  const child = spawn(process.execPath, [...nodeArgs, file, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    cwd,
  })
  let output = ''
  const lines: string[] = []
  const waiting = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    let rest = ''
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
      const complete = (rest + chunk).split('\n')
      rest = complete.pop() ?? ''
      lines.push(...complete)
      for (const wake of waiting) wake()
    })
  }
  // Not 'exit', which may come before the last output was read.
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, output }))
  })
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  return {
    process: child,
    lines,
    ended,
    kill,
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = lines.find((it) => pattern.test(it))
          if (found === undefined) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
        void ended.then(() => reject(new Error(`the program ended without a line like ${pattern}:\n${output}`)))
      }),
    async [Symbol.asyncDispose]() {
      await kill()
      await cleanUp?.()
    },
  }
}
