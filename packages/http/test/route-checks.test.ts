import { openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import {
  Body,
  Consumes,
  Controller,
  createApp,
  defineRoute,
  Get,
  Param,
  Post,
  Query,
  Returns,
  Status,
  type TypeToken,
  tableController,
} from '@portico/http'
import { defineTable } from '@portico/schema/runtime'
import { describe, expect, it } from 'vitest'
import { aTask, openTracker } from './support.ts'
import { Task } from './tracker.portico.ts'

function refusal(code: string, ...parts: readonly string[]) {
  return expect.objectContaining({
    name: 'RouteError',
    code,
    message: expect.stringMatching(parts.map(escapePattern).join('.*')),
  })
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

describe('a JSON Schema that does not compile is found at start, with its route and place', () => {
  const wrong = { type: 'strin' }
  it.each<[string, object, string]>([
    ['a body', { body: wrong }, 'the body'],
    ['a pattern', { body: { type: 'string', pattern: '(' } }, 'the body'],
    ['a reference', { body: { $ref: '#/$defs/None' } }, 'the body'],
    ['a parameter of the query', { query: { q: wrong } }, 'query parameter `q`'],
    ['a header', { headers: { h: wrong } }, 'header parameter `h`'],
    ['a parameter of the path', { params: { id: wrong } }, 'path parameter `id`'],
    ['items of a list', { query: { q: [wrong] } }, 'query parameter `q`'],
    ['an answer', { returns: wrong }, 'the response 200'],
    ['the items of an answer', { returns: [wrong] }, 'the response 200'],
  ])('%s', (_, parts, place) => {
    const route = defineRoute({ method: 'POST', path: '/wrong/:id', ...parts, handler: () => '' })
    expect(() => createApp().register(route)).toThrow(refusal('TYPE_UNKNOWN', 'POST /wrong/:id', place))
  })

  it('by decorators too', () => {
    @Controller('/kit')
    class KitController {
      @Post()
      @Returns(wrong)
      make(@Body({ type: 'object' }) body: object) {
        return body
      }
    }
    expect(() => createApp().register(KitController)).toThrow(
      refusal('TYPE_UNKNOWN', 'POST /kit (KitController.make)', 'the response 200'),
    )
  })
})

describe('schemas of other libraries get advice', () => {
  /** As zod's are: with methods, `optional` among them. */
  const foreign = {
    '~standard': { version: 1, vendor: 'zod', validate: () => ({ value: 1 }) },
    optional: () => foreign,
    safeParse: () => ({}),
  }
  it.each<[string, object]>([
    ['body', { body: foreign }],
    ['query', { query: { q: foreign } }],
    ['returns', { returns: foreign }],
  ])('as %s', (_, parts) => {
    const create = () => defineRoute({ method: 'POST', path: '/z', ...parts, handler: () => '' })
    expect(create).toThrow(refusal('TYPE_UNKNOWN', 'POST /z', 'a zod schema', 'toJSONSchema'))
  })
})

describe('a status that no answer has is found at start', () => {
  it.each([999, 100, 0, 200.5])('%s', (status) => {
    const route = defineRoute({ method: 'GET', path: '/s', status, handler: () => '' })
    expect(() => createApp().register(route)).toThrow(refusal('OPTIONS_INVALID', 'GET /s', String(status)))
    @Controller('/s')
    class StatusController {
      @Get('/a')
      @Status(status)
      a() {}

      @Get('/b')
      @Returns(String, { status })
      b() {}
    }
    expect(() => createApp().register(StatusController)).toThrow(refusal('OPTIONS_INVALID', '/s/a', String(status)))
  })
})

describe('a content type that nothing reads', () => {
  @Controller('/upload')
  class UploadController {
    @Post()
    @Consumes('application/octet-stream')
    store(@Body() body: unknown) {
      return { size: (body as Buffer).length }
    }
  }

  it('is found at start', async () => {
    const app = createApp().register(UploadController)
    await expect(app.inject('/')).rejects.toEqual(
      refusal('OPTIONS_INVALID', 'POST /upload', 'application/octet-stream'),
    )
    await expect(createApp().register(UploadController).listen()).rejects.toEqual(
      refusal('OPTIONS_INVALID', 'POST /upload'),
    )
  })

  it('is accepted once a plugin parses it, even if it is registered later', async () => {
    const app = createApp().register(UploadController)
    const parse = (_: unknown, body: unknown, done: (error: null, value: unknown) => void) => done(null, body)
    app.fastify.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, parse)
    const headers = { 'content-type': 'application/octet-stream' }
    const answer = await app.inject({ method: 'POST', url: '/upload', headers, payload: Buffer.from('abc') })
    expect(answer.json()).toEqual({ size: 3 })
    await app.close()
  })
})

describe('a build that leaves the types of parameters out', () => {
  /** Decorates as a build without `design:paramtypes` does. */
  function controllerWith(decorate: ParameterDecorator) {
    class DroppedController {
      find(value: unknown) {
        return value
      }
    }
    decorate(DroppedController.prototype, 'find', 0)
    Get('/:id')(DroppedController.prototype, 'find')
    Controller('/dropped')(DroppedController)
    return DroppedController
  }

  it.each<[string, (type?: TypeToken) => unknown]>([
    ['Param', (type) => Param('id', type)],
    ['Query', (type) => Query('id', type)],
  ])('is found at start for @%s, unless the type is written', (name, decorator) => {
    expect(() => createApp().register(controllerWith(decorator() as ParameterDecorator))).toThrow(
      refusal('PARAMETER_INVALID', 'parameter 1 of DroppedController.find', `@${name}('id', Number)`),
    )
    expect(() => createApp().register(controllerWith(decorator(Number) as ParameterDecorator))).not.toThrow()
  })

  it('does not matter for a whole body or query', () => {
    expect(() => createApp().register(controllerWith(Query() as ParameterDecorator))).not.toThrow()
  })
})

describe('fixed names of a table win over keys in the path', () => {
  const Label = defineTable<{ id: string }, { id: string }, { id: string }, { id: string }, { id: string }>({
    name: 'Label',
    table: 'labels',
    key: ['id'],
    columns: [{ path: 'id', name: 'id', type: 'string', storage: 'text', key: true }],
    jsonSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    check: () => {},
  })

  it('`DELETE /labels/one` is 405 with what is allowed there, and the record stays', async () => {
    const db = await openDatabase(sqlite({ file: ':memory:' }))
    await db.sync([Label])
    await db.table(Label).insertMany([{ id: 'one' }, { id: 'two' }])
    const app = createApp().register(tableController(Label, { db }))
    for (const url of ['/labels/one', '/labels/o%6ee', '/labels/query', '/labels/one/']) {
      const answer = await app.inject({ method: 'DELETE', url })
      expect([answer.statusCode, answer.headers.allow], url).toEqual([405, 'GET, HEAD'])
    }
    expect((await app.inject({ method: 'PUT', url: '/labels/one' })).headers.allow).toBe('GET, HEAD')
    expect((await app.inject({ method: 'DELETE', url: '/labels/two' })).statusCode).toBe(204)
    expect((await app.inject({ method: 'DELETE', url: '/labels?id=one' })).statusCode).toBe(204)
    await app.close()
    await db.close()
  })
})

describe('the tag of a version', () => {
  it.each([-5, 0, 1_000_000_000_000_000, Number.MAX_SAFE_INTEGER - 1])(
    'of %s is matched by If-Match',
    async (version) => {
      await using tracker = await openTracker()
      await tracker.db.table(Task).insertOne(aTask)
      // Inserts refuse versions near the end of their range; a record of another program may have one.
      await tracker.db.sql`update tasks set version = ${version} where id = 1`
      const { headers } = await tracker.get('/tasks/one/1')
      expect(headers.etag).toBe(`"${version}"`)
      const tagged = await tracker.send('PATCH', '/tasks?id=1', { title: 'New' }, { 'if-match': headers.etag! })
      expect([tagged.statusCode, tagged.json().version]).toEqual([200, version + 1])
      const again = await tracker.send('PATCH', '/tasks?id=1', { title: 'Old' }, { 'if-match': headers.etag! })
      expect(again.statusCode).toBe(412)
    },
  )

  it('that no version can have matches nothing', async () => {
    await using tracker = await openTracker()
    await tracker.send('POST', '/tasks', aTask)
    for (const tag of ['"9007199254740993"', '"1.0"', '"01x"', '""']) {
      expect((await tracker.send('PATCH', '/tasks?id=1', { title: 'New' }, { 'if-match': tag })).statusCode).toBe(412)
    }
  })
})
