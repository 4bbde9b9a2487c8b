import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type App, type AppOptions, createApp, defineRoute } from '@portico/http'
import { describe, expect, it } from 'vitest'
import { heavy } from '../../../test/support/heavy.ts'

/** An app on a real port, and the means to talk to it byte by byte. */
async function listen(options: AppOptions = {}) {
  const started: (() => void)[] = []
  const held: (() => void)[] = []
  const app: App = createApp(options).register(
    defineRoute({ method: 'GET', path: '/fast', handler: () => ({ ok: true }) }),
    defineRoute({ method: 'POST', path: '/echo', body: { type: 'object' }, handler: ({ body }) => body }),
    defineRoute({ method: 'GET', path: '/endless', handler: beginAnswer }),
    defineRoute({
      method: 'GET',
      path: '/slow',
      query: { ms: Number },
      async handler({ query }) {
        started.shift()?.()
        await sleep(query.ms)
        return { slow: true }
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/held',
      async handler() {
        started.shift()?.()
        await new Promise<void>((resolve) => held.push(resolve))
        return { held: false }
      },
    }),
  )
  const url = await app.listen()
  const port = Number(new URL(url).port)
  return {
    app,
    url,
    port,
    /** Resolves when the next slow request has begun. */
    slowStarted: () => new Promise<void>((resolve) => started.push(resolve)),
    /** Lets the held requests go on; how many there were. */
    release: () => held.splice(0).map((resolve) => resolve()).length,
    [Symbol.asyncDispose]: () => app.close(),
  }
}

/** An answer that begins and never ends. */
function beginAnswer(): Readable {
  const answer = new Readable({ read() {} })
  answer.push('begun')
  return answer
}

/** Sends bytes and reads all that comes until the server ends the connection. */
async function talk(port: number, text: string, after?: (socket: Socket) => unknown): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.setEncoding('utf8')
  let answer = ''
  socket.on('data', (chunk: string) => {
    answer += chunk
  })
  socket.on('end', () => socket.end())
  socket.on('error', () => {})
  socket.write(text)
  await after?.(socket)
  if (!socket.closed) await once(socket, 'close')
  return answer
}

const post = 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'

