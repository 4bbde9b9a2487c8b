import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFerret, findMongo } from '../../scripts/environment.mjs'
import { findPort } from './server-process.ts'

/** A test server that speaks MongoDB's protocol. It ends with the process that started it. */
export interface MongoServer extends AsyncDisposable {
  /** Without a database. */
  readonly url: string
  readonly port: number
}

/** The installed servers: tests that need one are skipped with `describe.skipIf(…)`. */
export const mongoFound: { path: string } | undefined = findMongo()
export const ferretFound: { path: string } | undefined = findFerret()

/** mongo-java-server, in memory. */
export async function startMongo(): Promise<MongoServer> {
  if (!mongoFound) throw new Error('no mongo-java-server was found on this machine')
  const { path } = mongoFound
  const program = join(import.meta.dirname, 'mongo-java-server.java')
  // It runs for seconds, so the optimizing compiler would only cost time.
  return start('java', (port) => ['-XX:TieredStopAtLevel=1', '-cp', join(path, '*'), program, String(port)])
}

/** FerretDB on SQLite files in its own folder. */
export async function startFerret(): Promise<MongoServer> {
  if (!ferretFound) throw new Error('no FerretDB was found on this machine')
  const folder = mkdtempSync(join(tmpdir(), 'portico-ferretdb-'))
  const server = await start(ferretFound.path, (port) => [`127.0.0.1:${port}`, folder])
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function start(command: string, args: (port: number) => string[]): Promise<MongoServer> {
  const port = await findPort()
  const child = spawn(command, args(port), { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const killWithUs = (): void => void child.kill('SIGKILL')
  process.once('exit', killWithUs)
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
    process.off('exit', killWithUs)
  }
  try {
    await waitUntilReady(port, () => child.exitCode !== null)
  } catch (error) {
    await stop()
    throw error
  }
  return { url: `mongodb://127.0.0.1:${port}`, port, [Symbol.asyncDispose]: stop }
}

async function waitUntilReady(port: number, hasEnded: () => boolean): Promise<void> {
  const deadline = Date.now() + 50_000
  while (Date.now() < deadline && !hasEnded()) {
    if (await accepts(port)) return
    await sleep(25)
  }
  throw new Error('the server did not start')
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      resolve(true)
      socket.destroy()
    })
    socket.once('error', () => resolve(false))
  })
}
