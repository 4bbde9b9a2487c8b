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
  await running.until('open this address')
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
  it('signs in, says who and until when, and keeps the token to the user alone', async () => {
    const [user, server] = [new User(), await startServer()]
    expect(await signIn(user, server)).toMatch(
      /Signed in at http:\S+ as Ada Lovelace, until \d{4}-\d\d-\d\d \d\d:\d\d\.\n$/,
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

  it('asks for the scopes that it is given, and for none by itself', async () => {
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
    expect([code, text]).toEqual([2, expect.stringContaining('--scope takes names of scopes')])
  })

  it('says what was granted, what was not, and that a token without scopes opens nothing', async () => {
    const [user, server] = [new User(), await startServer()]
    server.person = { ...ada, scope: 'tasks notes' }
    const granted = await signIn(user, server, '--scope', 'tasks')
    expect(granted).toMatch(/ as Ada Lovelace, until [\d :-]+, for: tasks notes\.\n$/)
    server.person = { ...ada, scope: 'tasks' }
    const partly = await signIn(user, server, '--scope', 'task,tasks')
    expect(partly).toMatch(/, for: tasks\.\n/)
    expect(partly).toContain('Not granted: task. ')
    server.person = { ...ada, scope: '' }
    const bare = await signIn(user, server)
    expect(bare).not.toContain('for:')
    expect(bare).toContain('The token says who you are and opens nothing else')
    // A server that does not say: nothing is claimed.
    server.person = ada
    expect(await signIn(user, server, '--scope', 'tasks')).toMatch(/ until [\d :-]+\.\n$/)
    server.person = { ...ada, scope: 'tasks' }
    const running = user.start('login', server.url, '--json', '--scope', 'task', '--scope', 'tasks')
    await server.answer(JSON.parse(await running.until('\n')).url, 'Allow')
    const [last = ''] = (await running.ended()).text.trim().split('\n').slice(-1)
    expect(JSON.parse(last)).toMatchObject({ signedIn: true, scopes: ['tasks'], notGranted: ['task'] })
  })

  it('prints no scope that could pretend to be something else', async () => {
    const [user, server] = [new User(), await startServer()]
    server.person = { ...ada, scope: 'tasks \u001b[2J a\nb "q" notes' }
    expect(await signIn(user, server)).toMatch(/, for: tasks notes\.\n$/)
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

  it('revokes that of another login which ended while it waited', async () => {
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

  it('with --no-browser prints the address and how to reach it from another machine', async () => {
    const [user, server] = [new User(), await startServer()]
    const running = user.start('login', server.url, '--no-browser')
    const address = await addressOf(running)
    const { port } = new URL(new URL(address).searchParams.get('redirect_uri') ?? '')
    await running.until(`ssh -N -L ${port}:127.0.0.1:${port} `)
    expect(await running.interrupt()).toBe(130)
  })

  it('ends with 130 on Ctrl-C, keeps nothing and frees its port', async () => {
    const [user, server] = [new User(), await startServer()]
    const running = user.start('login', server.url)
    const redirect = new URL(await addressOf(running)).searchParams.get('redirect_uri') ?? ''
    expect(await running.interrupt()).toBe(130)
    expect((await running.ended()).text).toContain('Stopped; you are not signed in.')
    expect(readdirSync(user.home)).toEqual([])
    await expect(fetch(redirect)).rejects.toThrow()
  })

  it('says so when the person declines', async () => {
    const [user, server] = [new User(), await startServer()]
    const running = user.start('login', server.url)
    await server.answer(await addressOf(running), 'Decline')
    expect(await running.ended()).toMatchObject({
      code: 1,
      text: expect.stringContaining('declined: access_denied. Run it again'),
    })
  })

  it('says so when nobody comes in time', async () => {
    const [user, server] = [new User(), await startServer()]
    const { code, err } = await user.run('login', server.url, '--timeout', '1')
    expect(code).toBe(1)
    expect(err).toContain('nobody signed in within 1 s. Run it again, or give yourself longer with --timeout.')
  })

  it('says so when the answer belongs to another login', async () => {
    const [user, server] = [new User(), await startServer()]
    server.overrides = { callback: { state: 'of another' } }
    const running = user.start('login', server.url)
    await server.answer(await addressOf(running), 'Allow')
    expect(await running.ended()).toMatchObject({ code: 1, text: expect.stringContaining('not for this login') })
    expect(readdirSync(user.home)).toEqual([])
  })

  it('says so when the server does not take the code', async () => {
    const [user, server] = [new User(), await startServer()]
    server.overrides = { token: answerJson({}, 500) }
    const running = user.start('login', server.url)
    await server.answer(await addressOf(running), 'Allow')
    expect(await running.ended()).toMatchObject({
      code: 1,
      text: expect.stringContaining('token endpoint answered 500'),
    })
  })

  it('does not wait for a server that is not there, or is no authorization server', async () => {
    const [user, server] = [new User(), await startServer()]
    server.overrides = { status: answerJson({}, 404) }
    expect(await user.run('login', server.url)).toMatchObject({
      code: 2,
      err: expect.stringContaining('has no sign-in'),
    })
    await server.close()
    expect(await user.run('login', server.url)).toMatchObject({
      code: 2,
      err: expect.stringContaining(`${server.url} cannot be reached: nothing listens there (ECONNREFUSED)`),
    })
  })

  it('with --json gives the address and the result, and never the token', async () => {
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

  it('with --json tells of Ctrl-C too', async () => {
    const [user, server] = [new User(), await startServer()]
    const running = user.start('login', server.url, '--json')
    expect(JSON.parse(await running.until('\n')).url).toMatch(/^http/)
    expect(await running.interrupt()).toBe(130)
    const { text } = await running.ended()
    expect(JSON.parse(text)).toMatchObject({ server: server.url, signedIn: false, code: 'interrupted' })
    expect(readdirSync(user.home)).toEqual([])
  })

  it('shows a name that the server made up as one line of text, and no date that is none', async () => {
    const [user, server] = [new User(), await startServer()]
    const userId = `\u001b]0;title\u0007\u001b[2J\u009b31mroot\u202e\r\nSigned in at https://bank.example as you${'!'.repeat(300)}`
    server.person = { userId, name: undefined, expiresAt: 1e300 }
    const name = `]0;title[2J31mrootSigned in at https://bank.example as you${'!'.repeat(300)}`.slice(0, 199)
    const shown = `Signed in at ${server.url} as ${name}….\n`
    expect(await signIn(user, server)).toContain(`\n${shown}`)
    expect(await user.run('whoami')).toEqual({ code: 0, out: shown, err: '' })
    const { out } = await user.run('whoami', '--json')
    expect(out).toMatch(/^[\x20-\x7e\u202e]+\n$/)
    expect(JSON.parse(out)).toEqual({ server: server.url, signedIn: true, userId })
  })

  it.skipIf(onWindows)('has a token revoked that it cannot keep', async () => {
    const [user, server] = [new User(), await startServer()]
    const running = user.start('login', server.url)
    const address = await addressOf(running)
    writeFileSync(join(user.home, 'portico'), '')
    await server.answer(address, 'Allow')
    expect(await running.ended()).toMatchObject({
      code: 2,
      text: expect.stringContaining('the token cannot be kept, so you are not signed in: '),
    })
    expect(server.tokens.size).toBe(0)
  })

  it('asks nobody to sign in where the token could not be kept', async () => {
    const [user, server] = [new User({ file: '' }), await startServer()]
    user.env['XDG_CONFIG_HOME'] = join(user.folder, 'file', 'settings')
    const { code, out, err } = await user.run('login', server.url)
    expect([code, out, err]).toEqual([
      2,
      '',
      expect.stringMatching(/^portico: no token could be kept in .*settings.portico: ENOTDIR.*\n$/),
    ])
  })

  it.each(['0', '1.5', '99999999'])('refuses --timeout %s', async (seconds) => {
    const { code, err } = await new User().run('login', 'https://app.example', `--timeout=${seconds}`)
    expect([code, err]).toEqual([2, expect.stringContaining('--timeout is a number of seconds')])
  })
})

describe('which server is meant', { timeout: 60_000 }, () => {
  it('is the one given, then PORTICO_URL, then the configured one, then the last one', async () => {
    const user = new User()
    const [first, second, third, fourth] = await Promise.all([1, 2, 3, 4].map(() => startServer()))
    const asked = async (...args: string[]) => JSON.parse((await user.run('whoami', '--json', ...args)).out).server
    expect(await user.run('whoami')).toMatchObject({
      code: 2,
      err: expect.stringContaining('which server? You are signed in nowhere'),
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

  it('is not guessed when the configuration is broken', async () => {
    const user = new User({ 'portico.config.mjs': `throw new Error('no luck')` })
    expect(await user.run('whoami')).toMatchObject({ code: 2, err: expect.stringContaining('no luck') })
  })
})

describe('portico whoami', { timeout: 60_000 }, () => {
  it('says who is signed in, and prints the token only when it is asked for', async () => {
    const [user, server] = [new User(), await startServer()]
    await signIn(user, server)
    const [token = ''] = server.tokens
    expect(await user.run('whoami')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Signed in at \S+ as Ada Lovelace, until /),
    })
    expect((await user.run('whoami', '--json')).out).not.toContain(token)
    expect(await user.run('whoami', '--token')).toEqual({ code: 0, out: `${token}\n`, err: '' })
    expect(JSON.parse((await user.run('whoami', '--token', '--json')).out)).toMatchObject({ accessToken: token })
  })

  it('prints the header that curl reads, so that the token stands in no command line', async () => {
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

  it('lists the scopes, and repeats them in what to run when the token no longer holds', async () => {
    const [user, server] = [new User(), await startServer()]
    server.person = { ...ada, scope: 'tasks notes' }
    await signIn(user, server, '--scope', 'tasks notes other')
    expect(await user.run('whoami')).toMatchObject({
      code: 0,
      out: expect.stringContaining(', for: tasks notes.\n'),
      err: '',
    })
    expect(JSON.parse((await user.run('whoami', '--json')).out)).toMatchObject({ scopes: ['tasks', 'notes'] })
    server.person = { ...ada, scope: '' }
    expect((await user.run('whoami')).err).toContain('opens nothing else')
    server.tokens.clear()
    expect((await user.run('whoami')).err).toContain(`Run \`portico login ${server.url} --scope tasks,notes\`.`)
  })

  it('exits 1 when nobody is signed in, or the token no longer holds', async () => {
    const [user, server] = [new User(), await startServer()]
    expect(await user.run('whoami', server.url)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('there is no token'),
    })
    await signIn(user, server)
    server.tokens.clear()
    expect(await user.run('whoami', '--token')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('expired or was revoked'),
    })
  })

  it('exits 2 when the server cannot tell', async () => {
    const [user, server] = [new User(), await startServer()]
    await signIn(user, server)
    server.overrides = { status: answerJson({}, 500) }
    expect(await user.run('whoami')).toMatchObject({ code: 2, err: expect.stringContaining('answered 500') })
    await server.close()
    expect(await user.run('whoami')).toMatchObject({ code: 2, err: expect.stringContaining('cannot be reached') })
  })
})

describe('portico logout', { timeout: 60_000 }, () => {
  it('has the token revoked and forgets it', async () => {
    const [user, server] = [new User(), await startServer()]
    await signIn(user, server)
    expect(await user.run('logout')).toEqual({ code: 0, out: `Signed out at ${server.url}.\n`, err: '' })
    expect(server.tokens.size).toBe(0)
    expect(tokenFiles(user)).toEqual([])
    expect(await user.run('logout', server.url)).toEqual({ code: 0, out: 'Not signed in.\n', err: '' })
  })

  it('forgets it also when the server cannot revoke it, and tells', async () => {
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
      err: expect.stringMatching(/it holds until \d{4}-.*cannot be reached/),
    })
    expect(tokenFiles(user)).toEqual([])
  })

  it('with --all signs out everywhere', async () => {
    const [user, one, two] = [new User(), await startServer(), await startServer()]
    await signIn(user, one)
    await signIn(user, two)
    expect((await user.run('logout', '--all')).out.split('\n')).toHaveLength(3)
    expect([one.tokens.size, two.tokens.size, tokenFiles(user)]).toEqual([0, 0, []])
    expect(await user.run('logout', '--all', one.url)).toMatchObject({ code: 2 })
  })
})

describe.skipIf(onWindows)('a kept token', { timeout: 60_000 }, () => {
  it('is not read where others may read it', async () => {
    const [user, server] = [new User(), await startServer()]
    await signIn(user, server)
    const [file = ''] = tokenFiles(user)
    chmodSync(file, 0o640)
    expect(await user.run('whoami', server.url, '--token')).toEqual({
      code: 2,
      out: '',
      err: expect.stringContaining(`others may read the token in ${file}, so no token is read from it: run: chmod 600`),
    })
    chmodSync(file, 0o600)
    expect((await user.run('whoami', '--token')).code).toBe(0)
  })

  it('that is damaged is told without its text', async () => {
    const [user, server] = [new User(), await startServer()]
    await signIn(user, server)
    writeFileSync(tokenFiles(user)[0]!, '{ "accessToken": "secret')
    const { code, err } = await user.run('whoami')
    expect(code).toBe(2)
    expect(err).toContain('is damaged')
    expect(err).not.toContain('secret')
  })
})
