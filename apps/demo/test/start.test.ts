import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { makeFolder, startDemo } from './support/demo.ts'
import { findPort } from './support/scene.ts'
import { Visitor } from './support/visitor.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

it('keeps everything across a restart: tasks, sessions, tokens, the secret and the signing keys', async () => {
  const folder = makeFolder()
  const data = join(folder, 'data')
  const start = async (port: number) => {
    const demo = startDemo(['--no-browser', '--port', String(port)], { PORTICO_DEMO_DATA: data })
    return { demo, address: await demo.address }
  }
  const keysOf = async (address: string) => (await fetch(`${address}/auth/jwks`)).json()
  const first = await start(await findPort())
  const visitor = new Visitor(first.address)
  await visitor.signIn('ada')
  const headers = { authorization: `Bearer ${await visitor.getToken()}` }
  const body = new URLSearchParams({ title: 'Buy paint', project: 'House', priority: '1', dueOn: '' })
  await visitor.send('/task', Object.fromEntries(body))
  const keys = await keysOf(first.address)
  expect(keys).toEqual({ keys: [expect.objectContaining({ alg: 'ES256', kid: expect.any(String) })] })
  const secret = readFileSync(join(data, 'secret'), 'utf8')
  expect(await first.demo.stop()).toEqual({ code: 0, output: expect.stringMatching(/\nStopped\.\n$/) as string })
  if (process.platform !== 'win32') {
    expect(statSync(join(data, 'secret')).mode & 0o777).toBe(0o600)
    expect(statSync(data).mode & 0o777).toBe(0o700)
  }
  const again = await start(Number(new URL(first.address).port))
  const found = await fetch(`${again.address}/tasks/query?title=Buy paint`, { headers })
  expect(await found.json()).toMatchObject([{ state: 'open', priority: 1 }])
  expect(await (await fetch(`${again.address}/projects/query`, { headers })).json()).toHaveLength(3)
  expect(await (await visitor.send('/')).text()).toContain('Ada Lovelace')
  expect(await keysOf(again.address)).toEqual(keys)
  expect(readFileSync(join(data, 'secret'), 'utf8')).toBe(secret)
}, 60_000)

it('adds examples at the first start, and never restores deleted ones', async () => {
  const env = { PORTICO_DEMO_DATA: makeFolder() }
  const start = async () => startDemo(['--no-browser', '--port', String(await findPort())], env)
  // Nobody was there yet.
  const untouched = await start()
  await untouched.address
  await untouched.stop()
  const first = await start()
  const visitor = new Visitor(await first.address)
  await visitor.signIn('ada')
  const headers = { authorization: `Bearer ${await visitor.getToken()}` }
  const ask = async (demo: typeof first, path: string, method = 'GET') =>
    fetch((await demo.address) + path, { method, headers })
  const examples = { projects: 3, tags: 2 }
  for (const [route, count] of Object.entries(examples)) {
    const found = (await (await ask(first, `/${route}/query`)).json()) as { id: number }[]
    expect(found).toHaveLength(count)
    for (const { id } of found) expect((await ask(first, `/${route}?id=${id}`, 'DELETE')).ok).toBe(true)
  }
  await first.stop()
  const again = await start()
  expect(await (await ask(again, '/projects/query')).json()).toEqual([])
}, 60_000)

it('prints its URL first, then what to try', async () => {
  const demo = startDemo(['--no-browser', '--port', String(await findPort())], { PORTICO_DEMO_DATA: makeFolder() })
  const address = await demo.address
  const output = demo.output()
  expect(output).toMatch(new RegExp(`^The task tracker runs at ${address}\n`))
  for (const line of [`${address}/api-docs `, `npx portico login ${address} --scope tasks\n`])
    expect(output).toContain(line)
  expect((await fetch(address)).status).toBe(200)
  expect((await fetch(`${address}/api-docs`)).status).toBe(200)
  const [, shown = ''] = output.match(/npx portico whoami --header \| curl -H @- '(\S+)'\n/) ?? []
  const visitor = new Visitor(address)
  await visitor.signIn('ada')
  const headers = { authorization: `Bearer ${await visitor.getToken()}` }
  const tasks = (await (await fetch(shown, { headers })).json()) as { state: string }[]
  expect(tasks.length).toBeGreaterThan(5)
  expect(new Set(tasks.map((it) => it.state))).toEqual(new Set(['open']))
})

it('uses the next free port if its own is in use, and says so', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  try {
    const demo = startDemo(['--no-browser', '--port', String(port)], { PORTICO_DEMO_DATA: makeFolder() })
    const address = await demo.address
    expect(Number(new URL(address).port)).toBeGreaterThan(port)
    expect(demo.output()).toContain(`runs at ${address} (port ${port} is in use)\n`)
    const visitor = new Visitor(address)
    expect(await (await visitor.signIn('grace')).text()).toContain('Grace Hopper')
  } finally {
    other.close()
  }
})

