import { createApp, defineRoute } from '@portico/http'
import { expect, it } from 'vitest'

const foreign = Object.assign(new Error('GET http://internal/?key=SECRET failed'), { statusCode: 404 })

it.each([null, undefined, 'text', 7, foreign])(
  'a handler that throws %j is an internal problem that shows nothing',
  async (thrown) => {
    const handler = () => {
      throw thrown
    }
    const app = createApp().register(defineRoute({ method: 'GET', path: '/', handler }))
    const answer = await app.inject({ method: 'GET', url: '/' })
    expect(answer.statusCode).toBe(500)
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(answer.json()).toMatchObject({ status: 500, code: 'INTERNAL' })
    expect(answer.body).not.toMatch(/destructure|property|SECRET/)
    await app.close()
  },
)
