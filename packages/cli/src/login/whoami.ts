import { type Command, EXIT, type Invocation, UsageError } from '../command.ts'
import { askStatus, readScopeNames, readStatus } from './ask-server.ts'
import { findConfigFolder } from './config-folder.ts'
import { CredentialStore } from './credential-store.ts'
import { chooseServer } from './server-url.ts'
import { showSignIn } from './tell-sign-in.ts'

/** `portico whoami` */
export const whoami: Command = {
  summary: 'tell who is signed in, where, until when, and for which scopes',
  help: `Usage: portico whoami [url] [options]

Asks the server whether the token kept by \`portico login\` still holds, whose it is, and which scopes it has. Exits 1 when you are not signed in.
Without a url it takes PORTICO_URL, then server of portico.config.ts, then the server where you signed in last.

Options:
  --header  print the header that a request needs, for curl -H @- to read
  --token   print the token alone; keep it out of command lines, which everybody on the machine can see
  --json    results as JSON on the output; the token only together with --token

With --header and --token nothing is printed on the output when the token no longer holds.

Examples:
  portico whoami
  portico whoami https://app.example --json
  portico whoami --header | curl -H @- http://localhost:3000/tasks/query`,
  options: { header: { type: 'boolean' }, token: { type: 'boolean' } },
  run: runWhoami,
}

async function runWhoami({ cwd, paths, options, terminal }: Invocation): Promise<number> {
  if (paths.length > 1) throw new UsageError('whoami takes one address')
  if (options['header'] && (options['token'] || options['json'])) {
    throw new UsageError('--header goes with neither --token nor --json')
  }
  const store = new CredentialStore(findConfigFolder())
  const server = await chooseServer({ given: paths[0], cwd, env: process.env, store })
  const credential = store.find(server)
  const answer = credential && (await askStatus(server, credential.accessToken))
  if (answer && answer.status !== 200 && answer.status !== 401) {
    throw new Error(`${server} answered ${answer.status} when asked who you are`)
  }
  if (!credential || answer?.status !== 200) {
    const reason = credential ? 'the token has expired or was revoked' : 'there is no token'
    if (options['json']) terminal.out(JSON.stringify({ server, signedIn: false, reason }))
    else
      terminal.err(
        `Not signed in at ${server}: ${reason}. Run \`portico login ${server}${repeatScope(credential?.scope)}\`.`,
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

/** The scopes of the sign-in before, as options of the next one. */
function repeatScope(scope: string | undefined): string {
  // Only names that a shell takes as they are.
  const names = readScopeNames(scope ?? '').filter((it) => /^[\w.:/@-]+$/.test(it))
  return names.length === 0 ? '' : ` --scope ${names.join(',')}`
}
