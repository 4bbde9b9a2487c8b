import { type Command, EXIT, type Invocation, UsageError } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { revokeToken, UnreachableError } from './auth-api.ts'
import { findConfigFolder } from './config-folder.ts'
import { type Credential, CredentialStore } from './credential-store.ts'
import { chooseServer } from './server-url.ts'
import { formatTime } from './show-sign-in.ts'

/** `portico logout` */
export const logout: Command = {
  summary: 'revoke the saved token of a server and delete it',
  help: `Usage: portico logout [url] [options]

Revokes the token saved by \`portico login\` and deletes it from this machine. If the server cannot be reached, the token
is deleted anyway and the exit code is 1: it stays valid until it expires.
Default url: PORTICO_URL, then server in portico.config.ts, then the server of your last sign-in.

Options:
  --all   sign out of all servers
  --json  print results as JSON

Examples:
  portico logout
  portico logout https://app.example
  portico logout --all`,
  options: { all: { type: 'boolean' } },
  run: runLogout,
}

async function runLogout({ cwd, paths, options, terminal }: Invocation): Promise<number> {
  if (paths.length > 1) throw new UsageError('logout takes one URL')
  if (options['all'] && paths.length > 0) throw new UsageError('--all cannot be combined with a URL')
  const store = new CredentialStore(findConfigFolder())
  const found = options['all']
    ? store.list()
    : [store.find(await chooseServer({ given: paths[0], cwd, env: process.env, store }))]
  const outcomes: Outcome[] = []
  for (const credential of found) if (credential) outcomes.push(await signOut(store, credential))
  if (options['json']) terminal.out(JSON.stringify({ servers: outcomes }))
  else if (outcomes.length === 0) terminal.out('Not signed in.')
  else for (const outcome of outcomes) showOutcome(outcome, terminal)
  return outcomes.every((it) => it.revoked) ? EXIT.ok : EXIT.problems
}

function showOutcome({ server, revoked, reason, expiresAt }: Outcome, { out, err }: Terminal): void {
  const until = expiresAt === undefined ? 'it expires' : formatTime(expiresAt)
  if (revoked) out(`Signed out of ${server}.`)
  else err(`The token for ${server} was deleted from this machine, but it stays valid until ${until}: ${reason}.`)
}

interface Outcome {
  readonly server: string
  readonly revoked: boolean
  readonly reason?: string | undefined
  readonly expiresAt?: number | undefined
}

/** Deletes the token after revoking it, so that an interrupted logout can be repeated. */
async function signOut(store: CredentialStore, { server, accessToken, expiresAt }: Credential): Promise<Outcome> {
  const reason = await revoke(server, accessToken)
  store.forget(server)
  return reason === undefined ? { server, revoked: true } : { server, revoked: false, reason, expiresAt }
}

/** Returns the reason if the token could not be revoked. */
async function revoke(server: string, accessToken: string): Promise<string | undefined> {
  try {
    const { status } = await revokeToken(server, accessToken)
    // RFC 7009 section 2.2: 200 also for a token that is no longer valid.
    return status === 200 ? undefined : `${server} returned ${status} instead of revoking it`
  } catch (error) {
    if (error instanceof UnreachableError) return error.message
    throw error
  }
}
