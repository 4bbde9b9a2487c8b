import { createApp, defineRoute, reply } from '@portico/http'
import { describe, expect, it } from 'vitest'

const foreign = Object.assign(new Error('GET http://internal/?key=SECRET failed'), { statusCode: 404 })

async function answerOf(handler: () => unknown) {
  const app = createApp().register(defineRoute({ method: 'GET', path: '/', handler }))
  const answer = await app.inject({ method: 'GET', url: '/' })
  await app.close()
  return answer
}

describe.each([null, undefined, 'text', 7, foreign])('a handler that throws %j', (thrown) => {
  const throws = () => {
    throw thrown
  }
  it.each([
    ['at once', throws],
    ['later', async () => throws()],
  ])('%s is an internal problem that shows nothing', async (_, handler) => {
    const answer = await answerOf(handler)
    expect(answer.statusCode).toBe(500)
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(answer.json()).toMatchObject({ status: 500, code: 'INTERNAL' })
    expect(answer.body).not.toMatch(/destructure|property|SECRET/)
  })
})

const cyclic: { self?: object } = {}
cyclic.self = cyclic

const answers: readonly (readonly [string, () => unknown])[] = [
  ['a value that cannot be JSON', () => cyclic],
  ['a function', () => () => 1],
  ['a symbol', () => Symbol('x')],
  ['an informational status', () => reply(undefined, { status: 100 })],
  ['a status outside of the range', () => reply({}, { status: 1000 })],
  ['a header with a line break', () => reply({}, { headers: { 'x-a': 'b\r\nx-injected: yes' } })],
  ['a header with an invalid name', () => reply({}, { headers: { 'x a': 'b' } })],
]

describe.each(answers)('a handler that answers %s', (_, handler) => {
  it.each([
    ['at once', handler],
    ['later', async () => handler()],
  ])('%s is an internal problem', async (_when, it) => {
    const answer = await answerOf(it)
    expect(answer.headers).not.toHaveProperty('x-injected')
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(answer.json()).toMatchObject({ status: 500, code: 'INTERNAL' })
  })
})

it.each([
  ['at once', (answer: unknown) => answer],
  ['later', async (answer: unknown) => answer],
])('the problem has none of the headers of an answer that cannot be sent %s', async (_, give) => {
  const headers = { 'cache-control': 'public', 'content-encoding': 'gzip', etag: '"1"', 'set-cookie': ['a=1', 'b=2'] }
  const answer = await answerOf(() => give(reply(cyclic, { headers })))
  expect(answer.json()).toMatchObject({ status: 500, code: 'INTERNAL' })
  for (const name of Object.keys(headers)) expect(answer.headers).not.toHaveProperty(name)
  expect(answer.headers).toHaveProperty('x-request-id')
})

/** A thenable that is not a promise, like a query builder. */
function thenable(value: unknown): unknown {
  // biome-ignore lint/suspicious/noThenProperty: that is what this is about
  return { then: (resolve: (value: unknown) => void) => void setImmediate(resolve, value) } // oxlint-disable-line unicorn/no-thenable
}

it('a handler may return a thenable that is not a promise', async () => {
  const answer = await answerOf(() => thenable(reply({ a: 1 }, { status: 202, headers: { 'x-a': 'b' } })))
  expect([answer.statusCode, answer.headers['x-a'], answer.json()]).toEqual([202, 'b', { a: 1 }])
  expect((await answerOf(() => thenable(undefined))).statusCode).toBe(204)
  expect((await answerOf(() => thenable([1]))).json()).toEqual([1])
})
