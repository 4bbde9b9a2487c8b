import { AccessToken, AuditEvent, AuthorizationCode, AuthorizationRequest, Consent } from '@portico/auth-server'
import type { Database } from '@portico/db'
import type { AnyTable } from '@portico/schema/runtime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf } from './support/browser.ts'
import { engines, type SharedDatabase } from './support/engines.ts'
import { interrupt } from './support/interrupt.ts'
import {
  ask,
  askAsWeb,
  authorizeUrl,
  clientSecret,
  getStatus,
  obtainCallback,
  reachConsent,
  redemption,
  sendForm,
  signIn,
  startServer,
  type TestServer,
} from './support/server.ts'

// Interleavings between two steps of a request. No step relies on a transaction: MongoDB, as a single server, has none.
describe.each(engines)('between two steps, on %s', (engine, share) => {
  let shared: SharedDatabase
  let database: Database
  let meanwhile: (() => Promise<unknown> | undefined) | undefined

  beforeAll(async () => {
    shared = await share()
    database = await shared.open()
    await using it = await startServer({ db: database })
    if (engine === 'MongoDB')
      await expect(database.transaction(async () => {})).rejects.toMatchObject({ code: 'TRANSACTIONS_UNSUPPORTED' })
    await signIn(it.browser())
  })
  afterAll(() => shared?.[Symbol.asyncDispose]())

  /** A server to which `meanwhile` happens before this operation, on a database without what the last test left. */
  async function startInterrupted(table: AnyTable, operation: Parameters<typeof interrupt>[2]): Promise<TestServer> {
    meanwhile = undefined
    for (const each of [AccessToken, AuthorizationCode, Consent, AuditEvent])
      await database.table(each as typeof Consent).deleteMany({})
    return startServer({ db: interrupt(database, table, operation, () => meanwhile?.()), isSynced: true })
  }

  async function grantBefore({ db, server }: TestServer, scope: string): Promise<string> {
    const userId = (await server.users.findByEmail('ada@x.example'))!.id
    await db.table(Consent).insertOne({ userId, clientId: 'web', scope, grantedAt: 0 })
    return userId
  }

  const liveTokens = ({ db }: TestServer) => db.table(AccessToken).count({ revokedAt: null })

  describe('a code', () => {
    it('used again while its token is being issued revokes that token', async () => {
      await using it = await startInterrupted(AccessToken, 'insertOne')
      const asked = ask()
      const form = redemption(asked, await obtainCallback(it.browser(), asked))
      const replays: number[] = []
      meanwhile = async () => replays.push((await sendForm(it.app, '/auth/token', form)).statusCode)
      const answer = await sendForm(it.app, '/auth/token', form)
      expect([answer.json().error, replays]).toEqual(['invalid_grant', [400]])
      expect([await it.db.table(AccessToken).count(), await liveTokens(it)]).toEqual([1, 0])
    })

    it('deleted while its token is being issued revokes that token', async () => {
      await using it = await startInterrupted(AccessToken, 'insertOne')
      const asked = ask()
      const form = redemption(asked, await obtainCallback(it.browser(), asked))
      meanwhile = () => it.db.table(AuthorizationCode).deleteMany({ usedAt: { $ne: null } })
      expect((await sendForm(it.app, '/auth/token', form)).json().error).toBe('invalid_grant')
      expect(await liveTokens(it)).toBe(0)
    })
  })

  describe('consent that is taken back', () => {
    /** Each moment, as the operation before which it comes, and which time that is. */
    const moments = [
      ['after it was looked up', AuthorizationRequest, 'deleteMany', 1],
      ['before the code is made', AuthorizationCode, 'insertOne', 1],
      ['after the code was made', Consent, 'findById', 2],
    ] as const

    it.each(moments)('%s issues no code, with prompt=none or without', async (_, table, operation, turn) => {
      for (const [prompt, error] of [
        ['none', 'consent_required'],
        [undefined, 'access_denied'],
      ] as const) {
        await using it = await startInterrupted(table, operation)
        const userId = await grantBefore(it, 'openid')
        const browser = it.browser()
        await signIn(browser)
        let turns = 0
        meanwhile = () => (++turns === turn ? it.server.revokeConsent(userId, 'web') : undefined)
        const { left } = await browser.visit(authorizeUrl(askAsWeb({ scope: 'openid', prompt })))
        expect([left!.searchParams.get('error'), left!.searchParams.has('code')]).toEqual([error, false])
        expect([await it.db.table(AuthorizationCode).count(), await it.db.table(Consent).count()]).toEqual([0, 0])
        const lines = await it.db.table(AuditEvent).findMany({ where: { event: 'consent' } })
        expect(lines.map(({ outcome, reason }) => [outcome, reason])).toEqual([['refused', error]])
      }
    })

    it('ends a code and a token that are issued between its own steps', async () => {
      for (const table of [Consent, AuthorizationCode]) {
        await using it = await startInterrupted(table, 'deleteMany')
        const userId = await grantBefore(it, 'openid')
        const browser = it.browser()
        await signIn(browser)
        const asked = askAsWeb({ scope: 'openid', prompt: 'none' })
        const credentials = { client_id: 'web', client_secret: clientSecret }
        const obtain = () => obtainCallback(browser, asked)
        const redeem = async (callback: URL) =>
          (await sendForm(it.app, '/auth/token', { ...redemption(asked, callback), ...credentials })).statusCode
        let callback = table === Consent ? undefined : await obtain()
        let redeemed: number | undefined
        meanwhile = async () => {
          if (callback) redeemed = await redeem(callback)
          else callback = await obtain()
        }
        expect(await it.server.revokeConsent(userId, 'web')).toBe(true)
        expect([callback!.searchParams.has('code'), redeemed ?? (await redeem(callback!))]).toEqual([
          true,
          table === Consent ? 400 : 200,
        ])
        expect(await liveTokens(it)).toBe(0)
      }
    })

    it('while it is being given issues no code either', async () => {
      await using it = await startInterrupted(AuthorizationCode, 'insertOne')
      const userId = (await it.server.users.findByEmail('ada@x.example'))!.id
      meanwhile = () => it.server.revokeConsent(userId, 'web')
      const callback = await obtainCallback(it.browser(), askAsWeb())
      expect([callback.searchParams.get('error'), callback.searchParams.has('code')]).toEqual(['access_denied', false])
      expect(await it.db.table(AuthorizationCode).count()).toBe(0)
    })

    it('is not restored by a consent that is granted at the same moment', async () => {
      await using it = await startInterrupted(Consent, 'updateMany')
      const userId = await grantBefore(it, 'email')
      meanwhile = () => it.server.revokeConsent(userId, 'web')
      expect((await obtainCallback(it.browser(), askAsWeb({ scope: 'tasks' }))).searchParams.has('code')).toBe(true)
      expect(await it.server.listConsents(userId)).toMatchObject([{ scope: ['tasks'] }])
    })
  })

  it.each(['insertOne', 'updateMany'] as const)(
    'two answers for different scopes are both remembered (%s)',
    async (operation) => {
      await using it = await startInterrupted(Consent, operation)
      if (operation === 'updateMany') await grantBefore(it, 'openid')
      const [first, second] = [it.browser(), it.browser()]
      const answers = [
        { browser: first, page: (await reachConsent(first, askAsWeb({ scope: 'tasks' }))).page! },
        { browser: second, page: (await reachConsent(second, askAsWeb({ scope: 'email' }))).page! },
      ]
      const [one, two] = answers.map(({ browser, page }) => async () => {
        const answer = await browser.post('/auth/consent', { ...fieldsOf(page), decision: 'allow' })
        expect(new URL(String(answer.headers.location)).searchParams.has('code')).toBe(true)
      })
      meanwhile = () => two!()
      await one!()
      const [consent] = await it.db.table(Consent).findMany({})
      const scopes = consent!.scope.split(' ').sort()
      expect(scopes).toEqual(operation === 'insertOne' ? ['email', 'tasks'] : ['email', 'openid', 'tasks'])
    },
  )

  it('a revoked token is invalid immediately', async () => {
    await using it = await startInterrupted(AccessToken, 'updateMany')
    const asked = ask()
    const callback = await obtainCallback(it.browser(), asked)
    const { access_token } = (await sendForm(it.app, '/auth/token', redemption(asked, callback))).json()
    const statusOf = async () => (await getStatus(it.app, access_token)).statusCode
    let before = 0
    meanwhile = async () => {
      before = await statusOf()
    }
    await sendForm(it.app, '/auth/revoke', { token: access_token })
    expect([before, await statusOf()]).toEqual([200, 401])
  })
})
