import { createApp, defineRoute } from '@portico/http'
import { createSpec } from '@portico/spec'
import { describe, expect, it } from 'vitest'
import { quietLog } from './support/quiet-log.ts'
import { startServer } from './support/server.ts'

describe('an API description of the server', () => {
  it('declares the requirement of each guard', async () => {
    await using started = await startServer()
    const { guards, securitySchemes, routes } = started.server
    const guarded = {
      session: guards.session,
      bearer: guards.bearer('tasks'),
      either: guards.signedIn('tasks'),
      person: guards.signedIn,
    }
    const app = createApp({ logger: quietLog }).register(
      routes,
      ...Object.entries(guarded).map(([name, guard]) =>
        defineRoute({ method: 'GET', path: `/${name}`, guards: [guard], handler: () => name }),
      ),
    )
    const document = createSpec(app.routes, { securitySchemes: { ...securitySchemes } })
    expect(document.components?.securitySchemes).toEqual(securitySchemes)
    expect(document.paths['/session']?.get?.security).toEqual([{ session: [] }])
    expect(document.paths['/bearer']?.get?.security).toEqual([{ bearer: [] }])
    expect(document.paths['/either']?.get?.security).toEqual([{ bearer: [] }])
    expect(document.paths['/person']?.get?.security).toEqual([{ session: [] }])
  })

  it('refuses a guard for a scope that nobody can have', async () => {
    await using started = await startServer()
    expect(() => started.server.guards.bearer('taks')).toThrow('the scope taks is not one of the option scopes')
    expect(() => started.server.guards.bearer('openid', 'tasks')).not.toThrow()
  })

  it.each([
    ['https://app.example', '__Host-portico-session'],
    ['http://127.0.0.1:3000', 'portico-session-3000'],
  ])('names the cookie that a browser has at %s', async (baseUrl, name) => {
    await using started = await startServer({ baseUrl })
    expect(started.server.securitySchemes.session).toEqual({ type: 'apiKey', in: 'cookie', name })
  })

  it('describes what clients get and how they are refused', async () => {
    await using started = await startServer()
    const { paths } = createSpec(started.app.routes)
    const refusal = { 'application/json': { schema: { required: ['error', 'error_description'] } } }
    expect(paths['/auth/token']?.post?.responses).toMatchObject({
      200: { content: { 'application/json': { schema: { required: expect.arrayContaining(['access_token']) } } } },
      400: { content: refusal },
      401: { content: refusal },
      413: { content: refusal },
      415: { content: refusal },
      429: { content: refusal },
    })
    expect(paths['/auth/revoke']?.post?.responses).toMatchObject({ 400: { content: refusal } })
    expect(paths['/auth/status']?.get).toMatchObject({
      security: [{ bearer: [] }],
      responses: { 401: { content: refusal } },
    })
    expect(JSON.stringify(paths['/auth/token'])).not.toContain('Problem')
    expect(Object.keys(paths).filter((it) => /sign-in|consent|oauth\/|logout/.test(it))).toEqual([])
  })
})
