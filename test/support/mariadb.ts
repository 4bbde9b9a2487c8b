import { execFileSync } from 'node:child_process'
import { connect } from 'node:net'
import { join } from 'node:path'
import { findMariadb } from '../../scripts/environment.mjs'
import { nobody, type ServerProcess, startServer } from './server-process.ts'

/** The installed MariaDB, or `undefined`: tests that need it are skipped with `describe.skipIf(!mariadbFound)`. */
export const mariadbFound: { path: string } | undefined = findMariadb()

/** Starts a server for tests, with additional settings. */
export async function startMariadb(more: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  if (!mariadbFound) throw new Error('no MariaDB was found on this machine')
  const file = mariadbFound.path
  return startServer('mariadb', (folder, port) => {
    const data = join(folder, 'data')
    const options = ['--auth-root-authentication-method=normal', '--skip-test-db', '--skip-name-resolve']
    // A starting server deletes temporary files that it takes for leftovers, even those of other servers.
    const temporary = `--tmpdir=${folder}`
    const install = ['--no-defaults', `--datadir=${data}`, temporary, ...options]
    execFileSync('mariadb-install-db', install, { ...nobody, cwd: folder, stdio: 'pipe' })
    const settings = {
      datadir: data,
      port: String(port),
      'bind-address': '127.0.0.1',
      socket: join(folder, 'socket'),
      'pid-file': join(folder, 'pid'),
      // Durability is off: the tests do not cover power failures.
      'innodb-flush-log-at-trx-commit': '0',
      'innodb-flush-method': 'nosync',
      'innodb-doublewrite': '0',
      'sync-frm': '0',
      'innodb-buffer-pool-size': '64M',
      'max-connections': '150',
      ...more,
    }
    const args = Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
    return {
      file,
      args: ['--no-defaults', '--skip-log-bin', temporary, ...args],
      url: `mysql://root@127.0.0.1:${port}/mysql`,
      isReady: () => isGreeted(port),
      stopSignal: 'SIGTERM',
    }
  })
}

/** Resolves to true once the server greets a connection, which means that it is ready. */
function isGreeted(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('data', () => {
      resolve(true)
      socket.destroy()
    })
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
  })
}
