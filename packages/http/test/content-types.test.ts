import { Readable } from 'node:stream'
import { Controller, contentTypeOf, createApp, defineRoute, Get, Returns, reply } from '@portico/http'
import { createSpec } from '@portico/spec'
import { expect, it } from 'vitest'

const svg = '<svg/>'

@Controller('/sent')
class SentController {
  @Get('/svg')
  @Returns(String, { contentType: 'image/svg+xml' })
  svg() {
    return svg
  }

  @Get('/text')
  @Returns(String)
  text() {
    return 'é'
  }

  @Get('/json-text')
  @Returns({ type: 'string' }, { contentType: 'application/json' })
  jsonText() {
    return 'a'
  }

  @Get('/enum')
  @Returns({ enum: ['a', 'b'] })
  choice() {
    return 'a'
  }

  @Get('/nullable')
  @Returns({ type: ['string', 'null'] })
  nullable() {
    return 'a'
  }

  @Get('/union')
  @Returns({ anyOf: [{ type: 'string' }, { type: 'integer' }] })
  union() {
    return 'a'
  }

  @Get('/bytes')
  @Returns({ type: 'string', format: 'binary' })
  bytes() {
    return Buffer.from('abc')
  }

  @Get('/stream')
  @Returns(String, { contentType: 'text/csv' })
  stream() {
    return Readable.from(['a,b'])
  }

  @Get('/problem')
  @Returns({ type: 'object' }, { contentType: 'application/vnd.example+json' })
  vendor() {
    return { a: 1 }
  }

  @Get('/number')
  @Returns({ type: 'number' }, { contentType: 'application/vnd.example+json' })
  vendorNumber() {
    return 5
  }
}

/** The path, the content type that is documented, and the body that is sent. */
const routes: readonly (readonly [path: string, type: string, body: string])[] = [
  ['svg', 'image/svg+xml', svg],
  ['text', 'text/plain', 'é'],
  ['json-text', 'application/json', '"a"'],
  ['enum', 'application/json', '"a"'],
  ['nullable', 'application/json', '"a"'],
  ['union', 'application/json', '"a"'],
  ['bytes', 'application/octet-stream', 'abc'],
  ['stream', 'text/csv', 'a,b'],
  ['problem', 'application/vnd.example+json', '{"a":1}'],
  ['number', 'application/vnd.example+json', '5'],
]

it.each(routes)('%s is sent as it is documented: %s', async (path, type, body) => {
  await using app = disposable(createApp().register(SentController))
  const answer = await app.inject(`/sent/${path}`)
  const document = createSpec([SentController], { title: 'Sent', version: '1' })
  const response = document.paths[`/sent/${path}`]?.get?.responses['200'] as { content: object }
  expect(Object.keys(response.content)).toEqual([type])
  expect(String(answer.headers['content-type']).split(';')[0]).toBe(type)
  expect(answer.body).toBe(body)
})

it('a content type that the handler sets comes first, and its text is sent as it is', async () => {
  const route = defineRoute({
    method: 'GET',
    path: '/own',
    returns: { enum: ['a'] },
    handler: () => reply('<p>', { headers: { 'content-type': 'text/html' } }),
  })
  await using app = disposable(createApp().register(route))
  const answer = await app.inject('/own')
  expect([answer.headers['content-type'], answer.body]).toEqual(['text/html', '<p>'])
})

it('the content type is that of the status that is sent', async () => {
  @Controller('/statuses')
  class StatusController {
    @Get('/')
    @Returns({ enum: ['a'] }, { status: 200 })
    @Returns(String, { status: 202 })
    find() {
      return reply('a', { status: 202 })
    }
  }
  await using app = disposable(createApp().register(StatusController))
  const answer = await app.inject('/statuses')
  expect([answer.headers['content-type'], answer.body]).toEqual(['text/plain; charset=utf-8', 'a'])
})

it('answers of a route without a word on them are sent by their kind', async () => {
  const route = defineRoute({ method: 'GET', path: '/free', handler: () => 'a' })
  await using app = disposable(createApp().register(route))
  expect((await app.inject('/free')).headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(contentTypeOf({})).toBeUndefined()
})

function disposable<T extends { close(): Promise<void> }>(app: T): T & AsyncDisposable {
  return Object.assign(app, { [Symbol.asyncDispose]: () => app.close() })
}
