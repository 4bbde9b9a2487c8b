import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startLocalProvider } from './local-provider.ts'
import { signIn } from './sign-in.ts'
import { startTracker } from './tracker.ts'

const usage = `Runs a task tracker on your own machine, and signs you in against an OpenID provider beside it.

  npm start                     opens your browser to sign in
  npm start -- --no-browser     prints the address only, for SSH and containers

The tasks are kept in apps/demo/data, or in the file that PORTICO_DEMO_FILE names. Ctrl-C ends it.
`

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  const unknown = args.find((arg) => arg !== '--no-browser' && arg !== '--help')
  if (unknown !== undefined) console.error(`Unknown option ${unknown}.\n`)
  if (unknown !== undefined || args.includes('--help')) {
    console.log(usage)
    return unknown === undefined ? 0 : 2
  }
  await run(!args.includes('--no-browser'))
  return 0
}

async function run(openBrowser: boolean): Promise<void> {
  const stopped = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort())
  const file = process.env['PORTICO_DEMO_FILE'] ?? fileURLToPath(new URL('../data/tracker.db', import.meta.url))
  const tracker = await startTracker(file, 3000)
  const provider = await startLocalProvider()
  try {
    if (!tracker.gotPort) console.log('Port 3000 is taken, so another one serves.')
    console.log(describeTracker(tracker.url))
    console.log(`A local OpenID provider runs at ${provider.issuer}`)
    await signIn({ provider, openBrowser, signal: stopped.signal })
    if (!stopped.signal.aborted) await once(stopped.signal, 'abort')
  } finally {
    await provider.close()
    await tracker.close()
  }
  console.log('Stopped.')
}

function describeTracker(url: string): string {
  return `The task tracker runs at ${url}. Try:

  curl '${url}/board'
  curl '${url}/tasks/query?state=open&$with=project'
  curl '${url}/tasks' -H 'content-type: application/json' -d '{ "title": "Buy paint", "projectId": 1 }'
  curl '${url}/task-tags/one?taskId=1&tagId=1'

Its API is described, and can be tried out, at ${url}/api-docs
`
}
