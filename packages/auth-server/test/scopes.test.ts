import { AuditEvent, AuthServerError, Consent } from '@portico/auth-server'
import { createApp, defineRoute } from '@portico/http'
import { describe, expect, it } from 'vitest'
import { fieldsOf, TestBrowser, titleOf } from './support/browser.ts'
import { quietLog } from './support/quiet-log.ts'
import {
  type Asked,
  ask,
  askAsWeb,
  clientSecret,
  getStatus,
  logIn,
  obtainCallback,
  reachConsent,
  redemption,
  sendForm,
  signIn,
  startServer,
  type TestServer,
  type TestServerOptions,
  type Tokens,
  webClient,
} from './support/server.ts'

const scopes = {
  tasks: 'See and change your tasks',
  notes: 'See your notes',
  admin: { label: 'Administer the shop', roles: ['admin', 'owner'] },
}

const start = (options: TestServerOptions = {}) => startServer({ scopes, ...options })

/** An application with a route behind each kind of guard. */
function guarded({ server }: TestServer) {
  const { guards } = server
  const routes = {
    '/person': [guards.signedIn],
    '/called': [guards.signedIn()],
    '/tasks': [guards.signedIn('tasks')],
    '/both': [guards.signedIn('tasks', 'notes')],
    '/token': [guards.bearer('tasks')],
    '/admin': [guards.role('admin')],
    '/admin-api': [guards.signedIn('admin'), guards.role('admin')],
    '/wrong-order': [guards.role('admin'), guards.signedIn('admin')],
  }
  return createApp({ logger: quietLog }).register(
    server.routes,
    ...Object.entries(routes).map(([path, list]) =>
      defineRoute({
        method: 'GET',
        path,
        guards: list,
        handler: ({ request }) => guards.principal.require(request),
      }),
    ),
  )
}

async function obtainTokens(it: TestServer, asked: Asked, browser = it.browser()): Promise<Tokens> {
  const callback = await obtainCallback(browser, asked)
  const client = asked.params['client_id'] === undefined ? {} : { client_id: 'web', client_secret: clientSecret }
  return (await sendForm(it.app, '/auth/token', { ...redemption(asked, callback), ...client })).json<Tokens>()
}

const bearer = ({ access_token }: Tokens) => ({ authorization: `Bearer ${access_token}` })

const clientsOfEachKind = [
  ['a registered client', (scope: string) => askAsWeb({ scope })],
  ['a loopback client', (scope: string) => ask({ scope })],
] as const

describe.each(clientsOfEachKind)('a token of %s', (_, asked) => {
  it.each([
    ['no scope', '', {}],
    ['OpenID scopes', 'openid profile email', {}],
    ['another scope', 'notes', {}],
    ['the scope', 'tasks', { '/tasks': 200, '/token': 200 }],
    ['every scope', 'openid tasks notes', { '/tasks': 200, '/token': 200, '/both': 200 }],
  ])('with %s opens what names it, and nothing else', async (_name, scope, opened) => {
    await using it = await start()
    const app = guarded(it)
    const headers = bearer(await obtainTokens(it, asked(scope)))
    const statuses: Record<string, number> = {}
    for (const url of ['/person', '/called', '/tasks', '/both', '/token', '/admin', '/admin-api', '/wrong-order'])
      statuses[url] = (await app.inject({ url, headers })).statusCode
    const refused = Object.fromEntries(Object.keys(statuses).map((url) => [url, 403]))
    expect(statuses).toEqual({ ...refused, ...opened })
    await app.close()
  })
})

