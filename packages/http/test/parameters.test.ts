import {
  type App,
  Controller,
  type ControllerLike,
  Cookie,
  createApp,
  defineRoute,
  Get,
  Header,
  optional,
  Param,
  Query,
  type TypeToken,
} from '@portico/http'
import { createSpec } from '@portico/spec'
import { afterEach, describe, expect, it } from 'vitest'

let app: App | undefined
afterEach(() => app?.close())

function serve(...routes: readonly ControllerLike[]): App {
  app = createApp().register(...routes)
  return app
}

async function readQuery(type: TypeToken, query: string): Promise<unknown> {
  const route = defineRoute({
    method: 'GET',
    path: '/',
    query: { q: optional(type) },
    handler: (it) => ({ got: it.query.q }),
  })
  const answer = await serve(route).inject(`/?${query}`)
  const { got, code } = answer.json()
  return code ?? got
}

describe('a union in a query is tried in turn', () => {
  const nullable = { type: ['integer', 'null'] }
  const mixed = { type: ['integer', 'boolean'] }
  const either = { anyOf: [{ type: 'boolean' }, { type: 'integer' }] }
  const bounded = { anyOf: [{ type: 'integer', maximum: 3 }, { type: 'string' }] }
  const named = { anyOf: [{ $ref: '#/$defs/Id' }, { enum: ['all'] }], $defs: { Id: { type: 'integer' } } }
  it.each<[object, string, unknown]>([
    [nullable, '5', 5],
    [nullable, 'null', null],
    [nullable, 'x', 'VALIDATION_FAILED'],
    [{ type: ['string', 'null'] }, 'null', 'null'],
    [mixed, '5', 5],
    [mixed, 'true', true],
    [mixed, 'x', 'VALIDATION_FAILED'],
    [either, '5', 5],
    [either, 'false', false],
    [bounded, '2', 2],
    [bounded, '5', '5'],
    [named, '7', 7],
    [named, 'all', 'all'],
    [named, 'some', 'VALIDATION_FAILED'],
    [{ oneOf: [{ type: 'number' }, { type: 'boolean' }] }, '1.5', 1.5],
    [{ type: 'array', items: mixed }, '5&q=true', [5, true]],
  ])('%j takes %s as %j', async (type, text, expected) => {
    expect(await readQuery(type as TypeToken, `q=${text}`)).toEqual(expected)
  })
})

describe('lists in headers and paths', () => {
  @Controller('/lists')
  class ListController {
    @Get('/header')
    header(@Header('x-ids', [Number]) ids: number[]) {
      return ids
    }

    @Get('/text')
    text(@Header('x-names', { type: 'array', items: { type: 'string' } }) names: string[]) {
      return names
    }

    @Get('/path/:ids')
    path(@Param('ids', [Number]) ids: number[]) {
      return ids
    }
  }

  it('are separated by commas', async () => {
    const lists = serve(ListController)
    const get = async (url: string, headers: Record<string, string | string[]> = {}) =>
      (await lists.inject({ url, headers })).json()
    expect(await get('/lists/header', { 'x-ids': '1,2' })).toEqual([1, 2])
    expect(await get('/lists/header', { 'x-ids': '7' })).toEqual([7])
    expect(await get('/lists/text', { 'x-names': ['a,b', 'c'] })).toEqual(['a', 'b', 'c'])
    expect(await get('/lists/path/1,2,3')).toEqual([1, 2, 3])
    expect(await get('/lists/path/1,x')).toMatchObject({ code: 'VALIDATION_FAILED', issues: [{ path: ['ids', 1] }] })
  })
})

describe('a default', () => {
  const n = { type: 'integer', default: 7 } as const

  it('is what the handler gets, and the parameter is not required', async () => {
    const route = defineRoute({
      method: 'POST',
      path: '/',
      query: { n },
      headers: { 'x-n': n },
      body: { type: 'object', properties: { n, inner: { type: 'object', properties: { n }, default: {} } } },
      handler: ({ query, headers, body }) => ({ query, headers, body }),
    })
    const answer = await serve(route).inject({ method: 'POST', url: '/', payload: {} })
    expect(answer.json()).toEqual({ query: { n: 7 }, headers: { 'x-n': 7 }, body: { n: 7, inner: { n: 7 } } })
    const given = await app!.inject({ method: 'POST', url: '/?n=1', headers: { 'x-n': '2' }, payload: { n: 3 } })
    expect(given.json()).toMatchObject({ query: { n: 1 }, headers: { 'x-n': 2 }, body: { n: 3 } })
    const { parameters } = createSpec([route], { title: 'T', version: '1' }).paths['/']!.post!
    expect(parameters).toMatchObject([{ name: 'n' }, { name: 'x-n' }])
    for (const it of parameters ?? []) expect(it.required ?? false).toBe(false)
  })

  it('serves decorators, whole queries and absent bodies too', async () => {
    @Controller('/defaults')
    class DefaultController {
      @Get('/one')
      one(@Query('n', n) value: number) {
        return value
      }

      @Get('/whole')
      whole(@Query({ type: 'object', properties: { n } }) query: object) {
        return query
      }
    }
    const body = defineRoute({
      method: 'POST',
      path: '/body',
      body: { type: 'object', default: { a: 1 } },
      handler: (it) => it.body,
    })
    const defaults = serve(DefaultController, body)
    expect((await defaults.inject('/defaults/one')).json()).toBe(7)
    expect((await defaults.inject('/defaults/whole')).json()).toEqual({ n: 7 })
    expect((await defaults.inject({ method: 'POST', url: '/body' })).json()).toEqual({ a: 1 })
  })
})

describe('a parameter that no request could hold is refused at start', () => {
  const object = { type: 'object', properties: { a: { type: 'integer' } } } as const

  it.each<[string, () => unknown, string]>([
    ['an object in the query', () => route({ query: { f: object } }), 'query parameter `f` is an object'],
    ['an object in a header', () => route({ headers: { f: object } }), 'header parameter `f` is an object'],
    ['a list of objects', () => route({ query: { f: [object] } }), 'query parameter `f` is a list of objects'],
    ['a list of lists', () => route({ query: { f: [[Number]] } }), 'query parameter `f` is a list of lists'],
    ['an object inside the whole query', () => collectWhole(object), 'query parameter `inner` is an object'],
    ['a list in a cookie', () => collectCookie(), 'cookie parameter `c` is a list'],
  ])('%s', (_, create, message) => {
    expect(() => serve(create() as object)).toThrow(
      expect.objectContaining({ code: 'PARAMETER_INVALID', message: expect.stringContaining(message) }),
    )
    app = undefined
  })

  function route(inputs: object) {
    return defineRoute({ method: 'GET', path: '/f', ...inputs, handler: () => 1 })
  }

  function collectWhole(inner: object) {
    @Controller('/whole')
    class WholeController {
      @Get()
      find(@Query({ type: 'object', properties: { inner } }) query: object) {
        return query
      }
    }
    return WholeController
  }

  function collectCookie() {
    @Controller('/cookie')
    class CookieController {
      @Get()
      find(@Cookie('c', [String]) values: string[]) {
        return values
      }
    }
    return CookieController
  }
})
