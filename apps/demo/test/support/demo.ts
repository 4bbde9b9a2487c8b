import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const main: string = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** A folder that is removed when the test ends. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'portico-demo-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

interface Ended {
  readonly code: number | null
  readonly output: string
}

export interface Demo {
  /** The URL of the app. Rejects if the program ends before it prints one. */
  readonly address: Promise<string>
  readonly ended: Promise<Ended>
  output(): string
  /** Stops it like Ctrl-C. */
  stop(): Promise<Ended>
}

/**
 * Runs the program of `npm start` without a display. It is stopped when the test ends. `by` is a command that runs the
 * program.
 */
export function startDemo(args: readonly string[], env: NodeJS.ProcessEnv, by: readonly string[] = []): Demo {
  const [command = '', ...rest] = [...by, process.execPath, main, ...args]
  const child = spawn(command, rest, {
    env: { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '', PORTICO_DATABASE_URL: '', ...env },
  })
  let output = ''
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => resolve({ code, output }))
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const address = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk
        // Wait for the last line, so that a test that stops the program sees the whole output.
        const [, found] = output.match(/^The task tracker runs at (http\S+)[\s\S]*Ctrl-C stops/) ?? []
        if (found !== undefined) resolve(found)
      })
    }
    void ended.then(() => reject(new Error(`ended without an address:\n${output}`)))
  })
  address.catch(() => {})
  const stop = (): Promise<Ended> => {
    child.kill('SIGINT')
    return ended
  }
  return { address, ended, output: () => output, stop }
}