describe('a guard', () => {
  it('takes sessions whatever scopes it names, and no token where it names none', async () => {
    await using it = await start()
    const app = guarded(it)
    const browser = new TestBrowser(app)
    await signIn(browser)
    for (const url of ['/person', '/called', '/tasks', '/both']) {
      const answer = await browser.get(url)
      expect([url, answer.statusCode, answer.json().via, answer.json().scope]).toEqual([url, 200, 'session', []])
    }
    expect((await browser.get('/token')).statusCode).toBe(401)
    // A token beside a cookie is not passed over: it may be somebody else's.
    const headers = bearer(await logIn(it, ask({ scope: 'notes' }), 'eve'))
    for (const url of ['/person', '/tasks', '/admin'])
      expect((await browser.get(url, { headers })).statusCode).toBe(403)
    await app.close()
  })

  it('names the scope that a token lacks', async () => {
    await using it = await start()
    const app = guarded(it)
    const headers = bearer(await logIn(it, ask({ scope: 'notes' })))
    const read = async (url: string) => {
      const answer = await app.inject({ url, headers })
      return [answer.json().code, answer.json().detail, answer.headers['www-authenticate']]
    }
    expect(await read('/tasks')).toEqual([
      'INSUFFICIENT_SCOPE',
      'the token lacks the scope `tasks`',
      'Bearer error="insufficient_scope", scope="tasks"',
    ])
    expect(await read('/both')).toEqual([
      'INSUFFICIENT_SCOPE',
      'the token lacks the scope `tasks`',
      'Bearer error="insufficient_scope", scope="tasks notes"',
    ])
    expect(await read('/person')).toEqual([
      'INSUFFICIENT_SCOPE',
      'this route accepts no access tokens: its guard names no scope',
      'Bearer error="insufficient_scope"',
    ])
    await app.close()
  })

  it('sends WWW-Authenticate with every 401', async () => {
    await using it = await start()
    const app = guarded(it)
    const challenge = async (url: string, headers: Record<string, string> = {}) => {
      const answer = await app.inject({ url, headers })
      return [answer.statusCode, answer.headers['www-authenticate']]
    }
    const cookie = 'Cookie realm="session", form-action="/auth/sign-in", cookie-name="__Host-portico-session"'
    expect(await challenge('/person')).toEqual([401, cookie])
    expect(await challenge('/admin')).toEqual([401, cookie])
    expect(await challenge('/tasks')).toEqual([401, 'Bearer scope="tasks"'])
    expect(await challenge('/token')).toEqual([401, 'Bearer scope="tasks"'])
    const unknown = { authorization: `Bearer ${'a'.repeat(43)}` }
    expect(await challenge('/tasks', unknown)).toEqual([401, 'Bearer error="invalid_token", scope="tasks"'])
    expect(await challenge('/person', unknown)).toEqual([401, 'Bearer error="invalid_token"'])
    await app.close()
  })

  it('that was never called refuses everybody', async () => {
    await using it = await start()
    const { guards } = it.server
    const names = ['bearer', 'role'] as const
    const app = createApp({ logger: quietLog }).register(
      it.server.routes,
      ...names.map((name) =>
        defineRoute({ method: 'GET', path: `/${name}`, guards: [guards[name] as never], handler: () => 'open' }),
      ),
    )
    const browser = new TestBrowser(app)
    await signIn(browser)
    for (const name of names) expect((await browser.get(`/${name}`)).statusCode).toBe(500)
    await app.close()
  })

  it('is refused for a scope that nobody can have', async () => {
    await using it = await start({ scopes: { ...scopes, offline_access: 'Stay signed in' } })
    const { guards } = it.server
    for (const [make, message] of [
      [() => guards.signedIn('offline_access'), 'guards.signedIn: offline_access opens no route'],
      [() => guards.signedIn('taks'), 'guards.signedIn: the scope taks is not one of the option scopes'],
      [() => guards.signedIn('constructor'), 'the scope constructor is not one of the option scopes'],
      [() => guards.signedIn('openid', 'email'), 'guards.signedIn: openid email opens no route'],
      [() => guards.bearer('profile'), 'guards.bearer: profile opens no route'],
      [() => guards.bearer(), 'guards.bearer: name at least one scope'],
      [() => guards.role(), 'guards.role: name at least one role'],
    ] as const) {
      expect(make).toThrow(AuthServerError)
      expect(make).toThrow(message)
    }
  })
})

