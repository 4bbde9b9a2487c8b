import { AuthorizeError, type AuthorizeErrorCode, type AuthorizeResult, authorize } from '@portico/login'
import { type Command, EXIT, type Invocation, type OptionValue, UsageError } from '../command.ts'
import { untilInterrupted } from '../interrupt.ts'
import type { Terminal } from '../terminal.ts'
import { askRevocation, askStatus, findAuthServer, isScopeName, readMoment, readStatus } from './ask-server.ts'
import { findConfigFolder } from './config-folder.ts'
import { type Credential, CredentialStore } from './credential-store.ts'
import { showCountdown } from './progress-line.ts'
import { chooseServer } from './server-url.ts'
import { findMissing, showSignIn } from './tell-sign-in.ts'

const defaultTimeoutSec = 300
// Beyond this Node's timers fire at once.
const longestTimeoutSec = Math.floor((2 ** 31 - 1) / 1000)

/** `portico login` */
export const login: Command = {
  summary: 'sign in at a server through your browser',
  help: `Usage: portico login [url] [options]

Opens your browser at a server, waits until you have signed in there, and keeps the token that the server gives.
Without a url it takes PORTICO_URL, then server of portico.config.ts, then the server where you signed in last.

The token is kept in your configuration folder, in a file that nobody else may read. To use it:
portico whoami --header | curl -H @- …

The token opens what you ask for and allow: name the scopes that the server's routes need with --scope. Without any it
says who you are, and opens nothing else. What was granted is printed, and what was not.

Options:
  --scope <names>      scopes to ask for, with spaces or commas between them; may be repeated
  --no-browser         open nothing; print the address, for SSH and containers
  --timeout <seconds>  how long to wait for you (default: ${defaultTimeoutSec})
  --json               results as JSON on the output: a line with the address, then one with the result

Exit codes: 0 signed in, 1 declined, failed or too late, 2 the command could not be carried out, 130 Ctrl-C.

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
  provider_denied: 'Run it again if you want to sign in after all.',
  state_mismatch: 'That answer was not for this login: run it again, and use the address that it prints.',
  exchange_failed: 'Run it again, or try later.',
  timeout: 'Run it again, or give yourself longer with --timeout.',
  status_check_failed: 'The server gave a token but does not confirm it: try later.',
}

async function runLogin({ cwd, paths, options, terminal }: Invocation): Promise<number> {
  if (paths.length > 1) throw new UsageError('login takes one address')
  const timeoutMs = readTimeout(options['timeout']) * 1000
  const scope = readScopes(options['scope'])
  const store = new CredentialStore(findConfigFolder())
  const server = await chooseServer({ given: paths[0], cwd, env: process.env, store })
  // Looked at before anybody signs in: what is in the way of a token is told now, not afterwards.
  store.checkWritable()
  store.find(server)
  await findAuthServer(server)
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
  const credential = { ...makeCredential(server, outcome), ...(scope.length > 0 && { scope: scope.join(' ') }) }
  const before = await keep(store, credential)
  // A token that nothing knows any more should not hold either; that it cannot be revoked is no failure of this login.
  if (before) await askRevocation(server, before.accessToken).catch(() => {})
  // The name is a nicety: a server that does not tell it now takes nothing from the login.
  const answer = await askStatus(server, credential.accessToken).catch(() => undefined)
  const { scope: _, ...known } = credential
  const status = readStatus({ ...answer?.body, ...known })
  if (status.scopes) noteGranted(store, credential, status.scopes)
  if (options['json']) {
    const notGranted = findMissing(status.scopes, scope)
    terminal.out(JSON.stringify({ server, signedIn: true, ...status, ...(notGranted.length > 0 && { notGranted }) }))
  } else showSignIn(server, status, terminal, scope)
  return EXIT.ok
}

/** Returns the sign-in that it replaces. A token that cannot be kept is of no use to anybody, and should not hold. */
async function keep(store: CredentialStore, credential: Credential): Promise<Credential | undefined> {
  try {
    // Another login may have ended while this one waited.
    const before = store.find(credential.server)
    store.save(credential)
    return before
  } catch (error) {
    await askRevocation(credential.server, credential.accessToken).catch(() => {})
    throw new Error(`the token cannot be kept, so you are not signed in: ${(error as Error).message}`, { cause: error })
  }
}

/** Keeps what was granted in place of what was asked for. That it cannot be kept takes nothing from the login. */
function noteGranted(store: CredentialStore, credential: Credential, scopes: readonly string[]): void {
  try {
    // Another login may have replaced it by now.
    if (store.find(credential.server)?.accessToken !== credential.accessToken) return
    store.save({ ...credential, scope: scopes.join(' ') })
  } catch {
    // The token itself is kept already.
  }
}

function readTimeout(value: OptionValue): number {
  if (value === undefined) return defaultTimeoutSec
  const seconds = Number(value)
  if (/^\d+$/.test(String(value)) && seconds >= 1 && seconds <= longestTimeoutSec) return seconds
  throw new UsageError(`--timeout is a number of seconds from 1 to ${longestTimeoutSec}, not ${String(value)}`)
}

function readScopes(value: OptionValue): string[] {
  const names = [value ?? []].flat().flatMap((it) => String(it).split(/[ ,]+/))
  const scopes = [...new Set(names.filter((it) => it !== ''))]
  if (!scopes.every(isScopeName))
    throw new UsageError('--scope takes names of scopes, with spaces or commas between them')
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

/** Signs in, or tells why not and returns the exit code. */
async function signIn(given: SignIn): Promise<AuthorizeResult | number> {
  const { server, signal, asJson, terminal } = given
  try {
    return await waitForPerson(given)
  } catch (error) {
    if (!(error instanceof AuthorizeError)) throw error
    const code = signal.aborted ? 'interrupted' : error.code
    if (asJson) terminal.out(JSON.stringify({ server, signedIn: false, code, message: error.message }))
    else if (signal.aborted) terminal.err('Stopped; you are not signed in.')
    else terminal.err(`portico: ${error.message}. ${advice[error.code]}`)
    return signal.aborted ? EXIT.interrupted : EXIT.problems
  }
}

async function waitForPerson(given: SignIn): Promise<AuthorizeResult> {
  const { server, scope, timeoutMs, openBrowser, signal, asJson, terminal } = given
  let stopProgress = (): void => {}
  try {
    return await authorize({
      authorizeUrl: `${server}/auth/authorize`,
      tokenUrl: `${server}/auth/token`,
      statusUrl: `${server}/auth/status`,
      ...(scope.length > 0 && { scope: [...scope] }),
      openBrowser,
      timeoutMs,
      signal,
      onUrl(url) {
        showAddress(url, given)
        if (!asJson) stopProgress = showCountdown(timeoutMs, terminal)
      },
    })
  } finally {
    stopProgress()
  }
}

function showAddress(url: string, { server, openBrowser, asJson, terminal }: SignIn): void {
  const { port } = new URL(new URL(url).searchParams.get('redirect_uri') ?? '')
  if (asJson) terminal.out(JSON.stringify({ url }))
  else if (openBrowser) {
    terminal.err(`Signing in at ${server}. If no browser opens, open this address yourself:\n\n  ${url}\n`)
  } else {
    const forward = `ssh -N -L ${port}:127.0.0.1:${port} <this machine>`
    terminal.err(`To sign in at ${server}, open this address:\n\n  ${url}\n`)
    terminal.err(`A browser on another machine needs this first: ${forward}\n`)
  }
}

function makeCredential(server: string, { accessToken, userId, expiresIn }: AuthorizeResult): Credential {
  const signedInAt = Date.now()
  const expiresAt = expiresIn === undefined ? undefined : readMoment(signedInAt + expiresIn * 1000)
  return {
    server,
    accessToken,
    signedInAt,
    ...(userId !== undefined && { userId }),
    ...(expiresAt !== undefined && { expiresAt }),
  }
}
