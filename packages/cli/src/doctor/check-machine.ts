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
    return ok(
      'CREDENTIALS',
      found.length === 0 ? 'not signed in to any server' : `signed in to ${count(found.length, 'server')}`,
    )
  } catch (error) {
    const fix = error instanceof CredentialError ? error.fix : 'make the folder for tokens readable and writable'
    return problem('CREDENTIALS', (error as Error).message, fix)
  }
}

/** Only a warning if the port is in use: it may be the program itself. */
export async function checkPort(server: string | undefined, env: NodeJS.ProcessEnv): Promise<Finding | undefined> {
  const url = server !== undefined && URL.canParse(server) ? new URL(server) : undefined
  if (!url || !isLoopback(url.hostname)) return undefined
  const port = Number(env['PORT'] || url.port || (url.protocol === 'https:' ? 443 : 80))
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    return warning(
      'PORT',
      `PORT is ${env['PORT']}, which is not a port number`,
      'set it to a number from 1 to 65535, or unset it',
    )
  }
  const code = await tryPort(port, url.hostname.replaceAll(/[[\]]/g, ''))
  if (code === undefined) return ok('PORT', `port ${port} is free`)
  const fix = 'if that is not your program, stop it, or change PORT and server in the configuration'
  if (code === 'EADDRINUSE') return warning('PORT', `port ${port} is in use`, fix)
  return warning('PORT', `cannot listen on port ${port}: ${code}`, 'choose another port')
}

/** The error code if listening on the port fails. */
function tryPort(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
}
