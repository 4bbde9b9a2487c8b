import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPostgres } from '../../scripts/environment.mjs'
import { findPort, nobody } from './server-process.ts'

/** A PostgreSQL server of the tests' own, in a folder of its own; it ends with the process that started it. */
export interface PostgresServer extends AsyncDisposable {
  readonly url: string
  readonly port: number
  stop(): Promise<void>
  start(): Promise<void>
}

/** Where PostgreSQL is, or `undefined`: tests that need it are left out with `describe.skipIf(!postgresFound)`. */
export const postgresFound: { path: string } | undefined = findPostgres()

export async function startPostgres(): Promise<PostgresServer> {
  if (!postgresFound) throw new Error('no PostgreSQL was found on this machine')
  const bin = postgresFound.path
  const folder = mkdtempSync(join(tmpdir(), 'portico-postgres-'))
  if (nobody) chownSync(folder, nobody.uid, nobody.gid)
  const data = join(folder, 'data')
  // Sync is switched off: what these tests prove is not about power cuts.
  const options = ['-U', 'portico', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']
  execFileSync(join(bin, 'initdb'), ['-D', data, ...options], { ...nobody, stdio: 'pipe' })
  const port = await findPort()
  let server: ChildProcess | undefined
  const start = async (): Promise<void> => {
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      fsync: 'off',
      max_connections: '100',
    }
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    server = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...args], { ...nobody, stdio: 'ignore' })
    await waitUntilReady(bin, port)
  }
  const stop = async (): Promise<void> => {
    const running = server
    server = undefined
    if (!running || running.exitCode !== null) return
    const ended = new Promise((resolve) => running.once('exit', resolve))
    // SIGINT is PostgreSQL's fast shutdown: connections are cut, files are left whole.
    running.kill('SIGINT')
    await ended
  }
  const killWithUs = (): void => void server?.kill('SIGQUIT')
  process.once('exit', killWithUs)
  await start()
  return {
    url: `postgres://portico@127.0.0.1:${port}/postgres`,
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

async function waitUntilReady(bin: string, port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    try {
      execFileSync(join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
      return
    } catch {
      await sleep(25)
    }
  }
  throw new Error('PostgreSQL did not start')
}
