import { DbError, openDatabase } from '@portico/db'
import { buildApp } from './app.js'
import { createAdapter, prepare } from './database.js'

const db = await open().catch((error: unknown) => {
  // Problems of the database, not of the program: the message is enough, a stack trace would only hide it.
  const reasons = ['SYNC_REFUSED', 'SYNC_LOCKED', 'UNAVAILABLE', 'TIMEOUT', 'DATABASE_INVALID', 'DRIVER_MISSING']
  if (!(error instanceof DbError && reasons.includes(error.code))) throw error
  console.error(`The app cannot start: its database is not ready (${error.code}):\n${error.message}`)
  process.exit(1)
})
// In production, log everything as JSON; in development, only failures with readable stacks.
const app = buildApp(db, { logger: process.env['NODE_ENV'] === 'production' })
const port = Number(process.env['PORT'] ?? 3000)
const url = await app.listen({ port }).catch((error: NodeJS.ErrnoException) => {
  if (error.code !== 'EADDRINUSE') throw error
  console.error(`Port ${port} is in use: stop the other program, or choose another port with PORT=${port + 1}`)
  process.exit(1)
})
console.log(`Listening at ${url}; API docs at ${url}/api-docs`)

process.once('SIGINT', () => void stop(0))
process.once('SIGTERM', () => void stop(Number(process.env['DRAIN_MS'] ?? 0)))

async function open() {
  const opened = await openDatabase(createAdapter())
  await prepare(opened)
  return opened
}

/** Keeps serving requests for `drainMs`, so that a load balancer can see that the app is no longer ready. */
async function stop(drainMs: number): Promise<void> {
  await app.close({ drainMs })
  await db.close()
}
