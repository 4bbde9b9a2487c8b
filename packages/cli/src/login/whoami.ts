import { type Command, EXIT, type Invocation, UsageError } from '../command.ts'
import { fetchStatus, readScopeNames, readStatus } from './auth-api.ts'
import { findConfigFolder } from './config-folder.ts'
import { CredentialStore } from './credential-store.ts'
import { chooseServer } from './server-url.ts'
import { showSignIn } from './show-sign-in.ts'

/** `portico whoami` */
export const whoami: Command = {
  summary: 'show who is signed in, where, until when, and with which scopes',
  help: `Usage: portico whoami [url] [options]

Asks the server whether the token saved by \`portico login\` is still valid, whose it is, and which scopes it has. Exits
with 1 if you are not signed in.
Default url: PORTICO_URL, then server in portico.config.ts, then the server of your last sign-in.

Options:
  --header  print the authorization header for a request, for curl -H @-
  --token   print only the token; do not use it in command lines, which all users of the machine can see
  --json    print results as JSON; the token only with --token

With --header and --token, standard output stays empty if the token is no longer valid.

Examples:
  portico whoami
  portico whoami https://app.example --json
  portico whoami --header | curl -H @- http://localhost:3000/tasks/query`,
  options: { header: { type: 'boolean' }, token: { type: 'boolean' } },
  run: runWhoami,
}

async function runWhoami({ cwd, paths, options, terminal }: Invocation): Promise<number> {
  if (paths.length > 1) throw new UsageError('whoami takes one URL')
  if (options['header'] && (options['token'] || options['json'])) {
    throw new UsageError('--header cannot be combined with --token or --json')
  }
  const store = new CredentialStore(findConfigFolder())
  const server = await chooseServer({ given: paths[0], cwd, env: process.env, store })
  const credential = store.find(server)
  const answer = credential && (await fetchStatus(server, credential.accessToken))
  if (answer && answer.status !== 200 && answer.status !== 401) {
    throw new Error(`${server} returned ${answer.status} for the status request`)
  }
  if (!credential || answer?.status !== 200) {
    const reason = credential ? 'the token has expired or was revoked' : 'no token is saved'
    if (options['json']) terminal.out(JSON.stringify({ server, signedIn: false, reason }))
    else
      terminal.err(
        `Not signed in to ${server}: ${reason}. Run \`portico login ${server}${repeatScope(credential?.scope)}\`.`,
      )
    return EXIT.problems
  }
  const { accessToken } = credential
  const status = readStatus({ ...credential, ...answer.body })
  if (options['json']) {
    terminal.out(JSON.stringify({ server, signedIn: true, ...status, ...(options['token'] && { accessToken }) }))
  } else if (options['header']) terminal.out(`authorization: Bearer ${accessToken}`)
  else if (options['token']) terminal.out(accessToken)
  else showSignIn(server, status, terminal)
  return EXIT.ok
}

/** The scopes of the previous sign-in as an option for the next one. */
function repeatScope(scope: string | undefined): string {
  // Only names that need no quoting in a shell.
  const names = readScopeNames(scope ?? '').filter((it) => /^[\w.:/@-]+$/.test(it))
  return names.length === 0 ? '' : ` --scope ${names.join(',')}`
}
