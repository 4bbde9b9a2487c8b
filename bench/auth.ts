import { createHash } from 'node:crypto'
import { AccessToken, authTables, createAuthServer, createClientSecret, User } from '@portico/auth-server'
import { openDatabase, type Database as PorticoDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import { createApp } from '@portico/http'
import { createPkcePair, FakeIdentityProvider } from '@portico/identity'
import Database from 'better-sqlite3'
import { startOpenidProvider } from '../test/support/openid-provider.ts'
import { type Contenders, measureInTurns } from './support/in-turns.ts'
import { median } from './support/statistics.ts'

export const title = 'What does the authorization server cost?'

const redirectUri = 'http://127.0.0.1:9/callback'
const client = createClientSecret()

export async function run(): Promise<string> {
  const verification = await measureVerification()
  const flow = await measureFlow()
  return [
    '**Verifying a token.** `server.verifyToken` on SQLite in memory with 10,000 tokens, compared with a hand-written lookup: one prepared',
    'join of token and user on the same connection, the same hash, the same checks. 40 rounds of 500 calls, taking turns, medians.',
    '',
    ...verification,
    '',
    '**A whole code flow** of a person who is signed in and has consented: authorize, token with a client secret, ES256 id token, over loopback',
    'connections. Portico keeps its state, including the audit log, in SQLite in memory; `oidc-provider` keeps its state in its own memory. Both run in the process',
    'that measures. 20 rounds of 10 flows, taking turns, medians.',
    '',
    ...flow,
  ].join('\n')
}

async function measureVerification(): Promise<string[]> {
  const handle = new Database(':memory:')
  const db = await openDatabase(sqlite({ handle }))
  await db.sync(authTables)
  const tokens = await fill(db, 10_000)
  const server = createAuthServer({ db, baseUrl: 'https://app.example', secret: 's'.repeat(32), providers: [] })
  const select = handle.prepare(
    `select t.id, t."userId", t.scope, t."expiresAt", t."lastUsedAt", t."revokedAt", u.active
     from auth_access_tokens t join auth_users u on u.id = t."userId" where t."tokenHash" = ?`,
  )
  const touch = handle.prepare('update auth_access_tokens set "lastUsedAt" = ? where id = ?')
  interface Row {
    id: string
    userId: string
    expiresAt: number
    lastUsedAt: number | null
    revokedAt: number | null
    active: number
  }
  let next = 0
  const pick = (): string => tokens[next++ % tokens.length]!
  const rows = await compare(40, 500, {
    'a lookup by hand': async () => {
      const row = select.get(createHash('sha256').update(pick()).digest('base64url')) as Row
      const now = Date.now()
      if (row.revokedAt !== null || row.expiresAt <= now || row.active !== 1) throw new Error('does not hold')
      if (now - (row.lastUsedAt ?? 0) >= 60_000) touch.run(now, row.id)
      return row.userId
    },
    '`server.verifyToken`': async () => {
      if (!(await server.verifyToken(pick()))) throw new Error('does not hold')
    },
  })
  await db.close()
  handle.close()
  return rows
}

async function fill(db: PorticoDatabase, count: number): Promise<string[]> {
  const now = Date.now()
  const users = await db.table(User).insertMany(
    Array.from({ length: 100 }, (_, n) => ({
      username: `user ${n}`,
      emailVerified: false,
      active: true,
      createdAt: now,
    })),
  )
  const tokens = Array.from({ length: count }, (_, n) => createHash('sha256').update(`token ${n}`).digest('base64url'))
  await db.table(AccessToken).insertMany(
    tokens.map((token, n) => ({
      tokenHash: createHash('sha256').update(token).digest('base64url'),
      codeHash: `code ${n}`,
      userId: users[n % users.length]!.id,
      scope: 'tasks',
      createdAt: now,
      expiresAt: now + 86_400_000,
      lastUsedAt: now,
    })),
  )
  return tokens
}

async function measureFlow(): Promise<string[]> {
  const options = {
    client_id: 'bench',
    client_secret: client.secret,
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'client_secret_post' as const,
    id_token_signed_response_alg: 'ES256' as const,
  }
  await using provider = await startOpenidProvider([options], 'ada')
  const ours = await startOurs()
  try {
    const contenders: Contenders = {
      '`oidc-provider`': await prepareFlow(`${provider.issuer}/auth`, `${provider.issuer}/token`),
      '`@portico/auth-server`': await prepareFlow(`${ours.url}/auth/authorize`, `${ours.url}/auth/token`),
    }
    return await compare(20, 10, contenders)
  } finally {
    await ours.close()
  }
}

async function startOurs(): Promise<{ url: string; close(): Promise<void> }> {
  const db = await openDatabase(sqlite({ file: ':memory:' }))
  await db.sync(authTables)
  const probe = createApp()
  const url = await probe.listen()
  await probe.close()
  const server = createAuthServer({
    db,
    baseUrl: url,
    secret: 's'.repeat(32),
    clients: [{ id: 'bench', name: 'Bench', redirectUris: [redirectUri], secretHashes: [client.hash] }],
    rateLimits: { signIn: false, token: false, status: false },
    providers: [
      new FakeIdentityProvider({
        authorizationEndpoint: `${url}/provider`,
        defaultProfile: { subject: 'ada', raw: {} },
      }),
    ],
  })
  const app = createApp().register(server.routes)
  await app.listen({ port: Number(new URL(url).port) })
  return {
    url,
    async close() {
      await app.close()
      await db.close()
    },
  }
}

/** Signs in and consents once, then repeats what a client does from then on. */
async function prepareFlow(authorizeUrl: string, tokenUrl: string): Promise<() => Promise<unknown>> {
  const visit = createVisitor()
  const flow = async (): Promise<unknown> => {
    const { verifier, challenge } = createPkcePair()
    const params = new URLSearchParams({
      client_id: 'bench',
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'openid',
      state: 'state',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    })
    const callback = await visit(`${authorizeUrl}?${params}`)
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      code_verifier: verifier,
      redirect_uri: redirectUri,
      client_id: 'bench',
      client_secret: client.secret,
    })
    const answer = (await (await fetch(tokenUrl, { method: 'POST', body })).json()) as Record<string, unknown>
    if (typeof answer['id_token'] !== 'string') throw new Error(`no id token: ${JSON.stringify(answer)}`)
    return answer
  }
  await flow()
  return flow
}

