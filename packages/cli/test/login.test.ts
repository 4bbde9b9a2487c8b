import { spawn } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  type AuthorizationServer,
  answerJson,
  type Person,
  startAuthorizationServer,
} from '../../../test/support/authorization-server.ts'
import { type RunningPortico, User } from './support/cli.ts'

const onWindows = process.platform === 'win32'

/** Her name contains a control character, which must not reach the terminal. */
const ada: Person = { userId: 'ada', name: 'Ada\u001b Lovelace', expiresAt: Date.now() + 3_600_000 }

async function startServer(): Promise<AuthorizationServer> {
  const server = await startAuthorizationServer({ asks: true, person: ada })
  onTestFinished(() => server.close())
  return server
}

/** The address to sign in at, once it was printed. */
async function addressOf(running: RunningPortico): Promise<string> {
  await running.until('open this URL')
  await running.until('\n\n  ')
  return (await running.until('\n')).trim()
}

async function signIn(user: User, server: AuthorizationServer, ...args: string[]): Promise<string> {
  const running = user.start('login', server.url, ...args)
  await server.answer(await addressOf(running), 'Allow')
  const { code, text } = await running.ended()
  expect(code, text).toBe(0)
  return text
}

function tokenFiles({ home }: User): string[] {
  return readdirSync(join(home, 'portico')).map((it) => join(home, 'portico', it))
}

