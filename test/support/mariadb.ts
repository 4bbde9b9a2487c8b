import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findMariadb } from '../../scripts/environment.mjs'
import { findPort, nobody } from './server-process.ts'

/** A MariaDB server of the tests' own, in a folder of its own; it ends with the process that started it. */
export interface MariadbServer extends AsyncDisposable {
  readonly url: string
  readonly port: number
  stop(): Promise<void>
  start(): Promise<void>
}

/** Where MariaDB is, or `undefined`: tests that need it are left out with `describe.skipIf(!mariadbFound)`. */
export const mariadbFound: { path: string } | undefined = findMariadb()

export async function startMariadb(): Promise<MariadbServer> {
  if (!mariadbFound) throw new Error('no MariaDB was found on this machine')
  const folder = mkdtempSync(join(tmpdir(), 'portico-mariadb-'))
  if (nobody) chownSync(folder, nobody.uid, nobody.gid)
  const data = join(folder, 'data')
  const options = ['--auth-root-authentication-method=normal', '--skip-test-db', '--skip-name-resolve']
  execFileSync('mariadb-install-db', ['--no-defaults', `--datadir=${data}`, ...options], {
    ...nobody,
    cwd: folder,
    stdio: 'pipe',
  })
  const port = await findPort()
  let server: ChildProcess | undefined
  const start = async (): Promise<void> => {
    const settings = {
      datadir: data,
      port: String(port),
      'bind-address': '127.0.0.1',
      socket: join(folder, 'socket'),
      'pid-file': join(folder, 'pid'),
      // What these tests prove is not about power cuts.
      'innodb-flush-log-at-trx-commit': '0',
      'innodb-flush-method': 'nosync',
      'innodb-doublewrite': '0',
      'innodb-buffer-pool-size': '64M',
      'max-connections': '150',
    }
    const args = Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
    server = spawn(mariadbFound.path, ['--no-defaults', '--skip-log-bin', ...args], {
      ...nobody,
      cwd: folder,
      stdio: 'ignore',
    })
    await waitUntilReady(port)
  }
  const stop = async (): Promise<void> => {
    const running = server
    server = undefined
    if (!running || running.exitCode !== null) return
    const ended = new Promise((resolve) => running.once('exit', resolve))
    running.kill('SIGTERM')
    await ended
  }
  const killWithUs = (): void => void server?.kill('SIGKILL')
  process.once('exit', killWithUs)
  await start()
  return {
    url: `mysql://root@127.0.0.1:${port}/mysql`,
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

/** A server that is ready greets whoever connects. */
async function waitUntilReady(port: number): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt++) {
    const isReady = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('data', () => resolve(true))
      socket.once('error', () => resolve(false))
      socket.once('close', () => resolve(false))
      socket.once('data', () => socket.destroy())
    })
    if (isReady) return
    await sleep(25)
  }
  throw new Error('MariaDB did not start')
}
