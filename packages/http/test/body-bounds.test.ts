import { type App, createApp, defineRoute, type TypeToken } from '@portico/http'
import { afterEach, describe, expect, it } from 'vitest'
import { Task } from './tracker.portico.ts'

let app: App
afterEach(() => app.close())

/** Sends JSON text to a route that takes such a body, and answers what came back. */
async function send(body: TypeToken, text: string) {
  app = createApp().register(defineRoute({ method: 'POST', path: '/', body, handler: (it) => ({ got: it.body }) }))
  const answer = await app.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': 'application/json' },
    body: text,
  })
  return answer.json() as { status?: number; code?: string; issues?: unknown[]; got?: unknown; detail?: string }
}

describe('many mistakes', () => {
  const numbers = `[${'1,'.repeat(130_000)}1]`

  it.each<[string, TypeToken, string]>([
    ['items of a JSON Schema', { type: 'array', items: { type: 'string' } }, numbers],
    ['items of a list', [String], numbers],
    ['items of generated types', [Task], `[${'{},'.repeat(50_000)}{}]`],
    ['unknown fields of a generated type', Task, `{${Array.from({ length: 60_000 }, (_, at) => `"k${at}":1`).join()}}`],
  ])('%s are a 400 with a bounded list of issues', async (_, type, text) => {
    const { status, code, issues } = await send(type, text)
    expect({ status, code }).toEqual({ status: 400, code: 'VALIDATION_FAILED' })
    expect(issues!.length).toBeGreaterThan(0)
    expect(issues!.length).toBeLessThanOrEqual(100)
  })

  it('a validator stops at 100 issues', () => {
    const labels = Array.from({ length: 5000 }, () => 1)
    const result = Task.validate({ labels })
    expect(!result.ok && result.issues).toHaveLength(100)
  })

  it('a few are all there, of a JSON Schema too', async () => {
    const { issues } = await send(
      { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } }, required: ['c'] },
      '{"a":1,"b":"x"}',
    )
    expect(issues).toHaveLength(3)
  })
})

describe('items that have to be unique', () => {
  const objects = { type: 'array', items: {}, uniqueItems: true }

  it('are compared once each, however many there are', async () => {
    const different = Array.from({ length: 60_000 }, (_, i) => ({ i }))
    expect((await send(objects, JSON.stringify(different))).got).toHaveLength(60_000)
  })

  it.each([
    ['[{"a":1,"b":[2]},{"b":[2],"a":1}]', false],
    ['[1,1.0]', false],
    ['["a","a"]', false],
    ['[null,null]', false],
    ['[1,"1",true,"true",null,"null",[],{},[[]],[{}],{"a":[]}]', true],
    ['[{"a":1},[["a",1]],"{\\"a\\":1}"]', true],
    ['[{"a":1,"b":2},{"a":1},{"b":2}]', true],
  ])('%s: %s', async (text, isTaken) => {
    const { code } = await send(objects, text)
    expect(code).toBe(isTaken ? undefined : 'VALIDATION_FAILED')
  })

  it('are so only where the schema says it', async () => {
    expect((await send({ ...objects, uniqueItems: false }, '[1,1]')).got).toEqual([1, 1])
  })
})

describe('numbers that JavaScript would change', () => {
  it.each([
    '{"n":1e999}',
    '{"n":-1e999}',
    '[1E400]',
    '1e999',
    `{"n":1${'0'.repeat(400)}}`,
    '{"n":9007199254740993}',
    '{"n":-9007199254740993}',
    '[12345678901234567891]',
    '{"text":"1e999","n":9007199254740993}',
  ])('%s is refused, whatever the type', async (text) => {
    for (const type of [{}, { type: 'object', properties: { n: { type: 'number', minimum: 0 } } }]) {
      expect(await send(type, text)).toMatchObject({ status: 400, code: 'MALFORMED_BODY' })
    }
  })

  it.each([
    '{"n":9007199254740991}',
    '{"n":100000000000000000000}',
    '{"n":12345678901234567000}',
    '{"n":1e300}',
    '{"n":0.12345678901234567890}',
    '{"text":"9007199254740993 \\"1e999"}',
    '{"9007199254740993":"1e999"}',
  ])('%s is taken', async (text) => {
    expect(await send({}, text)).toEqual({ got: JSON.parse(text) })
  })
})

describe('nesting', () => {
  it.each([
    ['arrays', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('of %s is refused beyond 100 levels', async (_, open, close) => {
    const nested = (depth: number): string => `${open.repeat(depth - 1)}[]${close.repeat(depth - 1)}`
    expect(await send({}, nested(100))).toHaveProperty('got')
    expect(await send({}, nested(101))).toMatchObject({ status: 400, code: 'MALFORMED_BODY' })
    expect(await send({}, nested(7000))).toMatchObject({ status: 400, code: 'MALFORMED_BODY' })
  })
})