describe('portico login', { timeout: 60_000 }, () => {
  it('signs in, prints user and expiry, and saves the token privately', async () => {
    const [user, server] = [new User(), await startServer()]
    expect(await signIn(user, server)).toMatch(
      /Signed in to http:\S+ as Ada Lovelace, until \d{4}-\d\d-\d\d \d\d:\d\d\.\n$/,
    )
    const [file = '', ...others] = tokenFiles(user)
    expect(others).toEqual([])
    const { accessToken, ...kept } = JSON.parse(readFileSync(file, 'utf8'))
    expect(server.tokens).toEqual(new Set([accessToken]))
    expect(kept).toMatchObject({ server: server.url, userId: 'ada' })
    if (onWindows) return
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(user.home, 'portico')).mode & 0o777).toBe(0o700)
  })

  it('requests the given scopes, and none by default', async () => {
    const [user, server] = [new User(), await startServer()]
    const scopeOf = async (...args: string[]): Promise<string | null> => {
      const running = user.start('login', server.url, ...args)
      const { searchParams } = new URL(await addressOf(running))
      expect(await running.interrupt()).toBe(130)
      return searchParams.get('scope')
    }
    expect(await scopeOf('--scope', 'tasks:read, notes', '--scope', 'notes admin')).toBe('tasks:read notes admin')
    expect(await scopeOf()).toBeNull()
    const { code, text } = await user.start('login', server.url, '--scope', 'a"b').ended()
    expect([code, text]).toEqual([2, expect.stringContaining('--scope takes scope names')])
  })

  it('prints granted and missing scopes, and explains a token without scopes', async () => {
    const [user, server] = [new User(), await startServer()]
    server.person = { ...ada, scope: 'tasks notes' }
    const granted = await signIn(user, server, '--scope', 'tasks')
    expect(granted).toMatch(/ as Ada Lovelace, until [\d :-]+, with scopes: tasks notes\.\n$/)
    server.person = { ...ada, scope: 'tasks' }
    const partly = await signIn(user, server, '--scope', 'task,tasks')
    expect(partly).toMatch(/, with scopes: tasks\.\n/)
    expect(partly).toContain('Not granted: task. ')
    server.person = { ...ada, scope: '' }
    const bare = await signIn(user, server)
    expect(bare).not.toContain('with scopes')
    expect(bare).toContain('The token has no scopes and only identifies you')
    // A server that does not say: nothing is claimed.
    server.person = ada
    expect(await signIn(user, server, '--scope', 'tasks')).toMatch(/ until [\d :-]+\.\n$/)
    server.person = { ...ada, scope: 'tasks' }
    const running = user.start('login', server.url, '--json', '--scope', 'task', '--scope', 'tasks')
    await server.answer(JSON.parse(await running.until('\n')).url, 'Allow')
    const [last = ''] = (await running.ended()).text.trim().split('\n').slice(-1)
    expect(JSON.parse(last)).toMatchObject({ signedIn: true, scopes: ['tasks'], notGranted: ['task'] })
  })

  it('does not print scopes with unsafe characters', async () => {
    const [user, server] = [new User(), await startServer()]
    server.person = { ...ada, scope: 'tasks \u001b[2J a\nb "q" notes' }
    expect(await signIn(user, server)).toMatch(/, with scopes: tasks notes\.\n$/)
  })

  it('revokes the token it replaces', async () => {
    const [user, server] = [new User(), await startServer()]
    await signIn(user, server)
    const [first] = server.tokens
    await signIn(user, server)
    expect(server.tokens.size).toBe(1)
    expect(server.tokens).not.toContain(first)
    expect(tokenFiles(user)).toHaveLength(1)
  })

  it('revokes the token of another login that finished while it waited', async () => {
    const [user, server] = [new User(), await startServer()]
    const waiting = user.start('login', server.url)
    const address = await addressOf(waiting)
    await signIn(user, server)
    const [first] = server.tokens
    await server.answer(address, 'Allow')
    expect((await waiting.ended()).code).toBe(0)
    expect(server.tokens.size).toBe(1)
    expect(server.tokens).not.toContain(first)
  })

  it('--no-browser prints the URL and the ssh command for another machine', async () => {
    const [user, server] = [new User(), await startServer()]
    const running = user.start('login', server.url, '--no-browser')
    const address = await addressOf(running)
    const { port } = new URL(new URL(address).searchParams.get('redirect_uri') ?? '')
    await running.until(`ssh -N -L ${port}:127.0.0.1:${port} `)
    expect(await running.interrupt()).toBe(130)
  })

  it('ends with 130 on Ctrl-C, saves nothing and frees its port', async () => {
    const [user, server] = [new User(), await startServer()]
    const running = user.start('login', server.url)
    const redirect = new URL(await addressOf(running)).searchParams.get('redirect_uri') ?? ''
    expect(await running.interrupt()).toBe(130)
    expect((await running.ended()).text).toContain('Canceled; you are not signed in.')
    expect(readdirSync(user.home)).toEqual([])
    await expect(fetch(redirect)).rejects.toThrow()
  })

  it('reports a declined sign-in', async () => {
    const [user, server] = [new User(), await startServer()]
    const running = user.start('login', server.url)
    await server.answer(await addressOf(running), 'Decline')
    expect(await running.ended()).toMatchObject({
      code: 1,
      text: expect.stringContaining('declined: access_denied. Run the command again'),
    })
  })

  it('reports a timeout', async () => {
    const [user, server] = [new User(), await startServer()]
    const { code, err } = await user.run('login', server.url, '--timeout', '1')
    expect(code).toBe(1)
    expect(err).toContain('nobody signed in within 1 s. Run the command again, with a longer --timeout if needed.')
  })

  it('reports a response for another login', async () => {
    const [user, server] = [new User(), await startServer()]
    server.overrides = { callback: { state: 'of another' } }
    const running = user.start('login', server.url)
    await server.answer(await addressOf(running), 'Allow')
    expect(await running.ended()).toMatchObject({ code: 1, text: expect.stringContaining('was for another login') })
    expect(readdirSync(user.home)).toEqual([])
  })

  it('reports a code that the server rejects', async () => {
    const [user, server] = [new User(), await startServer()]
    server.overrides = { token: answerJson({}, 500) }
    const running = user.start('login', server.url)
    await server.answer(await addressOf(running), 'Allow')
    expect(await running.ended()).toMatchObject({
      code: 1,
      text: expect.stringContaining('token endpoint answered 500'),
    })
  })

  it('does not wait for a missing server or one without sign-in', async () => {
    const [user, server] = [new User(), await startServer()]
    server.overrides = { status: answerJson({}, 404) }
    expect(await user.run('login', server.url)).toMatchObject({
      code: 2,
      err: expect.stringContaining('does not support sign-in'),
    })
    await server.close()
    expect(await user.run('login', server.url)).toMatchObject({
      code: 2,
      err: expect.stringContaining(`${server.url} cannot be reached: connection refused (ECONNREFUSED)`),
    })
  })

  it('--json prints the URL and the result, never the token', async () => {
    const [user, server] = [new User(), await startServer()]
    const running = user.start('login', server.url, '--json')
    await server.answer(JSON.parse(await running.until('\n')).url, 'Allow')
    const { code, text } = await running.ended()
    expect(code).toBe(0)
    expect(JSON.parse(text)).toEqual({
      server: server.url,
      signedIn: true,
      userId: 'ada',
      name: 'Ada\u001b Lovelace',
      expiresAt: expect.any(Number),
    })
    for (const token of server.tokens) expect(text).not.toContain(token)
    const declined = user.start('login', server.url, '--json')
    await server.answer(JSON.parse(await declined.until('\n')).url, 'Decline')
    expect(JSON.parse((await declined.ended()).text)).toMatchObject({ signedIn: false, code: 'provider_denied' })
  })

  it('--json reports Ctrl-C', async () => {
    const [user, server] = [new User(), await startServer()]
    const running = user.start('login', server.url, '--json')
    expect(JSON.parse(await running.until('\n')).url).toMatch(/^http/)
    expect(await running.interrupt()).toBe(130)
    const { text } = await running.ended()
    expect(JSON.parse(text)).toMatchObject({ server: server.url, signedIn: false, code: 'interrupted' })
    expect(readdirSync(user.home)).toEqual([])
  })

  it('shows a malicious name as one line of text and ignores an invalid date', async () => {
    const [user, server] = [new User(), await startServer()]
    const userId = `\u001b]0;title\u0007\u001b[2J\u009b31mroot\u202e\r\nSigned in to https://bank.example as you${'!'.repeat(300)}`
    server.person = { userId, name: undefined, expiresAt: 1e300 }
    const name = `]0;title[2J31mrootSigned in to https://bank.example as you${'!'.repeat(300)}`.slice(0, 199)
    const shown = `Signed in to ${server.url} as ${name}….\n`
    expect(await signIn(user, server)).toContain(`\n${shown}`)
    expect(await user.run('whoami')).toEqual({ code: 0, out: shown, err: '' })
    const { out } = await user.run('whoami', '--json')
    expect(out).toMatch(/^[\x20-\x7e\u202e]+\n$/)
    expect(JSON.parse(out)).toEqual({ server: server.url, signedIn: true, userId })
  })

  it.skipIf(onWindows)('revokes a token that it cannot save', async () => {
    const [user, server] = [new User(), await startServer()]
    const running = user.start('login', server.url)
    const address = await addressOf(running)
    writeFileSync(join(user.home, 'portico'), '')
    await server.answer(address, 'Allow')
    expect(await running.ended()).toMatchObject({
      code: 2,
      text: expect.stringContaining('the token cannot be saved, so you are not signed in: '),
    })
    expect(server.tokens.size).toBe(0)
  })

  it('does not start the sign-in if the token could not be saved', async () => {
    const [user, server] = [new User({ file: '' }), await startServer()]
    user.env['XDG_CONFIG_HOME'] = join(user.folder, 'file', 'settings')
    const { code, out, err } = await user.run('login', server.url)
    expect([code, out, err]).toEqual([
      2,
      '',
      expect.stringMatching(/^portico: cannot store a token in .*settings.portico: ENOTDIR.*\n$/),
    ])
  })

  it.each(['0', '1.5', '99999999'])('refuses --timeout %s', async (seconds) => {
    const { code, err } = await new User().run('login', 'https://app.example', `--timeout=${seconds}`)
    expect([code, err]).toEqual([2, expect.stringContaining('--timeout must be a number of seconds')])
  })
})

