import { createApp, defineRoute, HttpError, reply } from '@portico/http'
import { describe, expect, it } from 'vitest'

describe('an HttpError', () => {
  it.each([99, 1000, Number.NaN, 200, 399, 600, 404.5, '404' as never])('refuses the status %s', (status) => {
    expect(() => new HttpError(status, 'X', 'x')).toThrow(RangeError)
  })

  it.each([400, 418, 599])('takes the status %i', (status) => {
    expect(new HttpError(status, 'X', 'x').status).toBe(status)
  })

  it.each([
    { 'x-a': 'b\r\nset-cookie: c=d' },
    { 'x-a': 'b\nc' },
    { 'x-a': '\0' },
    { 'x-a': '…' },
    { 'x-a': undefined as never },
    { 'x a': 'b' },
    { 'x-a\r\nx-b': 'c' },
    { '': 'b' },
  ])('refuses the headers %j', (headers) => {
    expect(() => new HttpError(400, 'X', 'x', { headers })).toThrow(TypeError)
  })

  it.each([
    'Transfer-Encoding',
    'content-length',
    'CONNECTION',
    'keep-alive',
    'upgrade',
    'trailer',
    'proxy-connection',
  ])('refuses the header %s, and so does a reply: it is for the server to say', (name) => {
    const headers = { [name]: '1' }
    expect(() => new HttpError(400, 'X', 'x', { headers })).toThrow(`only the server sets the header ${name}`)
    expect(() => reply('x', { headers })).toThrow(TypeError)
  })

  it('that is refused is an internal problem, and nothing is injected', async () => {
    const handler = () => {
      throw new HttpError(401, 'X', 'x', { headers: { 'www-authenticate': 'Bearer realm="a\r\nx-injected: yes"' } })
    }
    const app = createApp().register(defineRoute({ method: 'GET', path: '/', handler }))
    const response = await fetch(await app.listen())
    expect(response.headers.has('x-injected')).toBe(false)
    expect(await response.json()).toMatchObject({ status: 500, code: 'INTERNAL' })
    await app.close()
  })
})
