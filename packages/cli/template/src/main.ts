import { DbError, openDatabase } from '@portico/db'
import { buildApp } from './app.js'
import { connect, prepare } from './database.js'

const db = await openDatabase(connect())
await prepare(db).catch((error: unknown) => {
  if (!(error instanceof DbError && error.code === 'SYNC_REFUSED')) throw error
  console.error(`The app does not start, since its database was not brought up to date:\n${error.message}`)
  process.exit(1)
})
const app = buildApp(db, { logger: true })
const port = Number(process.env['PORT'] ?? 3000)
const url = await app.listen({ port }).catch((error: NodeJS.ErrnoException) => {
  if (error.code !== 'EADDRINUSE') throw error
  console.error(`Port ${port} is taken: end what listens there, or take another one with PORT=${port + 1}`)
  process.exit(1)
})
console.log(`Listening at ${url}; its API is described at ${url}/api-docs`)

process.once('SIGINT', () => void stop(0))
process.once('SIGTERM', () => void stop(Number(process.env['DRAIN_MS'] ?? 0)))

/** Requests are served for `drainMs` more, so that a load balancer can see that the app is not ready any more. */
async function stop(drainMs: number): Promise<void> {
  await app.close({ drainMs })
  await db.close()
}
