import { openDatabase } from '@portico/db'
import { buildApp } from './app.js'
import { connect, prepare } from './database.js'

const db = await openDatabase(connect())
await prepare(db)
const app = buildApp(db)
const url = await app.listen({ port: Number(process.env['PORT'] ?? 3000) })
console.log(`Listening at ${url}; its API is described at ${url}/api-docs`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop())

async function stop(): Promise<void> {
  await app.close()
  await db.close()
}