describe('the server', { timeout: 60_000 }, () => {
  it('is the given one, then PORTICO_URL, then the configured one, then the last one', async () => {
    const user = new User()
    const [first, second, third, fourth] = await Promise.all([1, 2, 3, 4].map(() => startServer()))
    const asked = async (...args: string[]) => JSON.parse((await user.run('whoami', '--json', ...args)).out).server
    expect(await user.run('whoami')).toMatchObject({
      code: 2,
      err: expect.stringContaining('no server: you are not signed in anywhere'),
    })
    await signIn(user, fourth!)
    expect(await asked()).toBe(fourth!.url)
    await signIn(user, first!)
    expect(await asked()).toBe(first!.url)
    writeFileSync(join(user.folder, 'portico.config.mjs'), `export default { server: '${second!.url}/' }`)
    expect(await asked()).toBe(second!.url)
    user.env['PORTICO_URL'] = third!.url
    expect(await asked()).toBe(third!.url)
    expect(await asked(`${fourth!.url}/`)).toBe(fourth!.url)
  })

  it('is not guessed if the configuration is broken', async () => {
    const user = new User({ 'portico.config.mjs': `throw new Error('no luck')` })
    expect(await user.run('whoami')).toMatchObject({ code: 2, err: expect.stringContaining('no luck') })
  })
})

