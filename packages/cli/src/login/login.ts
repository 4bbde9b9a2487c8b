import { AuthorizeError, type AuthorizeErrorCode, type AuthorizeResult, authorize } from '@portico/login'
import { type Command, EXIT, type Invocation, type OptionValue, UsageError } from '../command.ts'
import { untilInterrupted } from '../interrupt.ts'
import type { Terminal } from '../terminal.ts'
import { checkAuthServer, fetchStatus, isScopeName, readStatus, readTime, revokeToken } from './auth-api.ts'
import { findConfigFolder } from './config-folder.ts'
import { type Credential, CredentialStore } from './credential-store.ts'
import { chooseServer } from './server-url.ts'
import { showCountdown } from './show-countdown.ts'
import { findMissing, showSignIn } from './show-sign-in.ts'

const defaultTimeoutSec = 300
// Longer timers fire immediately in Node.
const maxTimeoutSec = Math.floor((2 ** 31 - 1) / 1000)

/** `portico login` */
export const login: Command = {
  summary: 'sign in to a server with your browser',
  help: `Usage: portico login [url] [options]

Opens your browser, waits until you have signed in, and saves the token that the server issues.
Default url: PORTICO_URL, then server in portico.config.ts, then the server of your last sign-in.

The token is saved in your configuration folder, in a file that only you can read. To use it:
portico whoami --header | curl -H @- …

Request the scopes that the server's routes need with --scope. A token without scopes only identifies you. The command
prints which scopes were granted and which were not.

Options:
  --scope <names>      scopes to request, separated by spaces or commas; repeatable
  --no-browser         only print the URL, for SSH and containers
  --timeout <seconds>  time limit for the sign-in (default: ${defaultTimeoutSec})
  --json               print JSON: one line with the URL, then one with the result

Exit codes: 0 signed in, 1 declined, failed or timed out, 2 the command failed, 130 Ctrl-C.

Examples:
  portico login http://localhost:3000 --scope tasks
  portico login --no-browser
  PORTICO_URL=https://app.example portico login --timeout 60`,
  options: {
    scope: { type: 'string', multiple: true },
    'no-browser': { type: 'boolean' },
    timeout: { type: 'string' },
  },
  run: runLogin,
}

const advice: Record<AuthorizeErrorCode, string> = {
  provider_denied: 'Run the command again to sign in.',
  state_mismatch: 'The response was for another login: run the command again and use the URL that it prints.',
  exchange_failed: 'Run the command again, or try later.',
  timeout: 'Run the command again, with a longer --timeout if needed.',
  status_check_failed: 'The server issued a token but does not confirm it: try later.',
}

async function runLogin({ cwd, paths, options, terminal }: Invocation): Promise<number> {
  if (paths.length > 1) throw new UsageError('login takes one URL')
  const timeoutMs = readTimeout(options['timeout']) * 1000
  const scope = readScopes(options['scope'])
  const store = new CredentialStore(findConfigFolder())
  const server = await chooseServer({ given: paths[0], cwd, env: process.env, store })
  // Checked before the sign-in, so that problems with saving the token show up early.
  store.checkWritable()
  store.find(server)
  await checkAuthServer(server)
  const outcome = await untilInterrupted((signal) =>
    signIn({
      server,
      scope,
      timeoutMs,
      signal,
      openBrowser: !options['no-browser'],
      asJson: options['json'] === true,
      terminal,
    }),
  )
  if (typeof outcome === 'number') return outcome
  const credential = makeCredential(server, outcome, scope)
  const before = await save(store, credential)
  // Revoke the replaced token. A failure does not affect this login.
  if (before) await revokeToken(server, before.accessToken).catch(() => {})
  // Only for display: a failure does not affect the login.
  const answer = await fetchStatus(server, credential.accessToken).catch(() => undefined)
  const { scope: _, ...known } = credential
  const status = readStatus({ ...answer?.body, ...known })
  if (status.scopes) saveGranted(store, credential, status.scopes)
  if (options['json']) {
    const notGranted = findMissing(status.scopes, scope)
    terminal.out(JSON.stringify({ server, signedIn: true, ...status, ...(notGranted.length > 0 && { notGranted }) }))
  } else showSignIn(server, status, terminal, scope)
  return EXIT.ok
}

