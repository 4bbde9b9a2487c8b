import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type ConfigurableProvider,
  FakeIdentityProvider,
  FederatedLoginService,
  type FetchLike,
  IdentityConflictError,
  MemoryFederatedIdentityStore,
  MemoryUserService,
  type NormalizedProfile,
  OAuthError,
  OAuthProviderRegistry,
} from '@portico/identity'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { root } from '../../../scripts/run.mjs'
import { expectNoLeak, failureOf, MARK } from './support/failure.ts'
import { exchangeArgs } from './support/hostile-provider.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portico-identity-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Loads the TypeScript block of a page that exports `name`. */
async function load<T>(page: string, name: string): Promise<T> {
  const text = await readFile(join(root, page), 'utf8')
  const blocks = [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code)
  const code = blocks.find((it) => new RegExp(`^export .*\\b${name}\\b`, 'm').test(it))
  if (code === undefined) throw new Error(`${page} exports no ${name}`)
  const file = join(folder, `${name}.ts`)
  await writeFile(file, code)
  const module = (await import(/* @vite-ignore */ file)) as Record<string, T>
  return module[name]!
}

describe('the provider in own.md', () => {
  type Directory = new (options?: { fetch?: FetchLike }) => ConfigurableProvider
  const reply = (body: string, status = 200) => ({
    ok: status < 400,
    status,
    json: async () => JSON.parse(body) as unknown,
    text: async () => body,
  })
  const broken: [name: string, fetch: FetchLike][] = [
    [
      'no connection',
      async (_url, init) => {
        throw new Error(`cannot send ${init?.body}`)
      },
    ],
    ['a body that is not JSON', async () => reply(MARK)],
    ['an error status', async () => reply('{"key":"ada"}', 500)],
    ['another shape', async () => reply('{"key":7}')],
    ['an empty key', async () => reply('{"key":""}')],
    ['null', async () => reply('null')],
  ]
  test.each(broken)('throws an OAuthError without secrets for %s', async (_name, fetch) => {
    const DirectoryProvider = await load<Directory>('docs/guide/providers/own.md', 'DirectoryProvider')
    const error = await failureOf(new DirectoryProvider({ fetch }).exchange(exchangeArgs))
    expect(error).toMatchObject({ type: 'EXCHANGE_FAILED', details: { provider: 'directory' } })
  })

  test('uses the fetch of the registry unless it has its own', async () => {
    const DirectoryProvider = await load<Directory>('docs/guide/providers/own.md', 'DirectoryProvider')
    const shared: FetchLike = async () => reply('{"key":"shared"}')
    const own: FetchLike = async () => reply('{"key":"own"}')
    const subjectOf = async (provider: ConfigurableProvider) => {
      provider.applyDefaults({ fetch: shared })
      return (await provider.exchange(exchangeArgs)).subject
    }
    expect(await subjectOf(new DirectoryProvider())).toBe('shared')
    expect(await subjectOf(new DirectoryProvider({ fetch: own }))).toBe('own')
  })
})

describe('the callback in gamma.md', () => {
  const profile = { subject: 'ada', raw: {} }
  const registry = new OAuthProviderRegistry({
    baseUrl: 'https://app.example',
    stateSecret: `state-secret-${MARK}-${'s'.repeat(32)}`,
    providers: [new FakeIdentityProvider({ id: 'gamma', defaultProfile: profile })],
  })
  type Finish = (...args: [typeof registry, Map<string, object>, IncomingMessage]) => Promise<NormalizedProfile>

  function post(form: Record<string, string>, cookie: string): IncomingMessage {
    const request = new IncomingMessage(new Socket())
    request.headers = { cookie }
    request.push(new URLSearchParams(form).toString())
    request.push(null)
    return request
  }

  test('accepts the browser that started the sign-in, once', async () => {
    const finish = await load<Finish>('docs/guide/providers/gamma.md', 'finish')
    const cookieFor = await load<(handle: string) => string>('docs/guide/providers/gamma.md', 'cookieFor')
    const state = await registry.signState({ random: 'r', provider: 'gamma', redirect: '/', handle: 'h' })
    const started = new Map([['h', exchangeArgs]])
    const cookie = `theme=dark; ${cookieFor('h').split(';')[0]}`
    const form = { code: 'any', state }
    await expect(finish(registry, started, post(form, 'theme=dark'))).rejects.toThrow('not started in this browser')
    await expect(finish(registry, started, post({ code: 'any', state: `${state}0` }, cookie))).rejects.toMatchObject({
      type: 'STATE_INVALID',
    })
    expect((await finish(registry, started, post(form, cookie))).subject).toBe('ada')
    await expect(finish(registry, started, post(form, cookie))).rejects.toThrow('not started in this browser')
    await expect(finish(registry, started, post({ filler: 'x'.repeat(70_000) }, cookie))).rejects.toThrow('too large')
  })
})