describe('portico whoami', { timeout: 60_000 }, () => {
  it('shows who is signed in, and prints the token only on request', async () => {
    const [user, server] = [new User(), await startServer()]
    await signIn(user, server)
    const [token = ''] = server.tokens
    expect(await user.run('whoami')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Signed in to \S+ as Ada Lovelace, until /),
    })
    expect((await user.run('whoami', '--json')).out).not.toContain(token)
    expect(await user.run('whoami', '--token')).toEqual({ code: 0, out: `${token}\n`, err: '' })
    expect(JSON.parse((await user.run('whoami', '--token', '--json')).out)).toMatchObject({ accessToken: token })
  })

  it('--header prints the header for curl, so that the token is not in a command line', async () => {
    const [user, server] = [new User(), await startServer()]
    await signIn(user, server)
    const [token = ''] = server.tokens
    const { code, out, err } = await user.run('whoami', '--header')
    expect([code, out, err]).toEqual([0, `authorization: Bearer ${token}\n`, ''])
    const curl = spawn('curl', ['--silent', '-H', '@-', `${server.url}/auth/status`])
    curl.stdin.end(out)
    expect(JSON.parse(await text(curl.stdout))).toMatchObject({ userId: 'ada' })
    for (const other of ['--token', '--json']) expect((await user.run('whoami', '--header', other)).code).toBe(2)
    server.tokens.clear()
    expect(await user.run('whoami', '--header')).toMatchObject({ code: 1, out: '' })
  })

  it('lists the scopes, and repeats them in the suggested login command', async () => {
    const [user, server] = [new User(), await startServer()]
    server.person = { ...ada, scope: 'tasks notes' }
    await signIn(user, server, '--scope', 'tasks notes other')
    expect(await user.run('whoami')).toMatchObject({
      code: 0,
      out: expect.stringContaining(', with scopes: tasks notes.\n'),
      err: '',
    })
    expect(JSON.parse((await user.run('whoami', '--json')).out)).toMatchObject({ scopes: ['tasks', 'notes'] })
    server.person = { ...ada, scope: '' }
    expect((await user.run('whoami')).err).toContain('only identifies you')
    server.tokens.clear()
    expect((await user.run('whoami')).err).toContain(`Run \`portico login ${server.url} --scope tasks,notes\`.`)
  })

  it('exits with 1 if not signed in or the token is no longer valid', async () => {
    const [user, server] = [new User(), await startServer()]
    expect(await user.run('whoami', server.url)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('no token is saved'),
    })
    await signIn(user, server)
    server.tokens.clear()
    expect(await user.run('whoami', '--token')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('expired or was revoked'),
    })
  })

  it('exits with 2 if the server fails', async () => {
    const [user, server] = [new User(), await startServer()]
    await signIn(user, server)
    server.overrides = { status: answerJson({}, 500) }
    expect(await user.run('whoami')).toMatchObject({ code: 2, err: expect.stringContaining('returned 500') })
    await server.close()
    expect(await user.run('whoami')).toMatchObject({ code: 2, err: expect.stringContaining('cannot be reached') })
  })
})

describe('portico logout', { timeout: 60_000 }, () => {
  it('revokes the token and deletes it', async () => {
    const [user, server] = [new User(), await startServer()]
    await signIn(user, server)
    expect(await user.run('logout')).toEqual({ code: 0, out: `Signed out of ${server.url}.\n`, err: '' })
    expect(server.tokens.size).toBe(0)
    expect(tokenFiles(user)).toEqual([])
    expect(await user.run('logout', server.url)).toEqual({ code: 0, out: 'Not signed in.\n', err: '' })
  })

  it('deletes the token even if the server cannot revoke it, and reports that', async () => {
    const [user, server] = [new User(), await startServer()]
    await signIn(user, server)
    server.overrides = { revoke: answerJson({}, 503) }
    expect(await user.run('logout', '--json')).toMatchObject({
      code: 1,
      out: expect.stringContaining('"revoked":false'),
    })
    expect(tokenFiles(user)).toEqual([])
    server.overrides = {}
    await signIn(user, server)
    await server.close()
    expect(await user.run('logout')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/it stays valid until \d{4}-.*cannot be reached/),
    })
    expect(tokenFiles(user)).toEqual([])
  })

  it('--all signs out everywhere', async () => {
    const [user, one, two] = [new User(), await startServer(), await startServer()]
    await signIn(user, one)
    await signIn(user, two)
    expect((await user.run('logout', '--all')).out.split('\n')).toHaveLength(3)
    expect([one.tokens.size, two.tokens.size, tokenFiles(user)]).toEqual([0, 0, []])
    expect(await user.run('logout', '--all', one.url)).toMatchObject({ code: 2 })
  })
})

describe.skipIf(onWindows)('a saved token', { timeout: 60_000 }, () => {
  it('is not used if others can read it', async () => {
    const [user, server] = [new User(), await startServer()]
    await signIn(user, server)
    const [file = ''] = tokenFiles(user)
    chmodSync(file, 0o640)
    expect(await user.run('whoami', server.url, '--token')).toEqual({
      code: 2,
      out: '',
      err: expect.stringContaining(`others can read the token in ${file}, so no token is read from it: run: chmod 600`),
    })
    chmodSync(file, 0o600)
    expect((await user.run('whoami', '--token')).code).toBe(0)
  })

  it('that is damaged is reported without its content', async () => {
    const [user, server] = [new User(), await startServer()]
    await signIn(user, server)
    writeFileSync(tokenFiles(user)[0]!, '{ "accessToken": "secret')
    const { code, err } = await user.run('whoami')
    expect(code).toBe(2)
    expect(err).toContain('is damaged')
    expect(err).not.toContain('secret')
  })
})
