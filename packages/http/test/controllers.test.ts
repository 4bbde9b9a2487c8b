import {
  Body,
  Consumes,
  Controller,
  Cookie,
  collectRoutes,
  createApp,
  Delete,
  Description,
  defineGuard,
  defineRoute,
  describeType,
  Get,
  Guard,
  Head,
  Header,
  HttpError,
  type HttpRequest,
  Id,
  Label,
  Optional,
  Options,
  optional,
  Param,
  Patch,
  Post,
  Put,
  Query,
  Request,
  Required,
  Returns,
  reply,
  requestValue,
  Status,
} from '@portico/http'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { Task } from './tracker.portico.ts'

const pageSchema = {
  type: 'object',
  properties: { page: { type: 'integer', minimum: 1 }, tag: { type: 'array', items: { type: 'string' } } },
  additionalProperties: false,
}

@Controller('/things')
class ThingController {
  @Get('/:id')
  find(@Param('id') id: number, @Query('deep') @Optional() deep?: boolean) {
    return { id, deep }
  }

  @Get()
  list(@Query(pageSchema) query: object) {
    return query
  }

  @Get('/tags')
  tags(@Query('tag', [String]) tags: string[]) {
    return tags
  }

  @Get('/context')
  context(@Header('X-Trace') trace: string, @Cookie('session') session: string, @Request() request: HttpRequest) {
    return { trace, session, method: request.method }
  }

  @Post()
  @Status(201)
  create(@Body(Task.insertSchema) body: object) {
    return body
  }

  @Put('/maybe')
  maybe(@Body({ type: 'object' }) @Optional() body?: object) {
    return { body: body ?? 'none' }
  }

  @Post('/form')
  @Consumes('application/x-www-form-urlencoded')
  form(@Body({ type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }) body: object) {
    return body
  }

  @Delete('/:id')
  remove(@Param('id') id: number) {
    void id
  }

  @Get('/void/promise')
  async nothing() {}

  @Get('/null/value')
  nothingToSay() {
    return null
  }

  @Get('/text/value')
  text() {
    return 'plain'
  }

  @Patch('/redirect')
  redirect() {
    return reply(undefined, { status: 303, headers: { location: '/things', 'set-cookie': ['a=1', 'b=2'] } })
  }

  @Head('/head')
  head() {}

  @Options('/options')
  options() {
    return { ok: true }
  }

  @Get('/fail/:how')
  async fail(@Param('how') how: string) {
    if (how === 'known') throw new HttpError(418, 'TEAPOT', 'short and stout', { headers: { 'x-pot': 'yes' } })
    throw new Error('the password is hunter2')
  }
}

const app = createApp().register(ThingController)

async function call(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS',
  url: string,
  more: object = {},
) {
  const answer = await app.inject({ method, url, ...more })
  return {
    status: answer.statusCode,
    body: answer.body === '' ? undefined : answer.body,
    headers: answer.headers,
    json: () => answer.json(),
  }
}