describe('allowedScopes of a client', () => {
  const clients = [{ ...webClient, allowedScopes: ['openid', 'notes'] }]

  it('limit the scopes on the page and in the token', async () => {
    await using it = await start({ clients })
    const browser = it.browser()
    const asked = askAsWeb({ scope: 'openid email tasks notes' })
    const { page } = await reachConsent(browser, asked)
    expect(page!.body).toContain('See your notes')
    expect(page!.body).not.toContain('See and change your tasks')
    expect((await obtainTokens(it, asked, browser)).scope).toBe('openid notes')
  })

  it('hold for tokens that were given before', async () => {
    await using it = await start()
    const tokens = await obtainTokens(it, askAsWeb({ scope: 'openid tasks notes' }))
    await using later = await startServer({ scopes, clients, db: it.db, isSynced: true, clock: it.clock })
    expect((await later.server.verifyToken(tokens.access_token))!.scope).toEqual(['openid', 'notes'])
  })
})

describe('an unknown scope', () => {
  it.each(['offline_access', 'everything', 'constructor', '__proto__'])('is ignored: %s', async (name) => {
    await using it = await start()
    const tokens = await obtainTokens(it, askAsWeb({ scope: `openid ${name} tasks` }))
    expect(tokens.scope).toBe('openid tasks')
    expect(await it.db.table(Consent).findMany({ select: ['scope'] })).toEqual([{ scope: 'openid tasks' }])
  })
})

describe('a scope that is reserved to a role', () => {
  it('is not offered to others, and their token comes without it', async () => {
    await using it = await start()
    const app = guarded(it)
    const browser = it.browser()
    const asked = ask({ scope: 'tasks admin' })
    const { page } = await reachConsent(browser, asked)
    expect(page!.body).toContain('See and change your tasks')
    expect(page!.body).not.toContain('Administer the shop')
    const tokens = await obtainTokens(it, asked, browser)
    expect(tokens.scope).toBe('tasks')
    expect((await app.inject({ url: '/admin-api', headers: bearer(tokens) })).statusCode).toBe(403)
    await app.close()
  })

  it('is lost with the role immediately, and returns with it', async () => {
    await using it = await start()
    const app = guarded(it)
    const browser = it.browser()
    await signIn(browser)
    const { id } = (await it.server.users.findByEmail('ada@x.example'))!
    await it.server.users.setRoles(id, ['owner', 'admin', 'admin'])
    const asked = ask({ scope: 'tasks admin' })
    expect((await reachConsent(browser, asked)).page!.body).toContain('Administer the shop')
    const tokens = await obtainTokens(it, asked, browser)
    expect(tokens.scope).toBe('tasks admin')
    const read = () => app.inject({ url: '/admin-api', headers: bearer(tokens) })
    expect((await read()).json()).toMatchObject({ userId: id, roles: ['owner', 'admin'], scope: ['tasks', 'admin'] })
    await it.server.users.setRoles(id, [])
    const refused = await read()
    expect([refused.statusCode, refused.json().detail]).toEqual([403, 'the token lacks the scope `admin`'])
    expect((await it.server.verifyToken(tokens.access_token))!.scope).toEqual(['tasks'])
    await it.server.users.setRoles(id, ['owner'])
    // The scope is enough for one of its roles; the other guard wants the other one.
    const other = await read()
    expect([other.statusCode, other.json().detail]).toEqual([403, 'this needs the role `admin`'])
    await app.close()
  })

  it('is not granted by a page shown before the person got the role', async () => {
    await using it = await start()
    const browser = it.browser()
    const { page } = await reachConsent(browser, ask({ scope: 'tasks admin' }))
    const { id } = (await it.server.users.findByEmail('ada@x.example'))!
    await it.server.users.setRoles(id, ['admin'])
    const answer = await browser.post('/auth/consent', { ...fieldsOf(page!), decision: 'allow' })
    expect(titleOf(answer)).toBe('That did not come from our page')
  })

  it('is not given by a code whose person lost the role meanwhile', async () => {
    await using it = await start()
    const browser = it.browser()
    await signIn(browser)
    const { id } = (await it.server.users.findByEmail('ada@x.example'))!
    await it.server.users.setRoles(id, ['admin'])
    const asked = ask({ scope: 'tasks admin' })
    const form = redemption(asked, await obtainCallback(browser, asked))
    await it.server.users.setRoles(id, [])
    expect((await sendForm(it.app, '/auth/token', form)).json<Tokens>().scope).toBe('tasks')
  })

  it('asks again where consent was given without it', async () => {
    await using it = await start()
    const browser = it.browser()
    await obtainTokens(it, askAsWeb({ scope: 'openid admin' }), browser)
    const { id } = (await it.server.users.findByEmail('ada@x.example'))!
    expect((await reachConsent(browser, askAsWeb({ scope: 'openid admin' }))).left).toBeDefined()
    await it.server.users.setRoles(id, ['admin'])
    expect((await reachConsent(browser, askAsWeb({ scope: 'openid admin' }))).page!.body).toContain(
      'Administer the shop',
    )
  })
})

