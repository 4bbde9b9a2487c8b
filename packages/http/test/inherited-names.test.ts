import { createApp, defineRoute, optional, tableController } from '@portico/http'
import { createTableClient } from '@portico/http/client'
import type { TableDeclaration } from '@portico/schema/runtime'
import { afterEach, beforeEach, expect, it } from 'vitest'
import * as declared from './inherited.portico.ts'
import { onEveryEngine, Tracker } from './support.ts'

type Fields = Record<string, unknown>

// To TypeScript every literal has what it inherits, of another type than the fields of that name.
const Car = declared.Car as unknown as TableDeclaration<Fields, Fields, Fields, Fields, Fields>
const Maker = declared.Maker as unknown as TableDeclaration<Fields, Fields, Fields, Fields, Fields>

onEveryEngine((open) => {
  let tracker: Tracker
  beforeEach(async () => {
    const db = await open()
    await db.sync([Car, Maker])
    tracker = new Tracker(
      createApp().register(
        tableController(Car, { db, route: 'cars' }),
        tableController(Maker, { db, route: 'makers' }),
        tableController(Maker, { db, route: 'some-makers', scope: () => ({ id: { $lt: 100 } }) }),
        tableController(Car, {
          db,
          route: 'mine',
          scope: ({ headers }) => ({ toString: String(headers['x-me']) }),
        }),
      ),
      db,
    )
    await tracker.send('POST', '/makers', { name: 'Maker' })
  })
  afterEach(() => tracker[Symbol.asyncDispose]())

  const full = {
    owner: 'ann',
    constructor: { team: 'Red', secret: 'of ann' },
    toString: 'ann',
    valueOf: 3,
    hasOwnProperty: 1,
  }

  async function addTwo(): Promise<void> {
    expect(
      (await tracker.send('POST', '/cars', [{ ...full, isPrototypeOf: 'hidden' }, { owner: 'bob' }])).json(),
    ).toEqual([
      { id: 1, ...full },
      { id: 2, owner: 'bob' },
    ])
  }

  it('are stored, read, changed and cleared, each record its own', async () => {
    await addTwo()
    expect((await tracker.get('/cars/query')).json()).toEqual([
      { id: 1, ...full },
      { id: 2, owner: 'bob' },
    ])
    const changed = await tracker.send('PATCH', '/cars', { id: 2, constructor: { team: 'Blue' }, valueOf: 9 })
    expect(changed.json()).toEqual({ id: 2, owner: 'bob', constructor: { team: 'Blue' }, valueOf: 9 })
    expect((await tracker.send('PATCH', '/cars', { id: 2, constructor: null })).json()).toEqual({
      id: 2,
      owner: 'bob',
      valueOf: 9,
    })
    expect((await tracker.send('PUT', '/cars', { id: 1, owner: 'ann', toString: 'x' })).json()).toEqual({
      id: 1,
      owner: 'ann',
      toString: 'x',
    })
  })

  it('a version is compared where it is given, and raised', async () => {
    const change = (body: object) => tracker.send('PATCH', '/makers', { id: 1, ...body })
    expect((await change({ name: 'Two' })).json()).toEqual({ id: 1, name: 'Two', constructor: 2 })
    expect((await change({ name: 'Three', constructor: 2 })).json()).toMatchObject({ constructor: 3 })
    expect((await change({ name: 'Late', constructor: 2 })).statusCode).toBe(409)
    const mine = await tracker.send('PATCH', '/some-makers', { id: 1, name: 'Four' })
    expect(mine.json()).toEqual({ id: 1, name: 'Four', constructor: 4 })
  })

  it('are filtered, sorted, selected and loaded by', async () => {
    await addTwo()
    const ids = async (query: string): Promise<unknown> =>
      ((await tracker.get(`/cars/query?${query}`)).json() as { id: number }[]).map((it) => it.id)
    expect(await ids('constructor.team=Red')).toEqual([1])
    expect(await ids('constructor.team[null]=true')).toEqual([2])
    expect(await ids('toString[like]=a%25')).toEqual([1])
    expect(await ids('valueOf[gt]=2&hasOwnProperty=1')).toEqual([1])
    expect(await ids('toString=nobody')).toEqual([])
    expect(await ids('$sort=-valueOf')).toEqual([1, 2])
    expect((await tracker.get('/cars/query?$select=constructor,valueOf')).json()).toEqual([
      { id: 1, constructor: full.constructor, valueOf: 3 },
      { id: 2 } as Fields,
    ])
    expect((await tracker.get('/cars/one/2?$with=toLocaleString')).json()).toEqual({ id: 2, owner: 'bob' })
    expect((await tracker.get('/cars/one/1?$with=toLocaleString')).json()).toEqual({
      id: 1,
      ...full,
      toLocaleString: { id: 1, name: 'Maker', constructor: 1 },
    })
    expect((await tracker.get('/makers/query?$with=propertyIsEnumerable')).json()).toEqual([
      { id: 1, name: 'Maker', constructor: 1, propertyIsEnumerable: [{ id: 1, ...full }] },
    ])
  })

  it.each([
    'valueOf2=1',
    '__proto__=1',
    '__proto__.owner=1',
    'owner.constructor=1',
    '__defineGetter__=1',
    'owner[constructor]=1',
    'owner[__proto__]=1',
    'owner[toString]=1',
    'isPrototypeOf=hidden',
    '$select=__proto__',
    '$select=__defineGetter__',
    '$select=isPrototypeOf',
    '$with=constructor',
    '$with=__proto__',
    '$with=__lookupGetter__',
    '$sort=__proto__',
    '$sort=__defineGetter__',
    '$constructor=1',
    '$__proto__=1',
    '$toString=1',
  ])('what nothing declares is refused: %s', async (query) => {
    await addTwo()
    const answer = await tracker.get(`/cars/query?${query}`)
    expect(answer.json()).toMatchObject({ status: 400 })
    expect(answer.statusCode).toBe(400)
  })

  it.each([
    '{"owner":"a","__proto__":{"toString":"x"}}',
    '{"owner":"a","__defineGetter__":1}',
    '{"__proto__":{"owner":"a"}}',
  ])('a body with what nothing declares is refused: %s', async (body) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await tracker.app.inject({ method: 'POST', url: '/cars', headers, payload: body })
    expect(answer.statusCode).toBe(400)
    expect((await tracker.get('/cars/query')).json()).toEqual([])
  })

  it('a scope by such a field holds', async () => {
    await addTwo()
    const me = { 'x-me': 'ann' }
    expect((await tracker.get('/mine/query', me)).json()).toMatchObject([{ id: 1 }])
    expect((await tracker.get('/mine/query', { 'x-me': 'bob' })).json()).toEqual([])
    expect((await tracker.get('/mine/one/2', me)).statusCode).toBe(404)
    expect((await tracker.send('PATCH', '/mine', { id: 2, owner: 'ann' }, me)).statusCode).toBe(404)
    expect((await tracker.send('DELETE', '/mine/2', undefined, me)).statusCode).toBe(404)
    const foreign = await tracker.send('POST', '/mine', { owner: 'x', toString: 'bob' }, me)
    expect(foreign.statusCode).toBeGreaterThanOrEqual(400)
    const left = await tracker.send('PATCH', '/mine', { id: 1, toString: 'bob' }, me)
    expect(left.statusCode).toBeGreaterThanOrEqual(400)
    expect((await tracker.get('/cars/query')).json()).toEqual([
      { id: 1, ...full },
      { id: 2, owner: 'bob' },
    ])
  })

  it('the client sends and reads them', async () => {
    const url = await tracker.app.listen()
    const cars = createTableClient(Car, { url: `${url}/cars` })
    const stored = await cars.insertOne(full)
    expect(stored).toEqual({ id: 1, ...full })
    await cars.insertOne({ owner: 'bob' })
    expect(await cars.findMany({ where: { toString: 'ann', 'constructor.team': 'Red' } as never })).toEqual([stored])
    expect(await cars.findMany({ where: { toString: null } })).toEqual([{ id: 2, owner: 'bob' }])
    expect(await cars.findMany({ select: ['valueOf'], orderBy: { valueOf: 'desc' } })).toEqual([
      { id: 1, valueOf: 3 },
      { id: 2 } as Fields,
    ])
    expect(await cars.getOne(1, { with: ['toLocaleString' as never] })).toEqual({
      ...stored,
      toLocaleString: { id: 1, name: 'Maker', constructor: 1 },
    })
    expect(await cars.updateOne({ id: 2, toString: 'new' })).toEqual({ id: 2, owner: 'bob', toString: 'new' })
  })
})

it('parameters of such names are those that were sent', async () => {
  const text = optional({ type: 'string' })
  const inputs = { constructor: text, toString: text }
  const app = createApp().register(
    defineRoute({
      method: 'GET',
      path: '/',
      query: inputs,
      headers: inputs,
      handler: ({ query, headers }) => ({ query, headers }),
    }),
  )
  expect((await app.inject('/')).json()).toEqual({ query: {}, headers: {} })
  const headers = { constructor: 'h' }
  expect((await app.inject({ method: 'GET', url: '/?toString=q', headers })).json()).toEqual({
    query: { toString: 'q' },
    headers: { constructor: 'h' },
  })
})