describe('arguments', () => {
  it('are converted by the types that the compiler emits', async () => {
    expect((await call('GET', '/things/7?deep=true')).json()).toEqual({ id: 7, deep: true })
    expect((await call('GET', '/things/7')).json()).toEqual({ id: 7 })
    for (const url of [
      '/things/x',
      '/things/0x7',
      '/things/%207',
      '/things/1e999',
      '/things/7?deep=1',
      '/things/7?deep=',
    ]) {
      expect((await call('GET', url)).json(), url).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
    }
  })

  it('are lists where their type is one, and one value otherwise', async () => {
    expect((await call('GET', '/things/tags?tag=a')).json()).toEqual(['a'])
    expect((await call('GET', '/things/tags?tag=a&tag=b')).json()).toEqual(['a', 'b'])
    expect((await call('GET', '/things/7?deep=true&deep=true')).status).toBe(400)
    const missing = (await call('GET', '/things/tags')).json()
    expect(missing).toMatchObject({ status: 400, issues: [{ in: 'query', path: ['tag'], code: 'required' }] })
  })

  it('are whole queries, converted and validated by their schema', async () => {
    expect((await call('GET', '/things?page=2&tag=a')).json()).toEqual({ page: 2, tag: ['a'] })
    const wrong = (await call('GET', '/things?page=0&nope=1')).json()
    expect(wrong.issues).toMatchObject([
      { in: 'query', path: ['nope'], code: 'additionalProperties' },
      { in: 'query', path: ['page'], code: 'minimum' },
    ])
    expect((await call('GET', '/things?__proto__=1')).status).toBe(400)
  })

  it('are headers, cookies and the request', async () => {
    const headers = { 'x-trace': 't1', cookie: 'other=1; session="a%20b"; session=second' }
    expect((await call('GET', '/things/context', { headers })).json()).toEqual({
      trace: 't1',
      session: 'a b',
      method: 'GET',
    })
    expect((await call('GET', '/things/context')).json().issues).toMatchObject([
      { in: 'header', path: ['x-trace'] },
      { in: 'cookie', path: ['session'] },
    ])
  })

  it('are bodies, validated by generated schemas and never coerced', async () => {
    const task = { title: 'T', state: 'open', urgent: true, labels: [], ownerId: 1 }
    const answer = await call('POST', '/things', { payload: task })
    expect([answer.status, answer.json()]).toEqual([201, task])
    const wrong = await call('POST', '/things', { payload: { ...task, ownerId: '1', nope: 1 } })
    expect(wrong.json()).toMatchObject({
      code: 'VALIDATION_FAILED',
      issues: [
        { in: 'body', path: ['nope'] },
        { in: 'body', path: ['ownerId'] },
      ],
    })
    expect((await call('POST', '/things')).json()).toMatchObject({
      code: 'VALIDATION_FAILED',
      detail: 'the body is required',
    })
    expect((await call('PUT', '/things/maybe')).json()).toEqual({ body: 'none' })
  })

  it('are forms where the route says so, converted like queries', async () => {
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    expect((await call('POST', '/things/form', { ...form, payload: 'n=1' })).json()).toEqual({ n: 1 })
    expect((await call('POST', '/things/form', { ...form, payload: 'n=x' })).status).toBe(400)
    expect((await call('POST', '/things/form', { ...form, payload: 'n=%FF' })).json()).toMatchObject({
      code: 'MALFORMED_BODY',
    })
    expect((await call('POST', '/things/form', { payload: { n: 1 } })).status).toBe(415)
    expect((await call('POST', '/things', { ...form, payload: 'title=x' })).status).toBe(415)
  })
})

describe('answers', () => {
  it('are 204 for nothing, JSON for values, text for text', async () => {
    expect(await call('DELETE', '/things/1')).toMatchObject({ status: 204, body: undefined })
    expect(await call('GET', '/things/void/promise')).toMatchObject({ status: 204 })
    expect(await call('GET', '/things/null/value')).toMatchObject({ status: 200, body: 'null' })
    expect((await call('GET', '/things/text/value')).headers['content-type']).toBe('text/plain; charset=utf-8')
  })

  it('have a status and headers of their own with reply()', async () => {
    const { status, headers } = await call('PATCH', '/things/redirect')
    expect(status).toBe(303)
    expect(headers).toMatchObject({ location: '/things', 'set-cookie': ['a=1', 'b=2'] })
  })

  it('are given for HEAD and OPTIONS too', async () => {
    expect((await call('HEAD', '/things/head')).status).toBe(204)
    expect(await call('HEAD', '/things/7')).toMatchObject({ status: 200, body: undefined })
    expect((await call('OPTIONS', '/things/options')).json()).toEqual({ ok: true })
  })

  it('are problems for errors: details of known ones, nothing about others', async () => {
    const known = await call('GET', '/things/fail/known')
    expect(known.json()).toEqual({
      type: 'about:blank',
      title: "I'm a Teapot",
      status: 418,
      detail: 'short and stout',
      code: 'TEAPOT',
    })
    expect(known.headers).toMatchObject({
      'x-pot': 'yes',
      'content-type': expect.stringContaining('application/problem+json'),
    })
    const unknown = await call('GET', '/things/fail/unknown')
    expect(unknown.json()).toMatchObject({ status: 500, code: 'INTERNAL' })
    expect(unknown.body).not.toContain('hunter2')
    expect((await call('GET', '/nowhere')).json()).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  })

  it('carry the id of the request, a given one only when it is harmless', async () => {
    const own = (await call('GET', '/nowhere')).headers['x-request-id']
    expect(own).toMatch(/^[\w-]{12}-[\da-z]+$/)
    expect((await call('GET', '/nowhere')).headers['x-request-id']).not.toBe(own)
    const headers = { 'x-request-id': 'proxy-1' }
    expect((await call('GET', '/things/7', { headers })).headers['x-request-id']).toBe('proxy-1')
    const hostile = { 'x-request-id': 'a" onload="x' }
    expect((await call('GET', '/things/7', { headers: hostile })).headers['x-request-id']).toMatch(
      /^[\w-]{12}-[\da-z]+$/,
    )
  })
})

