import { createServer } from 'node:net'
import { authTables, createAuthServer } from '@portico/auth-server'
import { openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import { createApp } from '@portico/http'
import { OidcProvider } from '@portico/identity'
import { onTestFinished } from 'vitest'
import { startOpenidProvider } from '../../../../test/support/openid-provider.ts'

/** The platform's own authorization server, whose people sign in through a real OpenID provider, at once and as `ada`. */
export async function startSignInServer(): Promise<string> {
  const url = `http://127.0.0.1:${await findFreePort()}`
  const [clientId, clientSecret] = ['tracker', 'a secret that only the two of them know']
  const client = {
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: [`${url}/auth/oauth/work/callback`],
  }
  const people = await startOpenidProvider([{ ...client, id_token_signed_response_alg: 'ES256' }], 'ada')
  const db = await openDatabase(sqlite({ file: ':memory:' }))
  await db.sync(authTables)
  const provider = new OidcProvider({ id: 'work', issuer: people.issuer, clientId, clientSecret, scopes: ['openid'] })
  const { routes } = createAuthServer({
    db,
    baseUrl: url,
    secret: 'a secret of thirty-two bytes or more',
    providers: [provider],
  })
  const app = createApp().register(routes)
  await app.listen({ port: Number(new URL(url).port) })
  onTestFinished(async () => {
    await app.close()
    await db.close()
    await people[Symbol.asyncDispose]()
  })
  return url
}

function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
