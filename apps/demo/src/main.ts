import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { DbError } from '@portico/db'
import { chooseAdapter } from './database.ts'
import { DemoError } from './errors.ts'
import { openBrowser } from './open-browser.ts'
import { type Platform, startPlatform } from './start.ts'

const usage = `npm start                    starts the task tracker, with sign-in and API docs, and opens it in your browser
npm start -- --no-browser    does not open a browser, for SSH and containers
npm start -- --port 4000     uses another port than 3000, or the next free one

The data is in apps/demo/data, or in the folder PORTICO_DEMO_DATA.
DRAIN_MS: milliseconds to keep serving after a SIGTERM, until a proxy has noticed. Default 0.
PORTICO_DATABASE_URL: the database instead of SQLite: postgres://…, mysql://… or mongodb://…
Ctrl-C stops it. The data stays.
`

/** Advice about the SQLite file, by error code. */
const fileAdvice: Readonly<Record<string, string>> = {
  DATABASE_INVALID: ': replace it with a backup, or delete it to start over',
  UNAVAILABLE: ': check the permissions of the folder, and the free disk space',
}

// Only this user may read the files in the data folder, whatever the mode of the folder itself.
process.umask(0o077)
process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  const options = readArguments(args)
  if (typeof options === 'string') {
    console.error(`${options}\n\n${usage}`)
    return 2
  }
  if (options.help) {
    console.log(usage)
    return 0
  }
  try {
    await run(options.port, options.openBrowser)
    return 0
  } catch (error) {
    // An error that the user can fix is one line. Anything else is a bug, printed with its stack.
    if (!(error instanceof DemoError || error instanceof DbError)) throw error
    console.error(`${error.code}: ${error.message}${error instanceof DbError ? advise(error, process.env) : ''}`)
    return 1
  }
}

/** Says where the database is configured. The URL itself may contain a password. */
function advise({ code }: DbError, { PORTICO_DATABASE_URL: url }: NodeJS.ProcessEnv): string {
  if (!url) return `. The database is tracker.db in the data folder${fileAdvice[code] ?? ''}`
  return '. Check that the database in PORTICO_DATABASE_URL is running, and that host, name and password are correct; or unset the variable to run on SQLite'
}

interface Options {
  readonly help: boolean
  readonly openBrowser: boolean
  readonly port: number
}

/** The options, or a message if they are invalid. */
function readArguments(args: string[]): Options | string {
  try {
    const known = { help: { type: 'boolean' }, 'no-browser': { type: 'boolean' }, port: { type: 'string' } } as const
    const { values } = parseArgs({ args, options: known })
    const port = Number(values.port ?? 3000)
    if (!Number.isInteger(port) || port < 1 || port > 65_000) return '--port must be a number from 1 to 65000'
    return { help: values.help ?? false, openBrowser: !values['no-browser'], port }
  } catch (error) {
    return (error as Error).message
  }
}

async function run(port: number, opensBrowser: boolean): Promise<void> {
  const stopped = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort(signal))
  endWithNpm(() => stopped.abort())
  const folder = process.env['PORTICO_DEMO_DATA'] || fileURLToPath(new URL('../data', import.meta.url))
  const adapter = await chooseAdapter(process.env['PORTICO_DATABASE_URL'], folder)
  const platform = await startPlatform({ folder, adapter, port })
  console.log(greet(platform, port))
  if (opensBrowser) openBrowser(platform.address)
  if (!stopped.signal.aborted) await once(stopped.signal, 'abort')
  const isReplaced = stopped.signal.reason === 'SIGTERM'
  await platform.close({ drainMs: isReplaced ? Number(process.env['DRAIN_MS'] ?? 0) : 0 })
  console.log('Stopped.')
}

/** A signal sent only to npm ends npm and its shell, but does not reach this program. */
function endWithNpm(end: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return
  const shell = process.ppid
  setInterval(() => process.ppid !== shell && end(), 500).unref()
}

function greet({ address, port, providers }: Platform, asked: number): string {
  return `The task tracker runs at ${address}${port === asked ? '' : ` (port ${asked} is in use)`}

  Open      ${address}            sign in as Ada, Grace or Alan with one click
            ${address}/api-docs   try the API in your browser

  In another terminal, in this folder:

  npx portico login ${address} --scope tasks
  npx portico whoami --header | curl -H @- '${address}/tasks/query?state=open&$sort=priority'

  Two OpenID providers run beside it: ${providers.map(({ id, issuer }) => `${id} at ${issuer}`).join(', ')}
  Ctrl-C stops everything. The data stays.
`
}
