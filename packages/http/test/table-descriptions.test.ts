import type { Queryable } from '@portico/db'
import { describeType, type RouteDefinition, tableController } from '@portico/http'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aTask, openTracker, type Tracker } from './support.ts'
import { Person, Task } from './tracker.portico.ts'

const nowhere = {
  table: () => ({}),
} as unknown as Queryable

const routes = tableController(Task, { db: nowhere, route: 'tasks', relations: ['owner'] }).routes

let tracker: Tracker
beforeAll(async () => {
  tracker = await openTracker()
})
afterAll(() => tracker[Symbol.asyncDispose]())

function find(method: string, path: string): RouteDefinition {
  return routes.find((it) => it.method === method && it.path === path)!
}

it('every route is plain data with its inputs described', () => {
  expect(routes.map((it) => `${it.method} ${it.path} ${it.source.handler}`)).toEqual([
    'GET /tasks/one getOne',
    'GET /tasks/one/:id getOne',
    'GET /tasks/query findMany',
    'POST /tasks insert',
    'PUT /tasks replace',
    'PATCH /tasks update',
    'DELETE /tasks delete',
    'DELETE /tasks/:id delete',
  ])
  const names = find('GET', '/tasks/query').inputs.map((it) => it.name)
  expect(names).toEqual(expect.arrayContaining(['id', 'place.city', 'note.text', '$sort', '$limit', '$with']))
  expect(names).not.toContain('note.secret')
  expect(names).not.toContain('labels')
  const [id] = find('GET', '/tasks/one').inputs
  expect(id).toMatchObject({ in: 'query', name: 'id', required: true })
  expect(describeType(id!.type)).toMatchObject({ type: 'integer' })
})

it('a write is described with its key in the query, where it always works', () => {
  for (const method of ['PUT', 'PATCH']) {
    const { inputs } = find(method, '/tasks')
    expect(inputs.find((it) => it.name === 'id')).toMatchObject({ in: 'query', required: true })
    const schema = describeType(inputs.find((it) => it.in === 'body')!.type)!
    expect(schema['properties']).toHaveProperty('title')
    expect(schema['properties']).not.toHaveProperty('id')
    expect(schema['required'] ?? []).not.toContain('id')
  }
})

it('a write works as described: the key in the query, the rest in the body', async () => {
  const { id } = (await tracker.send('POST', '/tasks', aTask)).json<{ id: number }>()
  expect((await tracker.send('PATCH', `/tasks?id=${id}`, { title: 'y' })).statusCode).toBe(200)
  expect((await tracker.send('PUT', `/tasks?id=${id}`, aTask)).statusCode).toBe(200)
})

it('parameters have the type of their column, without its default and constraints', () => {
  const inputs = find('GET', '/tasks/query').inputs.filter((it) => !it.name!.startsWith('$'))
  const schemas = inputs.map((it) => describeType(it.type)!)
  expect(schemas.length).toBeGreaterThan(5)
  const whole = { type: 'integer', format: 'int64', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }
  for (const { title: _, description: __, deprecated: ___, enum: values, ...schema } of schemas) {
    if (schema['type'] === 'integer') expect(schema).toEqual(values ? { type: 'integer', format: 'int64' } : whole)
    else if (!('pattern' in schema)) expect(schema).toEqual({ type: schema['type'] })
  }
})

it('objects inside an input have names, also in each other', () => {
  const { type } = find('POST', '/tasks').inputs.find((it) => it.in === 'body')!
  const insert = type.kind === 'one-or-many' ? describeType(type.element)! : {}
  expect(Object.keys(insert['$defs'] as object)).toEqual(['TaskCreatePlaceGeo', 'TaskCreatePlace', 'TaskCreateNote'])
  expect(insert['properties']).toMatchObject({
    place: { anyOf: [{ $ref: '#/$defs/TaskCreatePlace' }, { type: 'null' }] },
  })
})

it('a control is described by the names that it takes', () => {
  const pattern = (name: string): RegExp => {
    const { type } = find('GET', '/tasks/query').inputs.find((it) => it.name === name)!
    return new RegExp(String(describeType(type)!['pattern']), 'u')
  }
  expect(pattern('$select').test('title,id')).toBe(true)
  expect(pattern('$select').test('title,nope')).toBe(false)
  expect(pattern('$sort').test('-title,place.city')).toBe(true)
  expect(pattern('$sort').test('placeXcity')).toBe(false)
  expect(pattern('$with').test('owner')).toBe(true)
  expect(pattern('$with').test('')).toBe(false)
})

it('a version shows: its tag in every answer with a record, 304, and the headers that name it', () => {
  const read = find('GET', '/tasks/one')
  expect(read.inputs.map((it) => it.name)).toContain('if-none-match')
  const tagged = [...read.responses, ...find('POST', '/tasks').responses, ...find('PATCH', '/tasks').responses]
  expect(tagged.filter((it) => it.headers?.['etag'] !== undefined).map((it) => it.status)).toEqual([200, 304, 201, 200])
  const [person] = tableController(Person, { db: nowhere }).routes
  expect(person!.responses.map((it) => it.status)).toEqual([200, 400, 404])
})

it('problems are described with their own content type', () => {
  const { responses } = find('GET', '/tasks/one')
  expect(responses.filter((it) => it.status >= 400).map((it) => it.contentType)).toEqual([
    'application/problem+json',
    'application/problem+json',
  ])
})

it('responses match their description, without hidden fields', async () => {
  const ajv = new Ajv2020({ strict: false })
  ;(ajvFormats as unknown as typeof ajvFormats.default)(ajv)
  const check = (route: RouteDefinition, status: number, body: unknown) => {
    const { type } = route.responses.find((it) => it.status === status)!
    const validate = ajv.compile(describeType(type!)!)
    expect(validate(body), JSON.stringify([validate.errors, body])).toBe(true)
  }
  const note = { text: 'seen', secret: 'hidden' }
  check(find('POST', '/tasks'), 201, (await tracker.send('POST', '/tasks', { ...aTask, note })).json())
  check(find('POST', '/tasks'), 201, (await tracker.send('POST', '/tasks', [aTask])).json())
  check(find('GET', '/tasks/one'), 200, (await tracker.get('/tasks/one/1')).json())
  check(find('GET', '/tasks/query'), 200, (await tracker.get('/tasks/query')).json())
  check(find('GET', '/tasks/one'), 200, (await tracker.get('/tasks/one/1?$select=title')).json())
  check(find('GET', '/tasks/query'), 200, (await tracker.get('/tasks/query?$select=title')).json())
  check(find('PATCH', '/tasks'), 200, (await tracker.send('PATCH', '/tasks?id=1', { title: 'x' })).json())
  check(find('GET', '/tasks/one'), 404, (await tracker.get('/tasks/one/99')).json())
  check(find('PATCH', '/tasks'), 400, (await tracker.send('PATCH', '/tasks?id=1', { nope: 1 })).json())
  const people = tableController(Person, { db: nowhere }).routes
  expect(JSON.stringify(describeType(people[0]!.responses[0]!.type!))).not.toContain('password')
})
