import { AuditEvent, AuthorizationRequest, authTables, RateLimit, SignIn, SigningKey } from '@portico/auth-server'
import { type Database, openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import SqliteHandle from 'better-sqlite3'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { titleOf } from './support/browser.ts'
import { engines } from './support/engines.ts'
import { interrupt } from './support/interrupt.ts'
import { ask, authorizeUrl, sendForm, startServer } from './support/server.ts'

describe('what strangers store', () => {
  it('is one audit row per kind of refusal, address and hour, with a count', async () => {
    await using it = await startServer()
    const refuse = (remoteAddress: string) => it.app.inject({ url: '/auth/authorize?client_id=nobody', remoteAddress })
    for (let n = 0; n < 20; n += 1) await refuse('192.0.2.1')
    await refuse('192.0.2.2')
    const read = async () => {
      const lines = await it.db.table(AuditEvent).findMany({ orderBy: { ip: 'asc', at: 'asc' } })
      return lines.map(({ ip, reason, count, at }) => [ip, reason, count, at])
    }
    const first = it.clock.time
    expect(await read()).toEqual([
      ['192.0.2.1', 'client-unknown', 20, first],
      ['192.0.2.2', 'client-unknown', 1, first],
    ])
    it.clock.pass(1800)
    await refuse('192.0.2.1')
    it.clock.pass(1800)
    await refuse('192.0.2.1')
    expect(await read()).toEqual([
      ['192.0.2.1', 'client-unknown', 21, first + 1_800_000],
      ['192.0.2.1', 'client-unknown', 1, first + 3_600_000],
      ['192.0.2.2', 'client-unknown', 1, first],
    ])
  })

  it('has no row for a made-up name, and names the client whose secret is guessed', async () => {
    await using it = await startServer()
    for (let n = 0; n < 10; n += 1)
      for (const client_id of [`made-up-${n}`, 'web'])
        await sendForm(it.app, '/auth/token', { grant_type: 'authorization_code', client_id, client_secret: 'guess' })
    const basic = { authorization: `Basic ${Buffer.from('web:guess').toString('base64')}` }
    await sendForm(it.app, '/auth/token', { grant_type: 'authorization_code' }, basic)
    const lines = await it.db.table(AuditEvent).findMany({ orderBy: { count: 'asc' } })
    expect(lines.map(({ event, clientId, reason, count }) => [event, clientId, reason, count])).toEqual([
      ['token', undefined, 'invalid_client: the client is unknown or not authenticated', 10],
      ['token', 'web', 'invalid_client: the client is unknown or not authenticated', 11],
    ])
  })

  it('is limited in length: redirect URIs, other parameters and return addresses', async () => {
    await using it = await startServer()
    const long = (length: number) => 'x'.repeat(length)
    const base = 'http://127.0.0.1:4100/'
    const answerTo = async (url: string) => {
      const answer = await it.app.inject(url)
      const { location } = answer.headers
      if (location === undefined) return titleOf(answer)
      return new URL(String(location), 'https://app.example').searchParams.get('error') ?? 'kept'
    }
    expect(await answerTo(authorizeUrl(ask({ redirect_uri: base + long(2048 - base.length) })))).toBe('kept')
    expect(await answerTo(authorizeUrl(ask({ redirect_uri: base + long(2049 - base.length) })))).toBe(
      'This sign-in cannot be completed',
    )
    for (const name of ['scope', 'state', 'nonce'])
      expect([name, await answerTo(authorizeUrl(ask({ [name]: long(2049) })))]).toEqual([name, 'invalid_request'])
    expect(await answerTo(`/auth/oauth/work/start?return_to=/${long(2047)}`)).toBe('kept')
    expect(await answerTo(`/auth/oauth/work/start?return_to=/${long(2048)}`)).toBe('This request is not valid')
    expect([await it.db.table(AuthorizationRequest).count(), await it.db.table(SignIn).count()]).toEqual([1, 1])
  })
})

describe.each(engines)('refusals on %s', (_, share) => {
  it('are counted together by all instances, many at once', async () => {
    await using shared = await share()
    const db = await shared.open()
    await using one = await startServer({ db })
    await using two = await startServer({ db: await shared.open(), isSynced: true })
    const urls = Array.from({ length: 20 }, () => '/auth/authorize?client_id=nobody')
    await Promise.all([one, two].flatMap(({ app }) => urls.map((url) => app.inject(url))))
    await one.app.inject(urls[0]!)
    const lines = await db.table(AuditEvent).findMany({})
    expect(lines.map(({ reason, count }) => [reason, count])).toEqual([['client-unknown', 41]])
  }, 60_000)
})

/** The database, and how often the keys were read from it; `fail` has it refuse them from then on. */
function watchKeys(db: Database): { db: Database; reads: () => number; fail: () => void } {
  let reads = 0
  let isDown = false
  const readKeys = async (query: Parameters<ReturnType<typeof keys>['findMany']>[0]) => {
    if (isDown) throw new Error('the database is down')
    const rows = await keys().findMany(query)
    reads += 1
    return rows
  }
  const keys = () => db.table(SigningKey)
  const watched = <T extends object>(object: T, name: string, replacement: unknown): T =>
    new Proxy(object, {
      get(target, key) {
        if (key === name) return replacement
        const member: unknown = Reflect.get(target, key)
        return typeof member === 'function' ? (member.bind(target) as unknown) : member
      },
    })
  return {
    db: watched(db, 'table', (asked: typeof SigningKey) =>
      asked === SigningKey ? watched(keys(), 'findMany', readKeys) : db.table(asked),
    ),
    reads: () => reads,
    fail: () => {
      isDown = true
    },
  }
}

describe('the keys', () => {
  it('come from memory, and are read at most once a minute', async () => {
    await using database = await openDatabase(sqlite({ file: ':memory:' }))
    await database.sync(authTables)
    const { db, reads } = watchKeys(database)
    await using it = await startServer({ db })
    await it.app.inject('/auth/jwks')
    // Once when the app starts, twice for what signs, since the first key has to be made, and once for what is published.
    await vi.waitFor(() => expect(reads()).toBe(4))
    const first = reads()
    for (let n = 0; n < 100; n += 1) await it.app.inject('/auth/jwks')
    await Promise.all(Array.from({ length: 100 }, () => it.app.inject('/auth/jwks')))
    expect(reads()).toBe(first)
    it.clock.pass(61)
    await Promise.all(Array.from({ length: 100 }, () => it.app.inject('/auth/jwks')))
    // Once for what signs, once for what is published.
    await vi.waitFor(() => expect(reads()).toBe(first + 2))
  })

  it('are loaded before the first request, if another instance has created them', async () => {
    await using database = await openDatabase(sqlite({ file: ':memory:' }))
    await database.sync(authTables)
    await using first = await startServer({ db: database, isSynced: true })
    const made = (await first.app.inject('/auth/jwks')).json()
    const { db, reads, fail } = watchKeys(database)
    await using it = await startServer({ db, isSynced: true, clock: first.clock })
    await it.app.inject('/auth/sign-in')
    await vi.waitFor(() => expect(reads()).toBe(1))
    fail()
    expect((await it.app.inject('/auth/jwks')).json()).toEqual(made)
  })

  it('include one that another instance made, a minute later at most', async () => {
    await using it = await startServer({ lifetimes: { signingKeySec: 7 * 86_400 } })
    const shared = { db: it.db, isSynced: true, clock: it.clock, lifetimes: { signingKeySec: 7 * 86_400 } }
    await using other = await startServer(shared)
    const kidsOf = async ({ app }: typeof it) =>
      (await app.inject('/auth/jwks')).json<{ keys: { kid: string }[] }>().keys.map(({ kid }) => kid)
    expect(await kidsOf(other)).toEqual(await kidsOf(it))
    it.clock.pass(6.5 * 86_400)
    expect(await kidsOf(it)).toHaveLength(2)
    expect(await kidsOf(other)).toEqual(await kidsOf(it))
  })
})

describe('the sweep', () => {
  afterEach(() => void vi.useRealTimers())

  it('uses the index on the expiry in every table, and continues where its last round ended', async () => {
    const statements: string[] = []
    const handle = new SqliteHandle(':memory:', { verbose: (text) => statements.push(String(text)) })
    await using db = await openDatabase(sqlite({ handle }))
    await using it = await startServer({ db })
    statements.length = 0
    await it.server.sweep()
    const looks = statements.filter((text) => /^select/i.test(text))
    const expiring = authTables.filter(({ columns }) => columns.some(({ name }) => name === 'expiresAt'))
    const searched = new Set(looks.map((text) => /from "(\w+)"/i.exec(text)?.[1]))
    expect(searched).toEqual(new Set(expiring.map((it) => it.table)))
    expect(looks).toHaveLength(expiring.length)
    for (const text of looks) {
      const plan = handle.prepare(`explain query plan ${text}`).all() as { detail: string }[]
      expect(plan[0]!.detail).toMatch(
        /^SEARCH \w+ USING (COVERING )?INDEX \w*expiresAt\w* \(expiresAt>\? AND expiresAt<\?\)$/,
      )
    }
    const rows = Array.from({ length: 2500 }, (_, n) => ({ id: `row-${n}`, expiresAt: n }))
    await it.db.table(RateLimit).insertMany(rows)
    statements.length = 0
    expect(await it.server.sweep()).toBe(2500)
    const rounds = statements.filter((text) => /^select.*auth_rate_limits/is.test(text))
    expect(rounds.map((text) => /"expiresAt" >= ([\d.]+)/.exec(text)?.[1]).map(Number)).toEqual([0, 999, 1999])
    handle.close()
  })

  it('spreads the expiry of rate limits', async () => {
    await using it = await startServer({ rateLimits: {} })
    for (let n = 0; n < 50; n += 1) await it.app.inject({ url: '/auth/status', remoteAddress: `192.0.2.${n}` })
    const moments = (await it.db.table(RateLimit).findMany({})).map(({ expiresAt }) => expiresAt)
    expect(new Set(moments).size).toBeGreaterThan(45)
    expect(Math.min(...moments)).toBeGreaterThanOrEqual(it.clock.time + 60_000)
  })

  it('runs every minute while the app is open, and ends with it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    await using it = await startServer()
    await it.browser().get('/auth/oauth/work/start')
    it.clock.pass(600)
    const visits = it.db.table(SignIn)
    vi.advanceTimersByTime(59_999)
    expect(await visits.count()).toBe(1)
    vi.advanceTimersByTime(1)
    await vi.waitFor(async () => expect(await visits.count()).toBe(0))
    expect(vi.getTimerCount()).toBe(1)
    await it.app.close()
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each([
    ['every 5 s', 5, 1],
    ['not at all', 0, 0],
  ])('runs %s where the options say so', async (_, sweepEverySec, timers) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    await using it = await startServer({ sweepEverySec })
    await it.browser().get('/auth/oauth/work/start')
    it.clock.pass(600)
    expect(vi.getTimerCount()).toBe(timers)
    vi.advanceTimersByTime(5000)
    await vi.waitFor(async () => expect(await it.db.table(SignIn).count()).toBe(1 - timers))
  })

  it('logs a failure, continues the next time, and never runs twice at once', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    await using database = await openDatabase(sqlite({ file: ':memory:' }))
    await database.sync(authTables)
    const lines: string[] = []
    let failures = 0
    const db = interrupt(database, SignIn, 'deleteMany', () => {
      failures += 1
      return Promise.reject(new Error('the disk is full'))
    })
    const logger = { level: 'error', stream: { write: (line: string) => void lines.push(line) } } as never
    await using it = await startServer({ db, app: { logger } })
    await it.browser().get('/auth/oauth/work/start')
    it.clock.pass(600)
    vi.advanceTimersByTime(60_000)
    await vi.waitFor(() => expect(lines).toHaveLength(1))
    expect(JSON.parse(lines[0]!)).toMatchObject({ msg: 'expired rows could not be deleted' })
    vi.advanceTimersByTime(180_000)
    await vi.waitFor(async () => expect(await database.table(SignIn).count()).toBe(0))
    expect([failures, lines.length]).toEqual([1, 1])
  })

  it('leaves the rest of a backlog when the app closes', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    await using database = await openDatabase(sqlite({ file: ':memory:' }))
    await database.sync(authTables)
    let closed: Promise<void> | undefined
    const db = interrupt(database, RateLimit, 'deleteMany', async () => {
      const cleared = vi.spyOn(globalThis, 'clearInterval')
      closed = it.app.close()
      await vi.waitFor(() => expect(cleared).toHaveBeenCalled())
      cleared.mockRestore()
    })
    await using it = await startServer({ db })
    await it.app.fastify.ready()
    const rows = Array.from({ length: 2500 }, (_, n) => ({ id: `row-${n}`, expiresAt: n }))
    await database.table(RateLimit).insertMany(rows)
    vi.advanceTimersByTime(60_000)
    await vi.waitFor(() => expect(closed).toBeDefined())
    await closed
    expect(await database.table(RateLimit).count()).toBe(1500)
  })

  it('does not keep the process alive', async () => {
    const made: NodeJS.Timeout[] = []
    const spy = vi.spyOn(globalThis, 'setInterval')
    await using it = await startServer()
    await it.app.inject('/auth/sign-in')
    for (const { value } of spy.mock.results) made.push(value as NodeJS.Timeout)
    spy.mockRestore()
    expect(made.map((timer) => timer.hasRef())).toEqual([false])
  })
})
