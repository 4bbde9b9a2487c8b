import { DbError, openDatabase } from '@portico/db'
import { buildApp } from './app.js'
import { connect, prepare } from './database.js'

const db = await open().catch((error: unknown) => {
  // Reasons that lie in the database, not in the program: the message says it all, and a stack would only hide it.
  const reasons = ['SYNC_REFUSED', 'SYNC_LOCKED', 'UNAVAILABLE', 'TIMEOUT', 'DATABASE_INVALID', 'DRIVER_MISSING']
  if (!(error instanceof DbError && reasons.includes(error.code))) throw error
  console.error(`The app does not start, since its database is not ready (${error.code}):\n${error.message}`)
  process.exit(1)
})
// In production everything is logged, as JSON; in development failures alone, with readable stacks.
const app = buildApp(db, { logger: process.env['NODE_ENV'] === 'production' })
const port = Number(process.env['PORT'] ?? 3000)
const url = await app.listen({ port }).catch((error: NodeJS.ErrnoException) => {
  if (error.code !== 'EADDRINUSE') throw error
  console.error(`Port ${port} is taken: end what listens there, or take another one with PORT=${port + 1}`)
  process.exit(1)
})
console.log(`Listening at ${url}; its API is described at ${url}/api-docs`)

process.once('SIGINT', () => void stop(0))
process.once('SIGTERM', () => void stop(Number(process.env['DRAIN_MS'] ?? 0)))

async function open() {
  const opened = await openDatabase(connect())
  await prepare(opened)
  return opened
}

/** Requests are served for `drainMs` more, so that a load balancer can see that the app is not ready any more. */
async function stop(drainMs: number): Promise<void> {
  await app.close({ drainMs })
  await db.close()
}