it('accepts only the names of this machine, and redirects to one of them', async () => {
  const demo = startDemo(['--no-browser', '--port', String(await findPort())], { PORTICO_DEMO_DATA: makeFolder() })
  const address = await demo.address
  const [, issuer = ''] = demo.output().match(/home at (http\S+),/) ?? []
  for (const url of [`${address}/api-docs/spec.json`, `${issuer}/.well-known/openid-configuration`]) {
    const { port } = new URL(url)
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, 'LOCALHOST', '[::1]:1']) {
      expect((await askAs(host, url)).status, `${host} ${url}`).toBe(200)
    }
    const near = ['127.0.0.1.evil.example', 'localhost.', 'localhost:1.evil.example', '127.0.0.1:1@evil.example']
    for (const host of ['evil.example', `evil.example:${port}`, ...near]) {
      expect((await askAs(host, url)).status, `${host} ${url}`).toBe(421)
    }
  }
  const name = `localhost:${new URL(address).port}`
  for (const [path, led] of [
    ['//evil.example?a=1', '/evil.example?a=1'],
    ['/\\evil.example', '/\\evil.example'],
    ['///\\/evil.example', '/\\/evil.example'],
  ]) {
    const answer = await askAs(name, address, { accept: 'text/html' }, path)
    expect(answer).toEqual({ status: 307, location: address + led })
    expect(new URL(answer.location!).origin).toBe(address)
  }
  const foreign = await askAs(name, address, { accept: 'text/html' }, 'http://evil.example/')
  expect(foreign.location).toBeUndefined()
})

it('explains an expired sign-in on the page of the provider, and not in the terminal', async () => {
  const demo = startDemo(['--no-browser', '--port', String(await findPort())], { PORTICO_DEMO_DATA: makeFolder() })
  await demo.address
  const before = demo.output()
  const [, issuer = ''] = before.match(/home at (http\S+),/) ?? []
  for (const path of ['/sign-in/none', '/auth/none']) {
    const answer = await fetch(issuer + path, { headers: { accept: 'text/html' } })
    expect(answer.status).toBe(400)
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await answer.text()).toContain('Go back to the app and sign in again')
  }
  expect(await demo.stop()).toEqual({ code: 0, output: `${before}Stopped.\n` })
})

/** Asks under a name of one's own, as a page elsewhere would. */
function askAs(
  host: string,
  url: string,
  headers = {},
  path = new URL(url).pathname,
): Promise<{ status: number; location?: string | undefined }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    request({ hostname, port, path, headers: { host, ...headers } }, (response) => {
      response.resume()
      const { location } = response.headers
      resolve({ status: response.statusCode!, ...(location !== undefined && { location }) })
    })
      .once('error', reject)
      .end()
  })
}

it('starts several times at once on the same new folder', async () => {
  const env = { PORTICO_DEMO_DATA: join(makeFolder(), 'data') }
  const port = await findPort()
  const demos = [1, 2, 3].map(() => startDemo(['--no-browser', '--port', String(port)], env))
  const addresses = await Promise.all(demos.map((it) => it.address))
  expect(new Set(addresses).size).toBe(3)
  const [first = '', second = ''] = addresses
  const visitor = new Visitor(first)
  await visitor.signIn('ada')
  const headers = { authorization: `Bearer ${await visitor.getToken()}` }
  // One secret, one database: what one of them gave, the others know.
  expect(await (await fetch(`${second}/projects/query`, { headers })).json()).toHaveLength(3)
  for (const it of demos) expect((await it.stop()).code).toBe(0)
}, 60_000)

it.skipIf(process.platform === 'win32')(
  'writes files that only its user can read, even in a folder that others can read',
  async () => {
    const folder = makeFolder()
    chmodSync(folder, 0o755)
    const demo = startDemo(['--no-browser', '--port', String(await findPort())], { PORTICO_DEMO_DATA: folder })
    await demo.address
    const names = readdirSync(folder)
    expect(names).toEqual(expect.arrayContaining(['secret', 'tracker.db']))
    expect(names.map((it) => [it, statSync(join(folder, it)).mode & 0o777])).toEqual(names.map((it) => [it, 0o600]))
  },
)

/** Runs a program that may not listen on port 1: as it is, or without that right where root runs the tests. */
function withoutLowPorts(): string[] | undefined {
  const file = '/proc/sys/net/ipv4/ip_unprivileged_port_start'
  if (!existsSync(file) || Number(readFileSync(file, 'utf8')) <= 1) return undefined
  if (process.getuid?.() !== 0) return []
  return existsSync('/usr/bin/setpriv') ? ['setpriv', '--bounding-set', '-net_bind_service'] : undefined
}

