import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const program = fileURLToPath(new URL('../../bin/portico.js', import.meta.url))

/** A folder with files in it that is removed when the test ends, however it ends. */
export function makeFolder(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'portico-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

export interface Run {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs `portico` as a process of its own and waits for it. */
export function portico(cwd: string, ...args: string[]): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { cwd, encoding: 'utf8' })
  return { code: status, out: stdout, err: stderr }
}

/** Runs `portico` with a text on its standard input. */
export function porticoWithInput(cwd: string, input: string, ...args: string[]): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { cwd, input, encoding: 'utf8' })
  return { code: status, out: stdout, err: stderr }
}

/** Starts `portico` and leaves it running; it ends with the test at the latest. */
export function startPortico(cwd: string, ...args: string[]): RunningPortico {
  return new RunningPortico(spawn(process.execPath, [program, ...args], { cwd }))
}

export class RunningPortico {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #closed: Promise<number | null>
  #text = ''

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child
    this.#closed = new Promise((resolve) => child.once('close', resolve))
    const collect = (chunk: Buffer): void => {
      this.#text += chunk.toString()
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await this.#closed
    })
  }

  /** Waits until the text has come out, and returns what came since the last call, up to and with it. */
  async until(text: string): Promise<string> {
    const deadline = Date.now() + 15_000
    while (!this.#text.includes(text)) {
      if (Date.now() > deadline) throw new Error(`"${text}" never came; this did:\n${this.#text}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    const end = this.#text.indexOf(text) + text.length
    const seen = this.#text.slice(0, end)
    this.#text = this.#text.slice(end)
    return seen
  }

  /** Asks it to end, as Ctrl+C does, and returns its exit code. */
  async interrupt(): Promise<number | null> {
    this.#child.kill('SIGINT')
    return this.#closed
  }
}
