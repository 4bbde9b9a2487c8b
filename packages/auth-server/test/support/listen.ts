import { createServer } from 'node:net'
import { type AuthServerOptions, authTables, createAuthServer } from '@portico/auth-server'
import { openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import { type AppOptions, createApp, type RouteDefinition } from '@portico/http'
import type { IdentityProvider } from '@portico/identity'
import { quietLog } from './quiet-log.ts'
import { secret, type TestServer } from './server.ts'

export interface ListeningServer extends AsyncDisposable, Pick<TestServer, 'server' | 'db' | 'app'> {
  readonly url: string
}

/** An auth server on a port of 127.0.0.1. Providers may need to know its address. */
export async function listen(
  providers: (url: string) => IdentityProvider[],
  options: Partial<AuthServerOptions> = {},
  routes: readonly RouteDefinition[] = [],
  appOptions: AppOptions = {},
): Promise<ListeningServer> {
  const db = await openDatabase(sqlite({ file: ':memory:' }))
  await db.sync(authTables)
  const port = await findPort()
  const url = `http://127.0.0.1:${port}`
  const server = createAuthServer({
    db,
    baseUrl: url,
    secret,
    brand: { name: 'Tracker' },
    scopes: { tasks: 'See and change your tasks' },
    rateLimits: { signIn: false, token: false, status: false },
    ...options,
    providers: providers(url),
  })
  const app = createApp({ logger: quietLog, ...appOptions }).register(server.routes, ...routes)
  await app.listen({ port })
  return {
    url,
    server,
    app,
    db,
    async [Symbol.asyncDispose]() {
      await app.close()
      await db.close()
    },
  }
}

function findPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