describe('the code in linking.md', () => {
  const page = 'docs/guide/linking.md'
  const profile: NormalizedProfile = { provider: 'alpha', subject: '7', email: 'ada@x.example', raw: { token: MARK } }
  let users: MemoryUserService
  let federated: MemoryFederatedIdentityStore
  let logins: FederatedLoginService
  let userId: string

  beforeEach(async () => {
    users = new MemoryUserService()
    federated = new MemoryFederatedIdentityStore()
    logins = new FederatedLoginService({ users, federated })
    userId = (await users.createUser('ada', { email: 'ada@x.example' })).id
    await federated.link({ provider: 'beta', subject: '1', userId })
  })

  interface Session {
    pendingLink?: { expiresAt: number }
  }
  type Ask = (...args: [MemoryFederatedIdentityStore, Session, NormalizedProfile, string]) => Promise<string[]>
  type Finish = (...args: [FederatedLoginService, Session, string]) => Promise<void>

  test('finishes needs-link after a sign-in to the candidate, and only then', async () => {
    const askToSignIn = await load<Ask>(page, 'askToSignIn')
    const finishPendingLink = await load<Finish>(page, 'finishPendingLink')
    const linked = async () => (await federated.find('alpha', '7'))?.userId
    const session: Session = {}
    const ask = () => askToSignIn(federated, session, profile, userId)

    expect(await ask()).toEqual(['beta'])
    expectNoLeak(session)
    await finishPendingLink(logins, session, 'somebody else')
    expect([await linked(), session]).toEqual([undefined, {}])
    await ask()
    session.pendingLink!.expiresAt = Date.now() - 1
    await finishPendingLink(logins, session, userId)
    expect(await linked()).toBeUndefined()
    await ask()
    await finishPendingLink(logins, session, userId)
    expect(await federated.find('alpha', '7')).toMatchObject({ userId, email: 'ada@x.example' })
    expect(await logins.resolveUser(profile)).toMatchObject({ kind: 'linked', userId })
  })

  test('connects a provider for the user who asked and is still signed in', async () => {
    const connect = await load<(...args: unknown[]) => Promise<unknown>>(page, 'connect')
    const state = { random: 'r', provider: 'alpha', redirect: '/', userId }
    for (const [given, session] of [
      [state, 'other'],
      [state, undefined],
      [{ ...state, userId: undefined }, undefined],
    ])
      await expect(connect(logins, given, profile, session)).rejects.toThrow('connect again')
    expect(await connect(logins, state, profile, userId)).toMatchObject({ provider: 'alpha', userId })
  })

  test('reports a conflict, unlinks only own identities, and keeps the last one', async () => {
    const tryToLink = await load<(...args: unknown[]) => Promise<string>>(page, 'tryToLink')
    const disconnect = await load<(...args: unknown[]) => Promise<boolean>>(page, 'disconnect')
    expect(await tryToLink(logins, userId, profile)).toBe('linked')
    expect(await tryToLink(logins, 'other', profile)).toBe('belongs-to-another')
    expect(await disconnect(federated, { id: 'other', hasPassword: true }, 'alpha', '7')).toBe(false)
    expect(await disconnect(federated, { id: userId, hasPassword: false }, 'alpha', '7')).toBe(true)
    await expect(disconnect(federated, { id: userId, hasPassword: false }, 'beta', '1')).rejects.toThrow('only way')
    expect(await disconnect(federated, { id: userId, hasPassword: true }, 'beta', '1')).toBe(true)
  })

  test('deletes a user with all identities', async () => {
    const deleteAccount = await load<(...args: unknown[]) => Promise<void>>(page, 'deleteAccount')
    await deleteAccount(users, federated, userId)
    expect([await users.findById(userId), await federated.find('beta', '1')]).toEqual([null, null])
  })
})

test('explain in the README distinguishes a refusal from a failure, and rethrows other errors', async () => {
  const explain = await load<(error: unknown) => string>('packages/identity/README.md', 'explain')
  expect(explain(new OAuthError('PROVIDER_DENIED', undefined, { error: 'access_denied' }))).toContain('declined')
  expect(explain(new OAuthError('PROVIDER_DENIED', undefined, { error: 'server_error' }))).toContain('try again')
  expect(explain(new OAuthError('STATE_EXPIRED'))).toContain('start again')
  expect(explain(new IdentityConflictError())).toContain('another account')
  expect(() => explain(new TypeError('a bug'))).toThrow('a bug')
})
