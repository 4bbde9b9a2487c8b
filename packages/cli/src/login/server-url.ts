import { UsageError } from '../command.ts'
import { ConfigError } from '../config.ts'
import { loadConfig } from '../load-config.ts'
import { isLoopback } from '../shared/loopback.ts'
import type { CredentialStore } from './credential-store.ts'

/** Where the address of a server may stand. */
export interface ServerSources {
  readonly given: string | undefined
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly store: CredentialStore
}

/** The server a command talks to: the one given, else `PORTICO_URL`, else the configuration's, else the last used. */
export async function chooseServer({ given, cwd, env, store }: ServerSources): Promise<string> {
  if (given !== undefined) return readServerUrl(given, 'the address')
  if (env['PORTICO_URL']) return readServerUrl(env['PORTICO_URL'], 'PORTICO_URL')
  const configured = await readConfiguredServer(cwd)
  if (configured !== undefined) return readServerUrl(configured, 'server in the configuration')
  const last = store.list().at(-1)
  if (last) return last.server
  throw new UsageError(
    'which server? You are signed in nowhere: give its address, set PORTICO_URL, or name it as server in portico.config.ts',
  )
}

async function readConfiguredServer(cwd: string): Promise<string | undefined> {
  try {
    return (await loadConfig(cwd)).server
  } catch (error) {
    if (error instanceof ConfigError && error.code === 'CONFIG_NOT_FOUND') return undefined
    throw error
  }
}

/**
 * The address without a slash at its end. A token is worth as much as a password, so plain http is for this machine
 * alone.
 */
export function readServerUrl(text: string, what: string): string {
  const example = 'https://app.example or http://localhost:3000'
  const url = URL.canParse(text) ? new URL(text) : undefined
  // What was given is not repeated: it may hold a password.
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${what} must begin with https:// or http://, as ${example} does`)
  if (url.username !== '' || url.password !== '') throw new UsageError(`${what} must hold no user name or password`)
  if (url.search !== '' || url.hash !== '') throw new UsageError(`${what} must have no query and no fragment`)
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new UsageError(`${what} must be https: anyone on the way could read a token sent to ${url.origin}`)
  }
  return url.href.replace(/\/+$/, '')
}