describe('on a real socket', () => {
  it('a body that does not arrive in time is 408', async () => {
    await using server = await listen({ requestTimeoutMs: 300 })
    const answer = await talk(server.port, `${post}Content-Length: 20\r\n\r\n{"a":`)
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(answer).toContain('"code":"REQUEST_TIMEOUT"')
  })

  it('a body that trickles in before that is read', async () => {
    await using server = await listen()
    const answer = await talk(server.port, `${post}Content-Length: 8\r\nConnection: close\r\n\r\n`, async (socket) => {
      for (const byte of '{"a": 1}') {
        socket.write(byte)
        await sleep(5)
      }
    })
    expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*\{"a":1\}$/)
  })

  it('a client that half-closes its connection is disconnected, without effect on others', async () => {
    await using server = await listen()
    const begun = server.slowStarted()
    await talk(server.port, 'GET /held HTTP/1.1\r\nHost: x\r\n\r\n', async (socket) => {
      await begun
      socket.end()
    })
    // The connection has ended while the handler still ran.
    expect(server.release()).toBe(1)
    expect(await (await fetch(`${server.url}/fast`)).json()).toEqual({ ok: true })
  })

  it('a client that disconnects in the middle of a body does not affect others', async () => {
    await using server = await listen()
    await talk(server.port, `${post}Content-Length: 20\r\n\r\n{"a":`, (socket) =>
      sleep(20).then(() => socket.destroy()),
    )
    expect(await (await fetch(`${server.url}/fast`)).json()).toEqual({ ok: true })
  })

  it.each([
    ['no HTTP', 'nonsense\r\n\r\n', 400, 'MALFORMED_REQUEST'],
    ['too long a request line', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
    ['two lengths', `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400, 'MALFORMED_REQUEST'],
    [
      'a length and chunks',
      `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      'MALFORMED_REQUEST',
    ],
    ['no Host', 'GET /fast HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'MALFORMED_REQUEST'],
    ['an unknown Expect', `${post}Expect: tea\r\nContent-Length: 2\r\n\r\n{}`, 417, 'EXPECTATION_FAILED'],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n', 400, 'MALFORMED_REQUEST'],
    [
      'a body that is announced as too long',
      `${post}Content-Length: 99999999\r\nConnection: close\r\n\r\n`,
      413,
      'BODY_TOO_LARGE',
    ],
  ])('%s is answered with a problem and the end of the connection', async (_, text, status, code) => {
    await using server = await listen()
    const answer = await talk(server.port, text)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer.toLowerCase()).toContain('content-type: application/problem+json')
    expect(answer).toContain(`"code":"${code}"`)
  })

  it('HTTP/1.0 needs no Host, and 100-continue is known', async () => {
    await using server = await listen()
    expect(await talk(server.port, 'GET /fast HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /)
    const expecting = `${post}Expect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`
    expect(await talk(server.port, expecting)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)
  })

  it('invalid HTTP in the middle of an answer ends the connection without a reply', async () => {
    await using server = await listen()
    const answer = await talk(server.port, 'GET /endless HTTP/1.1\r\nHost: x\r\n\r\n', async (socket) => {
      await new Promise<void>((resolve) => {
        socket.on('data', (chunk: string) => chunk.includes('begun') && resolve())
      })
      socket.write('nonsense\r\n\r\n')
    })
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200'])
  })
})

describe('close', () => {
  it('lets a running request finish, with idle keep-alive connections open, and takes no new one', async () => {
    const server = await listen()
    const agent = new Agent({ keepAlive: true })
    await get(agent, `${server.url}/fast`)
    const begun = server.slowStarted()
    const slow = fetch(`${server.url}/slow?ms=200`)
    await begun
    const closed = server.app.close()
    await expect(fetch(`${server.url}/fast`)).rejects.toThrow()
    expect(await (await slow).json()).toEqual({ slow: true })
    await closed
    agent.destroy()
  })

  it('with a drain serves on, and every answer ends its connection, the running ones too', async () => {
    const server = await listen()
    expect(server.app.isReady).toBe(true)
    const begun = server.slowStarted()
    const slow = fetch(`${server.url}/slow?ms=100`)
    await begun
    const closed = server.app.close({ drainMs: 60_000 })
    expect(server.app.isReady).toBe(false)
    // On a new connection, by the handler and by the server itself.
    for (const path of ['/fast', '/nowhere', '/%ff']) {
      expect((await fetch(server.url + path)).headers.get('connection'), path).toBe('close')
    }
    const answer = await slow
    expect(answer.headers.get('connection')).toBe('close')
    expect(await answer.json()).toEqual({ slow: true })
    // A second call without a drain ends it.
    await server.app.close()
    await closed
    await expect(fetch(`${server.url}/fast`)).rejects.toThrow()
  })

  it('of several drains the one that ends first ends them all', async () => {
    const server = await listen()
    const long = server.app.close({ drainMs: 2_000_000_000 })
    await server.app.close({ drainMs: 20 })
    await long
    await expect(fetch(`${server.url}/fast`)).rejects.toThrow()
  })

  it('while it starts to listen leaves nothing open', async () => {
    const app = createApp().register(defineRoute({ method: 'GET', path: '/fast', handler: () => ({ ok: true }) }))
    const listening = app.listen().catch((error: unknown) => error)
    await app.close({ drainMs: 20 })
    const url = await listening
    expect(app.fastify.server.listening).toBe(false)
    if (typeof url === 'string') await expect(fetch(`${url}/fast`)).rejects.toThrow()
  })

  it('without a drain, too, a running request is answered with the end of its connection', async () => {
    const server = await listen()
    const begun = server.slowStarted()
    const slow = fetch(`${server.url}/slow?ms=100`)
    await begun
    const closed = server.app.close()
    expect((await slow).headers.get('connection')).toBe('close')
    await closed
  })

  it('does not cut a connection whose first request is on its way', async () => {
    const server = await listen()
    const socket = connect({ port: server.port, host: '127.0.0.1' })
    const accepted = once(server.app.fastify.server, 'connection')
    await accepted
    const closed = server.app.close()
    // Several rounds of looking for idle connections.
    await sleep(100)
    let answer = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      answer += chunk
    })
    socket.write('GET /fast HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(socket, 'close')
    await closed
    expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close[\s\S]*\{"ok":true\}$/i)
  })

  it.each([-1, 1.5, '5'])('refuses a drain of %s', async (drainMs) => {
    await using server = await listen()
    await expect(server.app.close({ drainMs: drainMs as number })).rejects.toMatchObject({ code: 'OPTIONS_INVALID' })
    expect(server.app.isReady).toBe(true)
  })

  it('cuts connections of requests that do not finish in time', async () => {
    const server = await listen({ closeTimeoutMs: 100 })
    const begun = server.slowStarted()
    const cut = fetch(`${server.url}/held`).catch((error: unknown) => error)
    await begun
    await server.app.close()
    expect(await cut).toBeInstanceOf(Error)
    // It had not finished by then.
    expect(server.release()).toBe(1)
  })
})

function get(agent: Agent, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { agent }, (response) => response.resume().once('end', resolve))
      .once('error', reject)
      .end()
  })
}

/** The limit of open files for this process and its children. Node raises it as far as the system allows. */
function maxOpenFiles(): number {
  const limit = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim()
  return limit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limit)
}

it('answers beside thousands of idle connections, and closes with them', async () => {
  // Cutting comes long after the end of this test: it cannot be what closes them.
  const server = await listen({ closeTimeoutMs: 600_000 })
  const program = fileURLToPath(new URL('programs/idle-connections.mjs', import.meta.url))
  // Each side has one file for each connection; the rest is for what else the test runner has open.
  const wanted = Math.min(heavy(10_000), maxOpenFiles() - 500)
  const child = spawn(process.execPath, [program, String(server.port), String(wanted)])
  try {
    const [opened] = (await once(child.stdout, 'data')) as [Buffer]
    expect(Number(opened)).toBe(wanted)
    for (let turn = 0; turn < 20; turn++) {
      expect(await (await fetch(`${server.url}/fast`)).json()).toEqual({ ok: true })
    }
    expect(await countConnections(server.app)).toBeGreaterThanOrEqual(wanted)
    await server.app.close()
  } finally {
    child.kill('SIGKILL')
    await server.app.close()
  }
}, 60_000)

function countConnections(app: App): Promise<number> {
  return new Promise((resolve, reject) => {
    app.fastify.server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}
