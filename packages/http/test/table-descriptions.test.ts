import type { Tables } from '@portico/db'
import { describeType, type RouteDefinition, tableController } from '@portico/http'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aTask, openTracker, type Tracker } from './support.ts'
import { Person, Task } from './tracker.portico.ts'

const nowhere = {
  table: () => ({}),
} as unknown as Tables

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

it('what is answered fits its description, hidden fields left out', async () => {
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
  check(find('PATCH', '/tasks'), 200, (await tracker.send('PATCH', '/tasks?id=1', { title: 'x' })).json())
  check(find('GET', '/tasks/one'), 404, (await tracker.get('/tasks/one/99')).json())
  check(find('PATCH', '/tasks'), 400, (await tracker.send('PATCH', '/tasks?id=1', { nope: 1 })).json())
  const people = tableController(Person, { db: nowhere }).routes
  expect(JSON.stringify(describeType(people[0]!.responses[0]!.type!))).not.toContain('password')
})
