import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { findPostgres } from '../../scripts/environment.mjs'
import { nobody, type ServerProcess, startServer } from './server-process.ts'

/** The installed PostgreSQL, or `undefined`: tests that need it are skipped with `describe.skipIf(!postgresFound)`. */
export const postgresFound: { path: string } | undefined = findPostgres()

export async function startPostgres(): Promise<ServerProcess> {
  if (!postgresFound) throw new Error('no PostgreSQL was found on this machine')
  const bin = postgresFound.path
  return startServer('postgres', (folder, port) => {
    const data = join(folder, 'data')
    // `fsync` is off: the tests do not cover power failures.
    const options = ['-U', 'portico', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']
    execFileSync(join(bin, 'initdb'), ['-D', data, ...options], { ...nobody, stdio: 'pipe' })
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      fsync: 'off',
      max_connections: '100',
    }
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const asked = ['-h', '127.0.0.1', '-p', String(port)]
    return {
      file: join(bin, 'postgres'),
      args: ['-D', data, '-p', String(port), ...args],
      url: `postgres://portico@127.0.0.1:${port}/postgres`,
      isReady: () => spawnSync(join(bin, 'pg_isready'), asked, { stdio: 'ignore' }).status === 0,
      // PostgreSQL's fast shutdown: closes connections and leaves the files consistent.
      stopSignal: 'SIGINT',
    }
  })
}
