import { once } from 'node:events'
import { connect } from 'node:net'
import { createApp, defineRoute, HttpError } from '@portico/http'
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'

/** A failure as a program throws it, with a code, a cause, and properties that nobody should see. */
function failure(): Error {
  const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  return Object.assign(new Error('it broke', { cause }), { code: 'E_BROKEN', config: { token: 'property-secret' } })
}

const routes = [
  defineRoute({
    method: 'POST',
    path: '/fail',
    body: { type: 'object' },
    handler() {
      throw failure()
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/refuse',
    handler() {
      throw new HttpError(404, 'GONE_FISHING', 'not here')
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/warn',
    handler({ request }) {
      request.log.warn({ err: failure(), token: 'field-secret' }, 'the provider failed')
      request.log.info({}, 'nothing to see')
      return {}
    },
  }),
]

describe('an app without a logger', () => {
  let written: string[]
  let stderr: MockInstance
  beforeEach(() => {
    written = []
    stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      written.push(String(text))
      return true
    })
  })
  afterEach(() => stderr.mockRestore())

  it('writes an unexpected error to stderr: one line, then stack and causes, and no secret', async () => {
    const app = createApp().register(...routes)
    const answer = await app.inject({
      method: 'POST',
      url: '/fail?code=query-secret',
      headers: { 'x-request-id': 'r-1', authorization: 'Bearer header-secret' },
      payload: { password: 'body-secret' },
    })
    expect(answer.json()).toMatchObject({ status: 500, code: 'INTERNAL' })
    const text = written.join('')
    expect(text).toMatch(/^request failed \(POST \/fail, request id r-1\)\n/)
    expect(text).toMatch(/code E_BROKEN\nError: it broke\n +at .*stderr-log\.test\.ts/)
    expect(text).toMatch(/caused by code ECONNREFUSED\nError: refused\n +at /)
    expect(text).not.toContain('-secret')
    await app.close()
  })

  it('writes one line, whatever the path contains', async () => {
    const app = createApp()
    app.fastify.get('/own/*', (request) => {
      request.log.error({ method: 'GET', path: '/a\nrequest failed: forged' }, 'request failed')
      return {}
    })
    await app.inject('/own/x')
    expect(written.join('').split('\n')).toHaveLength(2)
    await app.close()
  })

  it('writes warnings, and nothing of requests that are answered or refused', async () => {
    const app = createApp().register(...routes)
    await app.inject('/refuse')
    await app.inject('/nowhere')
    expect(written).toEqual([])
    await app.inject({ url: '/warn', headers: { 'x-request-id': 'r-2' } })
    expect(written.join('')).toMatch(/^the provider failed \(request id r-2\)\ncode E_BROKEN\n/)
    expect(written.join('')).not.toMatch(/secret|nothing to see/)
    await app.close()
  })

  it('writes nothing of a client that hangs up while it sends', async () => {
    const app = createApp().register(...routes)
    await hangUp(app.fastify.server, await app.listen())
    await app.close()
    expect(written).toEqual([])
  })
})

it('a client that hangs up while it sends is not logged as a failure', async () => {
  const lines: string[] = []
  const app = createApp({ logger: { stream: { write: (line) => void lines.push(line) } } }).register(...routes)
  await hangUp(app.fastify.server, await app.listen())
  await app.close()
  const entries = lines.map((it) => JSON.parse(it) as { level: number; msg: string; status?: number })
  expect(entries.filter((it) => it.level > 30)).toEqual([])
  expect(entries).toContainEqual(expect.objectContaining({ msg: 'request refused', status: 400 }))
})

it('a failure of the handler with the same code as a hang-up is still one', async () => {
  const lines: string[] = []
  const app = createApp({ logger: { stream: { write: (line) => void lines.push(line) } } }).register(
    defineRoute({
      method: 'GET',
      path: '/upstream',
      handler() {
        throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
      },
    }),
  )
  expect((await app.inject('/upstream')).statusCode).toBe(500)
  expect(lines.map((it) => JSON.parse(it) as { level: number }).filter((it) => it.level === 50)).toHaveLength(1)
  await app.close()
})

/** Sends half a body and leaves; resolves when the server has noticed. */
async function hangUp(server: import('node:http').Server, url: string): Promise<void> {
  const arrived = once(server, 'request') as Promise<[import('node:http').IncomingMessage]>
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' })
  socket.write('POST /fail HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{"a":')
  const [request] = await arrived
  const gone = new Promise((resolve) => request.once('close', resolve))
  socket.destroy()
  await gone
}
