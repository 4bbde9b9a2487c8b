import { type Command, EXIT, type Invocation, UsageError } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { askRevocation, UnreachableError } from './ask-server.ts'
import { findConfigFolder } from './config-folder.ts'
import { type Credential, CredentialStore } from './credential-store.ts'
import { chooseServer } from './server-url.ts'
import { tellTime } from './tell-sign-in.ts'

/** `portico logout` */
export const logout: Command = {
  summary: 'revoke the token of a server and forget it',
  help: `Usage: portico logout [url] [options]

Has the server revoke the token that \`portico login\` keeps, and removes it from this machine. When the server cannot be
asked, the token is removed all the same, and the exit code is 1: it holds until it expires.
Without a url it takes PORTICO_URL, then server of portico.config.ts, then the server where you signed in last.

Options:
  --all   every server where you are signed in
  --json  results as JSON on the output

Examples:
  portico logout
  portico logout https://app.example
  portico logout --all`,
  options: { all: { type: 'boolean' } },
  run: runLogout,
}

async function runLogout({ cwd, paths, options, terminal }: Invocation): Promise<number> {
  if (paths.length > 1) throw new UsageError('logout takes one address')
  if (options['all'] && paths.length > 0) throw new UsageError('--all and an address do not go together')
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
  const until = expiresAt === undefined ? 'it expires' : tellTime(expiresAt)
  if (revoked) out(`Signed out at ${server}.`)
  else err(`The token for ${server} is gone from this machine, but it holds until ${until}: ${reason}.`)
}

interface Outcome {
  readonly server: string
  readonly revoked: boolean
  readonly reason?: string
  readonly expiresAt?: number | undefined
}

/** Forgets only after the server was asked: a program that ends in between may ask again. */
async function signOut(store: CredentialStore, { server, accessToken, expiresAt }: Credential): Promise<Outcome> {
  const reason = await revoke(server, accessToken)
  store.forget(server)
  return reason === undefined ? { server, revoked: true } : { server, revoked: false, reason, expiresAt }
}

/** Why a token could not be revoked, if so. */
async function revoke(server: string, accessToken: string): Promise<string | undefined> {
  try {
    const { status } = await askRevocation(server, accessToken)
    // RFC 7009 section 2.2: 200 also for a token that does not hold any more.
    return status === 200 ? undefined : `${server} answered ${status} instead of revoking it`
  } catch (error) {
    if (error instanceof UnreachableError) return error.message
    throw error
  }
}
