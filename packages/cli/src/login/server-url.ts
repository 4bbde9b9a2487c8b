import { UsageError } from '../command.ts'
import { ConfigError } from '../config.ts'
import { loadConfig } from '../load-config.ts'
import { isLoopback } from '../shared/loopback.ts'
import type { CredentialStore } from './credential-store.ts'

/** The possible sources of a server URL. */
export interface ServerSources {
  readonly given: string | undefined
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly store: CredentialStore
}

/** The server to use: the given one, `PORTICO_URL`, the one in the configuration, or the one of the last sign-in. */
export async function chooseServer({ given, cwd, env, store }: ServerSources): Promise<string> {
  if (given !== undefined) return readServerUrl(given, 'the URL')
  if (env['PORTICO_URL']) return readServerUrl(env['PORTICO_URL'], 'PORTICO_URL')
  const configured = await readConfiguredServer(cwd)
  if (configured !== undefined) return readServerUrl(configured, 'server in the configuration')
  const last = store.list().at(-1)
  if (last) return last.server
  throw new UsageError(
    'no server: you are not signed in anywhere. Pass a URL, set PORTICO_URL, or set server in portico.config.ts',
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
 * The URL without a trailing slash. Plain http is only allowed for this machine, because a token is worth as much as a
 * password.
 */
export function readServerUrl(text: string, what: string): string {
  const example = 'https://app.example or http://localhost:3000'
  const url = URL.canParse(text) ? new URL(text) : undefined
  // The value is not quoted: it may contain a password.
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${what} must start with https:// or http://, such as ${example}`)
  if (url.username !== '' || url.password !== '')
    throw new UsageError(`${what} must not contain a user name or password`)
  if (url.search !== '' || url.hash !== '') throw new UsageError(`${what} must not have a query or fragment`)
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new UsageError(`${what} must use https: anyone on the network could read a token sent to ${url.origin}`)
  }
  return url.href.replace(/\/+$/, '')
}