/** Follows redirects with cookies up to the client, and answers the pages on the way. */
function createVisitor(): (start: string) => Promise<URL> {
  const cookies = new Map<string, string>()
  const send = async (url: URL, init: RequestInit = {}): Promise<Response> => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const answer = await fetch(url, { ...init, redirect: 'manual', headers: { cookie, origin: url.origin } })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = line.match(/^([^=]+)=([^;]*)/) ?? []
      cookies.set(name, value)
    }
    return answer
  }
  return async (start) => {
    let url = new URL(start)
    let answer = await send(url)
    while (!url.href.startsWith(redirectUri)) {
      const location = answer.headers.get('location')
      const page = await answer.text()
      if (location !== null) {
        url = new URL(location, url)
        if (url.pathname === '/provider') url = returnAddress(url)
        if (!url.href.startsWith(redirectUri)) answer = await send(url)
        continue
      }
      const way = page.match(/href="(\/auth\/oauth[^"]*)"/)?.[1]
      if (way !== undefined) {
        url = new URL(way.replaceAll('&amp;', '&'), url)
        answer = await send(url)
        continue
      }
      const fields = [...page.matchAll(/name="(\w+)" value="([\w-]{43})"/g)].map(([, name = '', value = '']) => [
        name,
        value,
      ])
      const body = new URLSearchParams([...fields, ['decision', 'allow']])
      answer = await send(new URL('/auth/consent', url), { method: 'POST', body })
    }
    return url
  }
}

/** Where the fake provider sends the browser back to. */
function returnAddress({ searchParams }: URL): URL {
  const state = searchParams.get('state') ?? ''
  return new URL(`${searchParams.get('redirect_uri')}?${new URLSearchParams({ code: 'any', state })}`)
}

async function compare(rounds: number, callsPerRound: number, contenders: Contenders): Promise<string[]> {
  const samples = await measureInTurns(contenders, { rounds, callsPerRound })
  const [floor = []] = samples.values()
  return [
    '| program | per second | ratio | wall, µs | CPU, µs |',
    '|---|---|---|---|---|',
    ...[...samples].map(([name, own]) => {
      const wall = median(own.map(({ wallUs }) => wallUs))
      const ratio = median(own.map(({ wallUs }, round) => wallUs / floor[round]!.wallUs))
      const cpu = median(own.map(({ cpuUs }) => cpuUs))
      return `| ${name} | ${Math.round(1e6 / wall).toLocaleString('en')} | ${ratio.toFixed(2)} | ${wall.toFixed(0)} | ${cpu.toFixed(0)} |`
    }),
  ]
}
