import { createApp, defineRoute, HttpError, reply } from '@portico/http'
import { describe, expect, it } from 'vitest'

const app = createApp({ bodyLimitBytes: 100 }).register(
  defineRoute({
    method: 'POST',
    path: '/orders',
    body: { type: 'object', required: ['n'], properties: { n: { type: 'string' } } },
    consumes: ['application/x-www-form-urlencoded'],
    guards: [
      ({ headers }) => {
        if (headers['x-late']) throw new HttpError(429, 'LATE', 'too late', { headers: { 'retry-after': '5' } })
      },
    ],
    answerProblem: ({ status, code }) =>
      reply(`<h1>${code}</h1>`, { headers: { 'content-type': 'text/html', 'x-was': String(status) } }),
    handler: ({ body }) => {
      if ((body as { n: string }).n === 'bug') throw new Error('a bug with secrets')
      return reply('ok', { status: 201 })
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/plain',
    handler: () => {
      throw new HttpError(404, 'NOT_FOUND', 'nothing here')
    },
  }),
)

function post(payload: string, headers: Record<string, string> = {}) {
  return app.inject({
    method: 'POST',
    url: '/orders',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload,
  })
}

describe('answerProblem', () => {
  it.each([
    ['input that does not fit', 'm=1', {}, 400, 'VALIDATION_FAILED'],
    ['a body that is not a form', 'n=%zz', {}, 400, 'MALFORMED_BODY'],
    ['another content type', '{}', { 'content-type': 'text/xml' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a body that is too long', `n=${'x'.repeat(200)}`, {}, 413, 'BODY_TOO_LARGE'],
    ['a guard', 'n=1', { 'x-late': '1' }, 429, 'LATE'],
    ['a bug', 'n=bug', {}, 500, 'INTERNAL'],
  ])('answers %s in the words of the route', async (_, payload, headers, status, code) => {
    const answer = await post(payload, headers as Record<string, string>)
    expect(answer.statusCode).toBe(status)
    expect(answer.body).toBe(`<h1>${code}</h1>`)
    expect(answer.headers).toMatchObject({ 'content-type': 'text/html', 'x-was': String(status) })
  })

  it('keeps the headers of the problem', async () => {
    expect((await post('n=1', { 'x-late': '1' })).headers['retry-after']).toBe('5')
  })

  it.each([
    ['is waited for', 'x=1', 400, '<h1>VALIDATION_FAILED</h1>'],
    ['that fails gives way to the words of the server', 'x=1&fail=1', 503, /"code":"UNAVAILABLE"/],
  ])('%s', async (_, payload, status, body) => {
    const slow = createApp().register(
      defineRoute({
        method: 'POST',
        path: '/orders',
        body: { type: 'object', required: ['n'] },
        consumes: ['application/x-www-form-urlencoded'],
        answerProblem: async ({ code }, request) => {
          await new Promise((resolve) => setImmediate(resolve))
          if ((request.body as { fail?: string }).fail) throw new HttpError(503, 'UNAVAILABLE', 'not now')
          return reply(`<h1>${code}</h1>`)
        },
        handler: () => 'ok',
      }),
    )
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await slow.inject({ method: 'POST', url: '/orders', headers, payload })
    expect([answer.statusCode, answer.body]).toEqual([status, expect.stringMatching(body)])
    await slow.close()
  })

  it('leaves good answers and other routes alone', async () => {
    expect((await post('n=1')).statusCode).toBe(201)
    expect((await app.inject('/plain')).headers['content-type']).toMatch('application/problem+json')
  })
})