/** Saves the sign-in and returns the one it replaces. A token that cannot be saved is revoked. */
async function save(store: CredentialStore, credential: Credential): Promise<Credential | undefined> {
  try {
    // Another login may have finished in the meantime.
    const before = store.find(credential.server)
    store.save(credential)
    return before
  } catch (error) {
    await revokeToken(credential.server, credential.accessToken).catch(() => {})
    throw new Error(`the token cannot be saved, so you are not signed in: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

/** Replaces the requested scopes by the granted ones. A failure does not affect the login. */
function saveGranted(store: CredentialStore, credential: Credential, scopes: readonly string[]): void {
  try {
    // Another login may have replaced it.
    if (store.find(credential.server)?.accessToken !== credential.accessToken) return
    store.save({ ...credential, scope: scopes.join(' ') })
  } catch {
    // The token itself is already saved.
  }
}

function readTimeout(value: OptionValue): number {
  if (value === undefined) return defaultTimeoutSec
  const seconds = Number(value)
  if (/^\d+$/.test(String(value)) && seconds >= 1 && seconds <= maxTimeoutSec) return seconds
  throw new UsageError(`--timeout must be a number of seconds from 1 to ${maxTimeoutSec}, not ${String(value)}`)
}

function readScopes(value: OptionValue): string[] {
  const names = [value ?? []].flat().flatMap((it) => String(it).split(/[ ,]+/))
  const scopes = [...new Set(names.filter((it) => it !== ''))]
  if (!scopes.every(isScopeName)) throw new UsageError('--scope takes scope names separated by spaces or commas')
  return scopes
}

interface SignIn {
  readonly server: string
  readonly scope: readonly string[]
  readonly timeoutMs: number
  readonly openBrowser: boolean
  readonly asJson: boolean
  readonly signal: AbortSignal
  readonly terminal: Terminal
}

/** Signs in. On failure it prints the reason and returns the exit code. */
async function signIn(given: SignIn): Promise<AuthorizeResult | number> {
  const { server, signal, asJson, terminal } = given
  try {
    return await runAuthorize(given)
  } catch (error) {
    if (!(error instanceof AuthorizeError)) throw error
    const code = signal.aborted ? 'interrupted' : error.code
    if (asJson) terminal.out(JSON.stringify({ server, signedIn: false, code, message: error.message }))
    else if (signal.aborted) terminal.err('Canceled; you are not signed in.')
    else terminal.err(`portico: ${error.message}. ${advice[error.code]}`)
    return signal.aborted ? EXIT.interrupted : EXIT.problems
  }
}

async function runAuthorize(given: SignIn): Promise<AuthorizeResult> {
  const { server, scope, timeoutMs, openBrowser, signal, asJson, terminal } = given
  let stopProgress = (): void => {}
  try {
    return await authorize({
      authorizeUrl: `${server}/auth/authorize`,
      tokenUrl: `${server}/auth/token`,
      statusUrl: `${server}/auth/status`,
      scope: scope.length > 0 ? [...scope] : undefined,
      openBrowser,
      timeoutMs,
      signal,
      onUrl(url) {
        showUrl(url, given)
        if (!asJson) stopProgress = showCountdown(timeoutMs, terminal)
      },
    })
  } finally {
    stopProgress()
  }
}

function showUrl(url: string, { server, openBrowser, asJson, terminal }: SignIn): void {
  const { port } = new URL(new URL(url).searchParams.get('redirect_uri') ?? '')
  if (asJson) terminal.out(JSON.stringify({ url }))
  else if (openBrowser) {
    terminal.err(`Signing in at ${server}. If no browser opens, open this URL:\n\n  ${url}\n`)
  } else {
    const forward = `ssh -N -L ${port}:127.0.0.1:${port} <this machine>`
    terminal.err(`To sign in to ${server}, open this URL:\n\n  ${url}\n`)
    terminal.err(`For a browser on another machine, first run there: ${forward}\n`)
  }
}

function makeCredential(
  server: string,
  { accessToken, userId, expiresIn }: AuthorizeResult,
  scope: readonly string[],
): Credential {
  const signedInAt = Date.now()
  const expiresAt = expiresIn === undefined ? undefined : readTime(signedInAt + expiresIn * 1000)
  return {
    server,
    accessToken,
    signedInAt,
    userId,
    expiresAt,
    scope: scope.length > 0 ? scope.join(' ') : undefined,
  }
}