describe('guards', () => {
  const user = requestValue<string>('user')
  const calls: string[] = []
  const signedIn = defineGuard({ security: 'bearer' }, async (request) => {
    calls.push('controller')
    const token = request.headers.authorization?.slice('Bearer '.length)
    if (!token) throw new HttpError(401, 'UNAUTHENTICATED', 'sign in first')
    user.set(request, token)
  })

  @Controller('/guarded')
  @Guard(signedIn)
  class Guarded {
    @Get()
    @Guard((request) => void calls.push(`first ${user.require(request)}`))
    @Guard((request) => user.require(request) !== 'eve')
    whoami(@Request() request: HttpRequest, @Query('n') n: number) {
      return { user: user.require(request), n }
    }
  }

  class MoreGuarded extends Guarded {
    @Guard(() => false)
    override whoami(request: HttpRequest, n: number) {
      return super.whoami(request, n)
    }
  }

  it('run in the order they are read, the controller’s first, before the input is looked at', async () => {
    const guarded = createApp().register(Guarded)
    const ask = (token?: string, url = '/guarded?n=1') =>
      guarded.inject({ url, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } })
    expect((await ask('ada')).json()).toEqual({ user: 'ada', n: 1 })
    expect(calls).toEqual(['controller', 'first ada'])
    expect((await ask(undefined, '/guarded?n=x')).json()).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
    expect((await ask('eve', '/guarded?n=x')).json()).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    await guarded.close()
  })

  it('are added to by a subclass and never lost', async () => {
    const more = createApp().register(MoreGuarded)
    expect((await more.inject('/guarded?n=1')).statusCode).toBe(401)
    expect((await more.inject({ url: '/guarded?n=1', headers: { authorization: 'Bearer ada' } })).statusCode).toBe(403)
    expect(more.routes[0]!.guards.map((it) => it.security)).toEqual(['bearer', undefined, undefined, undefined])
    await more.close()
  })

  it('that are factories and were not called admit nobody', async () => {
    const signedIn = () => () => true
    const route = defineRoute({ method: 'GET', path: '/open', guards: [signedIn], handler: () => 'secret' })
    const open = createApp().register(route)
    for (const method of ['GET', 'POST'] as const)
      expect((await open.inject({ method, url: '/open' })).json()).toMatchObject({ status: 500, code: 'INTERNAL' })
    await open.close()
  })

  it('are functions: anything else is an error at start', () => {
    const mistake = { name: 'RouteError', code: 'METADATA_INVALID' }
    for (const [guards, what] of [
      [undefined, 'undefined'],
      [[], 'an empty list'],
      [[undefined], 'a list with something else in it'],
    ] as const) {
      const message = `@Guard takes a function or a list of functions, not ${what}`
      expect(() => Guard(guards as never)).toThrow(expect.objectContaining({ ...mistake, message }))
    }
  })

  it('may be a list, which runs in order', async () => {
    const calls: string[] = []
    const note = (name: string) => () => void calls.push(name)
    @Controller('/listed')
    @Guard([note('a'), note('b')])
    class Listed {
      @Get()
      @Guard(note('c'))
      @Guard([note('d'), note('e')])
      find(): string {
        return 'found'
      }
    }
    const app = createApp().register(Listed)
    expect((await app.inject('/listed')).body).toBe('found')
    expect(calls).toEqual(['a', 'b', 'c', 'd', 'e'])
    await app.close()
  })

  it.each(['guard', 'guards'])('of defineRoute are one function or a list, under `%s`', async (option) => {
    const refuse = () => false
    const create = (path: string, guards: unknown) =>
      defineRoute({ method: 'GET', path, [option]: guards, handler: () => 'found' })
    const app = createApp().register(create('/one', refuse), create('/list', [() => true, refuse]), create('/no', []))
    const statuses = await Promise.all(['/one', '/list', '/no'].map(async (it) => (await app.inject(it)).statusCode))
    expect(statuses).toEqual([403, 403, 200])
    await app.close()
  })

  it('under both names have to be the same', () => {
    const guard = () => true
    const route = { method: 'GET', path: '/x', handler: () => 1 } as const
    expect(defineRoute({ ...route, guard, guards: [guard] }).guards).toEqual([guard])
  })

  it('leave nothing behind for other requests', () => {
    expect(user.get({} as HttpRequest)).toBeUndefined()
    expect(() => user.require({} as HttpRequest)).toThrow('no user was set')
  })
})

