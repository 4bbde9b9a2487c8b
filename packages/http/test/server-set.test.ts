import { createApp, tableController } from '@portico/http'
import { createSpec } from '@portico/spec'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aTask, onEveryEngine, openTracker, type Tracker } from './support.ts'
import { Person, Task } from './tracker.portico.ts'

const end = Number.MAX_SAFE_INTEGER

onEveryEngine((open) => {
  let tracker: Tracker
  beforeEach(async () => {
    tracker = await openTracker({}, open)
  })
  afterEach(() => tracker[Symbol.asyncDispose]())

  it.each([
    ['id', 1],
    ['id', end],
    ['id', null],
    ['version', 1],
    ['version', end],
    ['createdAt', 0],
  ])('an insert does not set `%s` to %s, alone or among others', async (name, value) => {
    const before = await tracker.dump()
    const one = await tracker.send('POST', '/tasks', { ...aTask, [name]: value })
    expect(one.json()).toMatchObject({
      status: 400,
      code: 'VALIDATION_FAILED',
      issues: [{ in: 'body', path: [name], code: 'readOnly' }],
    })
    const among = await tracker.send('POST', '/tasks', [aTask, { ...aTask, [name]: value }])
    expect(among.json()).toMatchObject({ status: 400, issues: [{ path: [1, name], code: 'readOnly' }] })
    expect(await tracker.dump()).toEqual(before)
  })

  it('a record that was read can be sent back, and its time stamps and version stay the server’s', async () => {
    const { createdAt, ...stored } = (await tracker.send('POST', '/tasks', aTask)).json()
    const put = await tracker.send('PUT', '/tasks', { ...stored, createdAt: 1, title: 'Put' })
    expect(put.json()).toEqual({ ...stored, createdAt, title: 'Put', version: 2 })
    const patch = await tracker.send('PATCH', '/tasks', { ...put.json(), createdAt: end, title: 'Patched' })
    expect(patch.json()).toEqual({ ...stored, createdAt, title: 'Patched', version: 3 })
  })

  it.each(['PUT', 'PATCH'] as const)('%s compares a version and never stores it', async (method) => {
    const { createdAt: _, ...stored } = (await tracker.send('POST', '/tasks', aTask)).json()
    const answer = await tracker.send(method, '/tasks', { ...stored, version: end })
    expect(answer.json()).toMatchObject({ status: 409, code: 'VERSION_CONFLICT' })
    expect((await tracker.get('/tasks/one/1')).json()).toMatchObject({ version: 1 })
  })

  it('`accepts` lets an insert bring keys and time stamps, and never a version', async () => {
    const { db } = tracker
    const app = createApp().register(tableController(Task, { db, route: 'import', accepts: ['id', 'createdAt'] }))
    const send = (payload: object) => app.inject({ method: 'POST', url: '/import', payload })
    const stored = await send({ ...aTask, id: 7, createdAt: 5 })
    expect([stored.statusCode, stored.json()]).toMatchObject([201, { id: 7, createdAt: 5, version: 1 }])
    expect((await send({ ...aTask, version: 3 })).json()).toMatchObject({
      status: 400,
      issues: [{ path: ['version'] }],
    })
    // The counter goes on behind what was brought.
    expect((await send(aTask)).json()).toMatchObject({ id: 8 })
    await app.close()
  })
})

describe('a counter at its end', () => {
  it('refuses an insert with 409, not as a failure of the server', async () => {
    await using tracker = await openTracker()
    await tracker.db.sql`insert into people (id, email, password) values (${end}, 'last@example.com', 'x')`
    const answer = await tracker.send('POST', '/people', { email: 'c@example.com', password: 'x' })
    expect(answer.json()).toMatchObject({ status: 409, code: 'NUMBER_UNSAFE', issues: [{ path: ['id'] }] })
  })
})

describe('`accepts` is checked when the controller is made', () => {
  it.each([
    [['version'], '`version` is a version, which callers can never set'],
    [['title'], 'callers can set `title` already'],
    [['created'], '`created` is not a field of the table'],
    ['id', '`accepts` must be a list of field names'],
  ])('%j', async (accepts, message) => {
    await using tracker = await openTracker()
    const create = () => tableController(Task, { db: tracker.db, accepts: accepts as string[] })
    expect(create).toThrow(
      expect.objectContaining({ code: 'OPTIONS_INVALID', message: expect.stringContaining(message) }),
    )
  })
})

describe('the description of an insert', () => {
  const propertiesOf = async (accepts?: readonly string[]): Promise<string[]> => {
    await using tracker = await openTracker()
    const { db } = tracker
    const controllers = [tableController(Task, { db, ...(accepts && { accepts }) }), tableController(Person, { db })]
    const { components } = createSpec(controllers, { title: 'Tasks', version: '1' })
    const [, schema] = Object.entries(components.schemas ?? {}).find(([name]) => name.startsWith('TaskCreate'))!
    return Object.keys(schema['properties'] as object)
  }

  it('offers what callers set', async () => {
    const offered = await propertiesOf()
    expect(offered).toEqual(expect.arrayContaining(['title', 'ownerId']))
    expect(offered).not.toEqual(expect.arrayContaining(['id']))
    for (const name of ['id', 'version', 'createdAt']) expect(offered).not.toContain(name)
  })

  it('offers what the controller accepts', async () => {
    const offered = await propertiesOf(['id'])
    expect(offered).toContain('id')
    expect(offered).not.toContain('createdAt')
  })
})
