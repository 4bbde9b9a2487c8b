import { type App, createApp, defineRoute, type LoggerOptions } from '@portico/http'
import { describe, expect, it } from 'vitest'

/** An error as HTTP clients throw them, with all that they sent. */
function clientError(): Error {
  const inner = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', secret: 'cause-secret' })
  const request = { headers: { authorization: 'Bearer config-secret' }, data: 'data-secret' }
  return Object.assign(new Error('Request failed', { cause: inner }), { code: 'ERR_BAD_REQUEST', config: request })
}

/** An app that logs, and what it logged. */
function openLogged(options: Exclude<LoggerOptions, boolean> = {}): { app: App; lines: string[] } {
  const lines: string[] = []
  const app = createApp({
    logger: { level: 'info', stream: { write: (line) => void lines.push(line) }, ...options },
  }).register(
    defineRoute({ method: 'POST', path: '/things/:id', params: { id: Number }, handler: () => ({}) }),
    defineRoute({
      method: 'GET',
      path: '/fail',
      handler({ request }) {
        request.log.info(
          { error: clientError(), card: '4111', token: 'own-secret', user: { token: 'field-secret' } },
          'trying',
        )
        throw clientError()
      },
    }),
  )
  return { app, lines }
}

describe('the log', () => {
  it('has requests and failures with their id, and no secret', async () => {
    const { app, lines } = openLogged()
    await app.inject({
      method: 'POST',
      url: '/things/7?code=query-secret',
      headers: { authorization: 'Bearer token-secret', cookie: 'session=cookie-secret', 'x-request-id': 'r-1' },
      payload: { password: 'body-secret' },
    })
    await app.inject({ url: '/fail', headers: { 'x-request-id': 'r-2' } })
    await app.close()
    expect(lines.join('')).not.toMatch(/-secret/)
    const entries = lines.map((it) => JSON.parse(it))
    expect(entries).toContainEqual(
      expect.objectContaining({ reqId: 'r-1', req: expect.objectContaining({ method: 'POST', path: '/things/7' }) }),
    )
    const stack = expect.stringContaining('log.test.ts')
    const cause = { type: 'Error', message: 'refused', stack, code: 'ECONNREFUSED' }
    expect(entries).toContainEqual(
      expect.objectContaining({
        reqId: 'r-2',
        level: 50,
        msg: 'request failed',
        err: { type: 'Error', message: 'Request failed', stack, code: 'ERR_BAD_REQUEST', cause },
      }),
    )
  })

  it.each([{ redact: ['card'] }, { redact: { paths: ['card'], censor: '***' } }])(
    'leaves out what a program names in %j too, never instead',
    async (options) => {
      const { app, lines } = openLogged(options)
      await app.inject('/fail')
      await app.close()
      expect(lines.join('')).toContain('trying')
      expect(lines.join('')).not.toMatch(/4111|-secret/)
    },
  )

  it('shows nothing of a thrown value or cause that is not an Error', async () => {
    const { app, lines } = openLogged()
    const sent = { config: { headers: { Authorization: 'Bearer deep-secret' } } }
    app.register(
      defineRoute({ method: 'GET', path: '/object', handler: async () => Promise.reject(sent) }),
      defineRoute({
        method: 'GET',
        path: '/cause',
        handler: async () => Promise.reject(new Error('x', { cause: sent })),
      }),
    )
    for (const url of ['/object', '/cause']) expect((await app.inject(url)).statusCode).toBe(500)
    app.fastify.log.error({ error: sent }, 'mine')
    await app.close()
    expect(lines.join('')).not.toMatch(/-secret/)
    expect(lines.filter((it) => it.includes('[object]'))).toHaveLength(3)
  })

  it('cuts a circular chain of causes', async () => {
    const { app, lines } = openLogged()
    const first = new Error('first')
    first.cause = new Error('second', { cause: first })
    app.fastify.log.error(first)
    await app.close()
    expect(JSON.parse(lines[0]!).err.cause.cause.cause.cause.cause.message).toBe('second')
    expect(lines[0]!.length).toBeLessThan(20_000)
  })
})
