import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A database server for tests, in its own folder. It ends with the process that started it. */
export interface ServerProcess extends AsyncDisposable {
  readonly url: string
  readonly port: number
  stop(): Promise<void>
  start(): Promise<void>
}

/** Database servers and their setup programs refuse to run as root. As root, they run as the user "nobody". */
export const nobody: { uid: number; gid: number } | undefined =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined

export interface ServerCommand {
  readonly file: string
  readonly args: readonly string[]
  readonly url: string
  readonly isReady: () => boolean | Promise<boolean>
  /** The signal for a clean shutdown. */
  readonly stopSignal: NodeJS.Signals
}

/** Starts a server. `prepare` fills its folder, and returns the command that starts it on a port. */
export async function startServer(
  name: string,
  prepare: (folder: string, port: number) => ServerCommand,
): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), `portico-${name}-`))
  if (nobody) chownSync(folder, nobody.uid, nobody.gid)
  const port = await findPort()
  const { file, args, url, isReady, stopSignal } = prepare(folder, port)
  let server: ChildProcess | undefined
  const start = async (): Promise<void> => {
    server = spawn(file, args, { ...nobody, cwd: folder, stdio: 'ignore' })
    for (let attempt = 0; !(await isReady()); attempt++) {
      if (attempt === 400) throw new Error(`${name} did not start`)
      await sleep(25)
    }
  }
  const stop = async (): Promise<void> => {
    const running = server
    server = undefined
    if (!running || running.exitCode !== null) return
    const ended = new Promise((resolve) => running.once('exit', resolve))
    running.kill(stopSignal)
    await ended
  }
  const killWithUs = (): void => void server?.kill('SIGKILL')
  process.once('exit', killWithUs)
  await start()
  return {
    url,
    port,
    start,
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
      process.off('exit', killWithUs)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A port that is free now. */
export function findPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