describe('a route', () => {
  @Controller('docs')
  @Label('Documents')
  class Documents {
    @Get('/:id')
    @Label('Read')
    @Description('Reads *one*.')
    @Id('readDocument')
    @Returns(Task, { description: 'The document.' })
    @Returns(undefined, { status: 410 })
    read(@Param('id') @Label('Number') @Required() id: number, @Query('page') @Optional() page?: number) {
      return [id, page]
    }
  }

  it('is plain data that says all that decorators said', () => {
    const [route] = collectRoutes([Documents])
    expect(route).toMatchObject({
      kind: 'route',
      method: 'GET',
      path: '/docs/:id',
      source: { controller: 'Documents', handler: 'read' },
      controllerMetadata: { label: 'Documents' },
      metadata: { label: 'Read', description: 'Reads *one*.', id: 'readDocument' },
      inputs: [
        { in: 'path', name: 'id', required: true, metadata: { label: 'Number', required: true } },
        { in: 'query', name: 'page', required: false, metadata: { optional: true } },
      ],
      responses: [{ status: 200, description: 'The document.' }, { status: 410 }],
    })
    expect(route!.inputs.map((it) => describeType(it.type))).toEqual([{ type: 'number' }, { type: 'number' }])
    expect(describeType(route!.responses[0]!.type!)).toBe(Task.jsonSchema)
  })

  it('is made without decorators, with typed input', async () => {
    const route = defineRoute({
      method: 'POST',
      path: '/greet/:name',
      params: { name: String },
      query: { times: optional(Number), tags: optional([String]) },
      headers: { 'x-tone': optional(String) },
      body: Task.keySchema,
      returns: String,
      handler({ params, query, headers, body }) {
        expectTypeOf(params).toEqualTypeOf<{ readonly name: string } & Record<never, never>>()
        expectTypeOf(query.times).toEqualTypeOf<number | undefined>()
        expectTypeOf(query.tags).toEqualTypeOf<string[] | undefined>()
        expectTypeOf(body.id).toEqualTypeOf<number>()
        return `${params.name} ${query.times} ${query.tags?.join()} ${headers['x-tone']} ${body.id}`
      },
    })
    const typed = createApp().register(route)
    const payload = { id: 1 }
    const full = { url: '/greet/ada?times=2&tags=a&tags=b', headers: { 'x-tone': 'loud' }, payload }
    expect((await typed.inject({ method: 'POST', ...full })).body).toBe('ada 2 a,b loud 1')
    expect((await typed.inject({ method: 'POST', url: '/greet/ada', payload })).body).toBe(
      'ada undefined undefined undefined 1',
    )
    expect((await typed.inject({ method: 'POST', url: '/greet/ada', payload: { id: 'x' } })).statusCode).toBe(400)
    await typed.close()
    // @ts-expect-error: the handler has to return what the route says
    defineRoute({ method: 'GET', path: '/x', returns: Number, handler: () => 'x' })
  })
})

describe('inheritance', () => {
  abstract class Base {
    protected abstract word: string

    @Get('/word')
    @Label('Say')
    say(@Query('n') n: number) {
      return this.word.repeat(n)
    }
  }

  @Controller('/a')
  class A extends Base {
    protected word = 'a'
  }

  @Controller('/b')
  class B extends Base {
    protected word = 'b'

    @Get('/loud')
    @Description('Louder.')
    override say(n: number) {
      return super.say(n).toUpperCase()
    }
  }

  it('passes routes and metadata on, and lets a subclass add to them', async () => {
    const family = createApp().register(A, new B())
    expect((await family.inject('/a/word?n=2')).body).toBe('aa')
    expect((await family.inject('/b/word?n=2')).body).toBe('BB')
    expect((await family.inject('/b/loud?n=1')).body).toBe('B')
    expect(family.routes.map((it) => [it.path, it.metadata.label, it.metadata.description])).toEqual([
      ['/a/word', 'Say', undefined],
      ['/b/word', 'Say', 'Louder.'],
      ['/b/loud', 'Say', 'Louder.'],
    ])
    await family.close()
  })
})