describe('the roles of a user', () => {
  it('are what guards.role asks for', async () => {
    await using it = await start()
    const app = guarded(it)
    const browser = new TestBrowser(app)
    await signIn(browser)
    const refused = await browser.get('/admin')
    expect([refused.statusCode, refused.json().detail]).toEqual([403, 'this needs the role `admin`'])
    const { id } = (await it.server.users.findByEmail('ada@x.example'))!
    expect(await it.server.users.setRoles(id, ['admin'])).toBe(true)
    expect((await browser.get('/admin')).json()).toMatchObject({ userId: id, via: 'session', roles: ['admin'] })
    expect((await it.server.users.findById(id))!.roles).toEqual(['admin'])
    await it.server.users.setRoles(id, ['member'])
    expect((await browser.get('/admin')).statusCode).toBe(403)
    await app.close()
  })

  it('are audited when they are set', async () => {
    await using it = await start()
    await signIn(it.browser())
    const { id } = (await it.server.users.findByEmail('ada@x.example'))!
    await it.server.users.setRoles(id, ['admin', 'owner'])
    await it.server.users.setRoles(id, [])
    const lines = await it.db.table(AuditEvent).findMany({ where: { event: 'account' }, orderBy: { id: 'asc' } })
    expect(lines.map(({ userId, outcome, reason }) => [userId, outcome, reason])).toEqual([
      [id, 'granted', 'roles: admin, owner'],
      [id, 'granted', 'roles: none'],
    ])
  })

  it.each([
    ['a text', 'admin'],
    ['a name with a space', ['site admin']],
    ['an empty name', ['']],
    ['a number', [1]],
    ['too many', Array.from({ length: 101 }, (_, n) => `role-${n}`)],
    ['a name without end', ['x'.repeat(101)]],
  ])('are not set to %s', async (_, roles) => {
    await using it = await start()
    await signIn(it.browser())
    const { id } = (await it.server.users.findByEmail('ada@x.example'))!
    await expect(it.server.users.setRoles(id, roles as string[])).rejects.toMatchObject({
      name: 'AuthServerError',
      code: 'ROLES_INVALID',
    })
    expect((await it.server.users.findById(id))!.roles).toBeUndefined()
  })

  it('cannot be set for an unknown user', async () => {
    await using it = await start()
    expect(await it.server.users.setRoles('01a1dfd9-f6ae-4000-8000-000000000000', ['admin'])).toBe(false)
    expect(await it.db.table(AuditEvent).count()).toBe(0)
  })
})

describe('what a person learns of scopes', () => {
  it('is on the consent page, at the status endpoint and in the list of sign-ins', async () => {
    await using it = await startServer()
    const browser = it.browser()
    const { page } = await reachConsent(browser, ask({ scope: 'task' }))
    expect(page!.body).toContain('It will only learn who you are.')
    const some = await reachConsent(browser, ask({ scope: 'tasks' }))
    expect(some.page!.body).not.toContain('only learn')
    const none = await logIn(it, ask({ scope: 'task' }))
    const tasks = await logIn(it, ask({ scope: 'tasks task' }))
    expect((await getStatus(it.app, none.access_token)).json()).toMatchObject({ scope: '' })
    expect((await getStatus(it.app, tasks.access_token)).json()).toMatchObject({ scope: 'tasks' })
    const programs = (await it.server.listAccess(tasks.userId)).filter(({ kind }) => kind === 'token')
    expect(new Set(programs.map(({ scope }) => scope))).toEqual(new Set(['', 'tasks']))
  })
})
