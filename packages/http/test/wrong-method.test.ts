import { createApp, defineRoute, type Guard, HttpError, type HttpMethod } from '@portico/http'
import { describe, expect, it } from 'vitest'

function route(method: HttpMethod, path: string, ...guards: Guard[]) {
  return defineRoute({ method, path, guards, handler: () => 'ok' })
}

/** The status, code and `Allow` header of the response to a wrong method. */
async function ask(routes: readonly object[], method: string, url: string, headers: Record<string, string> = {}) {
  const app = createApp().register(...routes)
  const answer = await app.inject({ method: method as 'GET', url, headers })
  await app.close()
  const { code } = answer.json<{ code: string }>()
  return [answer.statusCode, code, answer.headers['allow']]
}

const notFound = [404, 'NOT_FOUND', undefined]
const allow = (methods: string) => [405, 'METHOD_NOT_ALLOWED', methods]

describe('a method that an address does not take', () => {
  const routes = [
    route('GET', '/tasks/one'),
    route('POST', '/tasks'),
    route('PUT', '/tasks'),
    route('DELETE', '/tasks/:id'),
    route('GET', '/files/*'),
    route('PATCH', '/größe'),
  ]

  it.each([
    ['DELETE', '/tasks', 'POST, PUT'],
    ['GET', '/tasks/', 'POST, PUT'],
    ['OPTIONS', '/tasks?x=/y', 'POST, PUT'],
    ['PROPFIND', '/tasks', 'POST, PUT'],
    ['QUERY', '/tasks', 'POST, PUT'],
    ['GET', '/tasks/7', 'DELETE'],
    ['PATCH', '/tasks/one', 'GET, HEAD, DELETE'],
    ['POST', '/files/a/b', 'GET, HEAD'],
    ['GET', '/gr%C3%B6%C3%9Fe', 'PATCH'],
  ])('%s %s is 405 and says which ones it takes: %s', async (method, url, methods) => {
    expect(await ask(routes, method, url)).toEqual(allow(methods))
  })

  it.each([
    ['DELETE', '/task'],
    ['GET', '/tasks/7/8'],
    ['DELETE', '/Tasks'],
    ['POST', '/files'],
    ['POST', '/'],
  ])('%s %s is 404 still: nothing is there', async (method, url) => {
    expect(await ask(routes, method, url)).toEqual(notFound)
  })

  it('is a problem like any other', async () => {
    const app = createApp().register(...routes)
    const answer = await app.inject({ method: 'DELETE', url: '/tasks' })
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
    expect(answer.json()).toEqual({
      type: 'about:blank',
      title: 'Method Not Allowed',
      status: 405,
      detail: 'this path supports POST, PUT',
      code: 'METHOD_NOT_ALLOWED',
    })
    await app.close()
  })
})

describe('routes behind guards', () => {
  const hide: Guard = ({ headers }) => {
    if (headers['x-key'] !== 'k') throw new HttpError(404, 'NOT_FOUND', 'there is nothing at this address')
  }
  const deny: Guard = ({ headers }) => headers['x-key'] === 'k'

  it.each([
    ['that hides them', hide],
    ['that refuses', deny],
  ])('show to those alone who get past a guard %s', async (_, guard) => {
    const routes = [route('POST', '/admin', guard), route('PUT', '/admin', guard)]
    expect(await ask(routes, 'GET', '/admin')).toEqual(notFound)
    expect(await ask(routes, 'GET', '/admin', { 'x-key': 'k' })).toEqual(allow('POST, PUT'))
  })

  it('are left out beside open ones, each by its own guards', async () => {
    const routes = [route('GET', '/board'), route('DELETE', '/board', () => undefined, hide)]
    expect(await ask(routes, 'POST', '/board')).toEqual(allow('GET, HEAD'))
    expect(await ask(routes, 'POST', '/board', { 'x-key': 'k' })).toEqual(allow('GET, HEAD, DELETE'))
  })

  it('ask their guards about their own method, not the one that came', async () => {
    const writesNeedKey: Guard = ({ method, headers }) => method === 'GET' || headers['x-key'] === 'k'
    expect(await ask([route('POST', '/notes', writesNeedKey)], 'GET', '/notes')).toEqual(notFound)
  })

  it('fail where their guard fails', async () => {
    const broken: Guard = () => {
      throw new Error('no database')
    }
    expect(await ask([route('POST', '/notes', broken)], 'GET', '/notes')).toEqual([500, 'INTERNAL', undefined])
  })
})