describe('does not start, and says why,', () => {
  const refuse = async (env: NodeJS.ProcessEnv) => startDemo(['--no-browser'], env).ended

  it.skipIf(!withoutLowPorts())('on a port that it has no permission for', async () => {
    const demo = startDemo(['--no-browser', '--port', '1'], { PORTICO_DEMO_DATA: makeFolder() }, withoutLowPorts())
    const output = 'PORT_FORBIDDEN: no permission to listen on port 1: choose another one with --port\n'
    expect(await demo.ended).toEqual({ code: 1, output })
  })

  it('on a database that it has no adapter for', async () => {
    const url = 'oracle://u:hush@localhost/t'
    const { code, output } = await refuse({ PORTICO_DEMO_DATA: makeFolder(), PORTICO_DATABASE_URL: url })
    expect(code).toBe(1)
    expect(output).toMatch(/^DATABASE_UNSUPPORTED: .*oracle:\/\/.*postgres:\/\/, mysql:\/\/, mongodb:\/\/.*\n$/)
    expect(output).not.toContain('hush')
  })

  it('on an invalid URL', async () => {
    const { code, output } = await refuse({ PORTICO_DEMO_DATA: makeFolder(), PORTICO_DATABASE_URL: 'hush@db' })
    expect([code, output.includes('DATABASE_URL_INVALID'), output.includes('hush')]).toEqual([1, true, false])
  })

  it('with a data folder that is a file, or an invalid database file', async () => {
    const folder = makeFolder()
    const file = join(folder, 'tracker.db')
    writeFileSync(file, 'this is not a database')
    const lines = [
      (await refuse({ PORTICO_DEMO_DATA: file })).output,
      (await refuse({ PORTICO_DEMO_DATA: folder })).output,
    ]
    rmSync(file)
    mkdirSync(file)
    lines.push((await refuse({ PORTICO_DEMO_DATA: folder })).output)
    expect(lines).toEqual([
      expect.stringMatching(/^FOLDER_UNUSABLE: .*Set PORTICO_DEMO_DATA to use another data folder\n$/),
      expect.stringMatching(/^DATABASE_INVALID: .*delete it to start over\n$/),
      expect.stringMatching(/^UNAVAILABLE: .*check the permissions of the folder, and the free disk space\n$/),
    ])
  })

  it.skipIf(process.platform === 'win32')('with a secret that other users can read, or that is invalid', async () => {
    const folder = makeFolder()
    const file = join(folder, 'secret')
    writeFileSync(file, 's'.repeat(43))
    chmodSync(file, 0o644)
    expect(await refuse({ PORTICO_DEMO_DATA: folder })).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^SECRET_EXPOSED: other users/) as string,
    })
    chmodSync(file, 0o600)
    writeFileSync(file, 'short')
    expect(await refuse({ PORTICO_DEMO_DATA: folder })).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^SECRET_INVALID: /) as string,
    })
  })
})

describe('its options', () => {
  it('are explained, and unknown ones are refused', async () => {
    expect(await startDemo(['--help'], {}).ended).toMatchObject({
      code: 0,
      output: expect.stringMatching(/--no-browser[\s\S]*--port/) as string,
    })
    expect(await startDemo(['--no-brwser'], {}).ended).toMatchObject({
      code: 2,
      output: expect.stringMatching(/--no-brwser/) as string,
    })
    expect(await startDemo(['--port', 'x'], {}).ended).toMatchObject({
      code: 2,
      output: expect.stringMatching(/--port must be a number/) as string,
    })
  })

  it('are passed on by npm start', async () => {
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
    const options = { cwd: root, shell: process.platform === 'win32' }
    const { stdout } = await promisify(execFile)(npm, ['start', '--', '--help'], options)
    expect(stdout).toContain('npm start -- --no-browser')
  })
})

it.skipIf(process.platform === 'win32')(
  'ends with npm, also where the signal goes to npm alone',
  async () => {
    const env = { ...process.env, PORTICO_DEMO_DATA: makeFolder() }
    const args = ['start', '--silent', '--', '--no-browser', '--port', String(await findPort())]
    const npm = spawn('npm', args, { cwd: root, env, detached: true })
    onTestFinished(() => {
      try {
        process.kill(-npm.pid!, 'SIGKILL')
      } catch {
        // All of them have ended, as they should.
      }
    })
    let output = ''
    npm.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    await vi.waitUntil(() => output.includes('Ctrl-C stops'), { timeout: 50_000 })
    npm.kill('SIGTERM')
    // The program holds the output for as long as it runs.
    await once(npm.stdout, 'end')
    expect(output).toMatch(/\nStopped\.\n$/)
  },
  60_000,
)
