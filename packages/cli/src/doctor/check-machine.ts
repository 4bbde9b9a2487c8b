import { createServer } from 'node:net'
import { findConfigFolder } from '../login/config-folder.ts'
import { CredentialError, CredentialStore } from '../login/credential-store.ts'
import { count } from '../shared/count.ts'
import { isLoopback } from '../shared/loopback.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return ok('NODE', `Node ${version}`)
  return problem('NODE', `Node ${version} is too old`, 'install Node 20.19 or newer')
}

export function checkCredentials(): Finding {
  try {
    const found = new CredentialStore(findConfigFolder()).list()
    return ok('CREDENTIALS', `signed in at ${count(found.length, 'server')}`)
  } catch (error) {
    const mend = error instanceof CredentialError ? error.mend : 'tokens need a folder that you may read and write'
    return problem('CREDENTIALS', (error as Error).message, mend)
  }
}

/** A port that is taken may be taken by the very program, so it is no more than a warning. */
export async function checkPort(server: string | undefined, env: NodeJS.ProcessEnv): Promise<Finding | undefined> {
  const url = server !== undefined && URL.canParse(server) ? new URL(server) : undefined
  if (!url || !isLoopback(url.hostname)) return undefined
  const port = Number(env['PORT'] || url.port || (url.protocol === 'https:' ? 443 : 80))
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    return warning(
      'PORT',
      `PORT is ${env['PORT']}, which is no port`,
      'set it to a number from 1 to 65535, or not at all',
    )
  }
  const code = await tryPort(port, url.hostname.replaceAll(/[[\]]/g, ''))
  if (code === undefined) return ok('PORT', `port ${port} is free`)
  const mend =
    'if that is not your program, end it, or let yours listen elsewhere: PORT, and server in the configuration'
  if (code === 'EADDRINUSE') return warning('PORT', `port ${port} is taken`, mend)
  return warning('PORT', `port ${port} cannot be listened on: ${code}`, 'choose another port')
}

/** Why a port cannot be listened on, if so. */
function tryPort(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
}
