import {
  Controller,
  collectRoutes,
  createApp,
  defineRoute,
  Get,
  Returns,
  type RouteGroup,
  type RouteHost,
} from '@portico/http'
import { expect, it } from 'vitest'

const route = (path: string) => defineRoute({ method: 'GET', path, handler: () => ({ path }) })

function group(onRegister: (host: RouteHost) => void): RouteGroup {
  return { kind: 'routes', name: 'group', routes: [route('/group')], onRegister }
}

it('routes learn of the app that they belong to, and of all its routes once it is ready', async () => {
  const seen: string[][] = []
  const paths = ({ routes }: RouteHost): string[] => routes.map((it) => it.path)
  const watching = group((host) => {
    seen.push(paths(host))
    host.onReady(() => seen.push(paths(host)))
  })
  const app = createApp().register(route('/before'), watching).register(route('/after'))
  expect(seen).toEqual([['/before', '/group']])
  expect((await app.inject('/group')).json()).toEqual({ path: '/group' })
  expect(seen).toEqual([
    ['/before', '/group'],
    ['/before', '/group', '/after'],
  ])
  await app.close()
})

it('an error that they throw while the app starts keeps it from starting', async () => {
  const failing = group((host) =>
    host.onReady(() => {
      throw new Error('not like this')
    }),
  )
  const app = createApp().register(failing)
  await expect(app.listen()).rejects.toThrow('not like this')
  await app.close()
})

it('may do something when the app closes, which waits for it, and write to its log', async () => {
  const lines: string[] = []
  const logger = { level: 'warn', stream: { write: (line: string) => void lines.push(line) } } as never
  const seen: string[] = []
  const closing = group((host) =>
    host.onClose(async () => {
      await new Promise(setImmediate)
      host.log.warn({ group: 'group' }, 'closing')
      seen.push('closed')
    }),
  )
  const app = createApp({ logger }).register(closing)
  await app.inject('/group')
  expect(seen).toEqual([])
  await app.close()
  expect(seen).toEqual(['closed'])
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ group: 'group', msg: 'closing' }])
})

it('an answer says its content type where that is not the usual one', () => {
  @Controller('/a')
  class A {
    @Get()
    @Returns(String, { contentType: 'text/csv' })
    @Returns(Number, { status: 202 })
    read(): void {}
  }
  expect(collectRoutes([A])[0]!.responses.map((it) => it.contentType)).toEqual(['text/csv', undefined])
})