describe('a mistake is an error at start that names its place', () => {
  class Unmarked {
    @Get()
    x() {}
  }

  @Controller('/needs')
  class Needy {
    readonly dependency: string
    constructor(dependency: string) {
      this.dependency = dependency
    }
    @Get()
    x() {
      return this.dependency
    }
  }

  @Controller('/opt')
  class OptionalPath {
    @Get('/:id')
    x(@Param('id') @Optional() id: string) {
      return id
    }
  }

  @Controller('/miss')
  class MissingPath {
    @Get('/:id')
    x(@Param('key') key: string) {
      return key
    }
  }

  @Controller('/bare')
  class BareParameter {
    @Get('/:id')
    x(@Param('id') id: string, other: string) {
      return [id, other]
    }
  }

  @Controller('/class')
  class ClassBody {
    @Post()
    x(@Body() date: Date) {
      return date
    }
  }

  @Controller('/list')
  class ListParameter {
    @Get()
    x(@Query('tag') tags: string[]) {
      return tags
    }
  }

  @Controller('/get')
  class BodyOfGet {
    @Get()
    x(@Body({ type: 'object' }) body: object) {
      return body
    }
  }

  @Controller('/one')
  class One {
    @Get('/:a')
    first() {}
  }

  @Controller('/')
  class Two {
    @Get('/one/:b')
    second() {}
  }

  it.each([
    [[Unmarked], 'CONTROLLER_INVALID', 'Unmarked'],
    [[Needy as never], 'CONTROLLER_INVALID', 'Needy'],
    [[OptionalPath], 'PARAMETER_INVALID', 'OptionalPath.x'],
    [[MissingPath], 'PARAMETER_INVALID', 'MissingPath.x'],
    [[BareParameter], 'PARAMETER_INVALID', 'parameter 2 of BareParameter.x'],
    [[ClassBody], 'TYPE_UNKNOWN', 'parameter 1 of ClassBody.x'],
    [[ListParameter], 'TYPE_UNKNOWN', 'such as [String]'],
    [[BodyOfGet], 'PARAMETER_INVALID', 'GET /get (BodyOfGet.x): a GET request has no body'],
    [[One, Two], 'ROUTE_DUPLICATE', 'One.first'],
    [[One, Two], 'ROUTE_DUPLICATE', 'Two.second'],
  ] as const)('%#: %s', (controllers, code, place) => {
    expect(() => collectRoutes(controllers)).toThrow(expect.objectContaining({ name: 'RouteError', code }))
    expect(() => collectRoutes(controllers)).toThrow(place)
  })

  it.each([
    '/:id?',
    '/:user-id',
    '/:a-:b',
    '/:file.json',
    '/:id(\\d+)',
    '/x:id',
    '/x*',
    '/*/x',
    '/{id}',
    '/a b',
    '/a?b',
    '/a#b',
    '/:a/:a',
  ])('a path that the router would read otherwise: %s', (path) => {
    @Controller('/paths')
    class Odd {
      @Get(path)
      x() {}
    }
    const expected = expect.objectContaining({ name: 'RouteError', code: 'PATH_INVALID' }) as Error
    expect(() => collectRoutes([Odd])).toThrow(expected)
    expect(() => collectRoutes([Odd])).toThrow(`GET /paths${path} (Odd.x)`)
    expect(() => collectRoutes([defineRoute({ method: 'GET', path, handler: () => 1 })])).toThrow(expected)
  })

  it('in a route that was in order before it was changed', () => {
    const route = { ...defineRoute({ method: 'GET', path: '/a', handler: () => 1 }) }
    expect(collectRoutes([route])).toEqual([route])
    const wrong = Object.assign(route, { path: '/a b' })
    expect(() => collectRoutes([wrong])).toThrow(expect.objectContaining({ code: 'PATH_INVALID' }))
  })

  it('also across calls of register', () => {
    expect(() => createApp().register(One).register(Two)).toThrow(expect.objectContaining({ code: 'ROUTE_DUPLICATE' }))
  })

  it('instances bring their dependencies', async () => {
    const needy = createApp().register(new Needy('water'))
    expect((await needy.inject('/needs')).body).toBe('water')
    await needy.close()
  })
})
