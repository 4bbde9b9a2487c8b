import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { root } from '../../../../scripts/run.mjs'

const portico = join(root, 'packages', 'cli', 'bin', 'portico.js')

/** `script` runs a program in a terminal, on Linux and macOS. */
export const hasTerminals: boolean = (process.env['PATH'] ?? '')
  .split(delimiter)
  .some((folder) => existsSync(join(folder, 'script')))

export interface Terminal {
  readonly ended: Promise<number | null>
  /** The output so far. */
  shown(): string
  /** Waits until the screen shows this. */
  until(pattern: RegExp): Promise<RegExpMatchArray>
  type(text: string): void
}

/** Runs `portico` in a pseudo-terminal with `home` as the home folder. It is stopped when the test ends. */
export function openTerminal(home: string, ...args: string[]): Terminal {
  const command = [process.execPath, portico, ...args]
  const line = command.map((it) => `'${it}'`).join(' ')
  const own =
    process.platform === 'darwin'
      ? ['-q', '/dev/null', ...command]
      : ['--quiet', '--return', '--flush', '--command', line, '/dev/null']
  const { PORTICO_URL: _url, ...inherited } = process.env
  const env = { ...inherited, XDG_CONFIG_HOME: home, DISPLAY: '', WAYLAND_DISPLAY: '', NO_COLOR: '1', TERM: 'xterm' }
  const child = spawn('script', own, { cwd: home, env })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  return {
    ended,
    shown: () => text,
    async until(pattern) {
      await vi.waitUntil(() => pattern.test(text), { timeout: 30_000 })
      return text.match(pattern)!
    },
    type: (keys) => void child.stdin.write(keys),
  }
}
