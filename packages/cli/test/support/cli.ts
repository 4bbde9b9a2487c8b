import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

export const program: string = fileURLToPath(new URL('../../bin/portico.js', import.meta.url))

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

/** A user with a separate settings folder. Without a display, no browser opens. */
export class User {
  readonly home: string = makeFolder({})
  readonly folder: string
  readonly env: NodeJS.ProcessEnv

  constructor(files: Readonly<Record<string, string>> = {}) {
    this.folder = makeFolder(files)
    const { PORTICO_URL: _, ...env } = process.env
    this.env = { ...env, XDG_CONFIG_HOME: this.home, DISPLAY: '', WAYLAND_DISPLAY: '', NO_COLOR: '1' }
  }

  start(...args: string[]): RunningPortico {
    return new RunningPortico(spawn(process.execPath, [program, ...args], { cwd: this.folder, env: this.env }))
  }

  /** Runs `portico` without holding up this process, whose servers it may talk to. */
  async run(...args: string[]): Promise<Run> {
    const child = spawn(process.execPath, [program, ...args], { cwd: this.folder, env: this.env })
    const [code, out, err] = await Promise.all([
      new Promise<number | null>((resolve) => child.once('close', resolve)),
      text(child.stdout),
      text(child.stderr),
    ])
    return { code, out, err }
  }
}

export class RunningPortico {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #closed: Promise<number | null>
  readonly #waiting: (() => void)[] = []
  #hasClosed = false
  #text = ''
  /** Everything that has come out so far. */
  seen = ''

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child
    const wake = (): void => {
      for (const resolve of this.#waiting.splice(0)) resolve()
    }
    this.#closed = new Promise((resolve) => child.once('close', resolve))
    void this.#closed.then(() => {
      this.#hasClosed = true
      wake()
    })
    const collect = (chunk: Buffer): void => {
      this.#text += chunk.toString()
      this.seen += chunk.toString()
      wake()
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    onTestFinished(async () => {
      // Asked first, so that it ends what it has started itself.
      child.kill('SIGTERM')
      const impatience = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await this.#closed
      clearTimeout(impatience)
    })
  }

  /** Waits until the text has come out, and returns what came since the last call, up to and with it. */
  async until(text: string): Promise<string> {
    while (!this.#text.includes(text)) {
      if (this.#hasClosed) throw new Error(`"${text}" never came; this did:\n${this.#text}`)
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    const end = this.#text.indexOf(text) + text.length
    const seen = this.#text.slice(0, end)
    this.#text = this.#text.slice(end)
    return seen
  }

  /** Waits until it has ended. Returns the exit code and the output since the last call. */
  async ended(): Promise<{ code: number | null; text: string }> {
    return { code: await this.#closed, text: this.#text }
  }

  /** Asks it to end, as Ctrl+C does, and returns its exit code. */
  async interrupt(): Promise<number | null> {
    this.#child.kill('SIGINT')
    return this.#closed
  }

  /** Kills it outright, and waits until nothing holds its output any more: neither it nor what it started. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#closed
  }
}
