import {
  type AuthServer,
  type AuthServerOptions,
  authTables,
  createAuthServer,
  createClientSecret,
} from '@portico/auth-server'
import { type Database, openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import { type App, type AppOptions, createApp } from '@portico/http'
import { createPkcePair, type ExchangeArgs, FakeIdentityProvider, type NormalizedProfile } from '@portico/identity'
import SqliteHandle from 'better-sqlite3'
import { fieldsOf, origin, TestBrowser } from './browser.ts'
import { quietLog } from './quiet-log.ts'

export const secret = 'a secret of thirty-two bytes or more'
const redirectUri = 'http://127.0.0.1:4100/callback'
export const { secret: clientSecret, hash: clientSecretHash } = createClientSecret()

export const webClient = {
  id: 'web',
  name: 'Web shop',
  redirectUris: ['https://shop.example/callback'],
  secretHashes: [clientSecretHash],
} as const

export const publicClient = { id: 'phone', name: 'Phone', redirectUris: ['com.example.phone:/callback'] } as const

/** A clock that tests turn by hand. */
export class TestClock {
  time = Date.UTC(2026, 0, 1)

  now(): number {
    return this.time
  }

  pass(seconds: number): void {
    this.time += seconds * 1000
  }
}

/** A provider that asks people each time, and says when, if it has a clock. */
class PeopleProvider extends FakeIdentityProvider {
  readonly #clock: TestClock | undefined

  constructor(id: string, authorizationEndpoint: string, clock: TestClock | undefined) {
    super({ id, authorizationEndpoint })
    this.#clock = clock
  }

  override async exchange(args: ExchangeArgs): Promise<NormalizedProfile> {
    return { ...(this.#clock && { authTime: this.#clock.now() }), ...(await super.exchange(args)) }
  }
}

/** Everybody who can sign in: the code is the person. */
export function createPeople(
  id: string,
  authorizationEndpoint = `https://${id}.example/authorize`,
  clock?: TestClock,
): FakeIdentityProvider {
  const person = (subject: string, email: string, displayName: string) => ({
    subject,
    email,
    emailVerified: true,
    displayName,
    raw: {},
  })
  return new PeopleProvider(id, authorizationEndpoint, clock)
    .setProfile('ada', person(`${id}-ada`, 'ada@x.example', 'Ada Lovelace'))
    .setProfile('eve', person(`${id}-eve`, 'eve@x.example', 'Eve <Eavesdropper>'))
    .setProfile('kim', person(`${id}-kim`, 'kim@x.example', 'Kim'))
    .setProfile('like-ada', person(`${id}-other`, 'Ada@x.example', 'Somebody'))
}

export interface TestServer extends AsyncDisposable {
  readonly app: App
  readonly server: AuthServer
  readonly db: Database
  readonly clock: TestClock
  readonly browser: () => TestBrowser
}

export interface TestServerOptions extends Partial<AuthServerOptions> {
  readonly clock?: TestClock
  readonly app?: AppOptions
  /** True if `db` already has the tables. */
  readonly isSynced?: boolean
}

let synced: Promise<Buffer> | undefined

/** An empty database with the tables: made once, copied for each test. */
function syncedDatabase(): Promise<Buffer> {
  synced ??= (async () => {
    const handle = new SqliteHandle(':memory:')
    await using db = await openDatabase(sqlite({ handle }))
    await db.sync(authTables)
    return handle.serialize()
  })()
  return synced
}

/** An auth server on a database of its own, or on the one given. */
export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { app: appOptions, isSynced = false, ...rest } = options
  const handle = options.db ? undefined : new SqliteHandle(await syncedDatabase())
  const db = options.db ?? (await openDatabase(sqlite({ handle: handle! })))
  if (options.db && !isSynced) await db.sync(authTables)
  const clock = options.clock ?? new TestClock()
  const server = createAuthServer({
    baseUrl: origin,
    secret,
    providers: ['work', 'home'].map((id) => createPeople(id, `https://${id}.example/authorize`, clock)),
    clients: [webClient, publicClient],
    scopes: { tasks: 'See and change your tasks' },
    rateLimits: { signIn: false, token: false, status: false },
    brand: { name: 'Tracker' },
    ...rest,
    db,
    clock,
  })
  const app = createApp({ logger: quietLog, ...appOptions }).register(server.routes)
  return {
    app,
    server,
    db,
    clock,
    browser: () => new TestBrowser(app),
    async [Symbol.asyncDispose]() {
      await app.close()
      if (options.db) return
      await db.close()
      handle?.close()
    },
  }
}

/** Goes to a provider and comes back as this person; answers what the callback answered. */
export async function returnAs(browser: TestBrowser, person: string, start: string) {
  const { left } = await browser.visit(start)
  const provider = left!.hostname.split('.')[0]
  const state = left!.searchParams.get('state')!
  return browser.get(`/auth/oauth/${provider}/callback?${new URLSearchParams({ code: person, state })}`)
}

export async function signIn(browser: TestBrowser, person = 'ada', provider = 'work') {
  return returnAs(browser, person, `/auth/oauth/${provider}/start`)
}

export interface Asked {
  readonly params: Record<string, string>
  readonly verifier: string
}

/** The request of a loopback client. */
export function ask(changes: Record<string, string | undefined> = {}): Asked {
  const { verifier, challenge } = createPkcePair()
  const params = {
    response_type: 'code',
    redirect_uri: redirectUri,
    state: 'the client’s state',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...changes,
  }
  const given = Object.entries(params).filter((it): it is [string, string] => it[1] !== undefined)
  return { params: Object.fromEntries(given), verifier }
}

export function askAsWeb(changes: Record<string, string | undefined> = {}): Asked {
  return ask({ client_id: 'web', redirect_uri: webClient.redirectUris[0], scope: 'openid email profile', ...changes })
}

export function authorizeUrl({ params }: Asked): string {
  return `/auth/authorize?${new URLSearchParams(params)}`
}

/** Brings a request to its consent page, signing in on the way where that is needed. */
export async function reachConsent(browser: TestBrowser, asked: Asked, person = 'ada') {
  const first = await browser.visit(authorizeUrl(asked))
  const way = first.page?.body.match(/href="(\/auth\/oauth\/work\/start[^"]*)"/)?.[1]
  if (way === undefined) return first
  return browser.follow(await returnAs(browser, person, way.replaceAll('&amp;', '&')))
}

/** Brings a request to its answer at the client. */
export async function obtainCallback(browser: TestBrowser, asked: Asked, person = 'ada'): Promise<URL> {
  const { page, left } = await reachConsent(browser, asked, person)
  if (left) return left
  const answer = await browser.post('/auth/consent', { ...fieldsOf(page!), decision: 'allow' })
  return new URL(String(answer.headers.location))
}

export function redemption(asked: Asked, callback: URL): Record<string, string> {
  return {
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code')!,
    code_verifier: asked.verifier,
    redirect_uri: asked.params['redirect_uri']!,
  }
}

/** Sends a form as a client does, without cookies. */
export function sendForm(app: App, url: string, form: Record<string, string>, headers: Record<string, string> = {}) {
  return app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(form).toString(),
  })
}

export interface Tokens {
  readonly access_token: string
  readonly token_type: string
  readonly expires_in: number
  readonly scope: string
  readonly id_token?: string
  readonly userId: string
}

/** A whole login of a loopback client. */
export async function logIn({ app, browser }: TestServer, asked = ask(), person = 'ada'): Promise<Tokens> {
  const callback = await obtainCallback(browser(), asked, person)
  return (await sendForm(app, '/auth/token', redemption(asked, callback))).json<Tokens>()
}

export function getStatus(app: App, token: string) {
  return app.inject({ url: '/auth/status', headers: { authorization: `Bearer ${token}` } })
}
