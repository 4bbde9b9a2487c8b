import { Body, Controller, defineRoute, Get, Guard, getMate, Param, Post, Query, Returns, reply } from '@portico/http'
import {
  createSpec,
  Description,
  getSpecMate,
  Id,
  Label,
  Optional,
  Required,
  type Response,
  SpecDeprecated,
  SpecDescription,
  SpecExample,
  SpecExclude,
  SpecExternalDocs,
  SpecOperationId,
  SpecParam,
  SpecPublic,
  SpecResponse,
  SpecSecurity,
  SpecTag,
  type TSpecMate,
} from '@portico/spec'
import { describe, expect, it } from 'vitest'
import { operationOf, operationsOf } from './support/describe.ts'

describe('@SpecTag', () => {
  it('on a method puts the operation into a group, which is collected', () => {
    @Controller('/a')
    class A {
      @Get()
      @SpecTag('reading')
      read(): void {}
    }
    expect(operationOf(A).tags).toEqual(['reading'])
    expect(createSpec([A]).tags).toEqual([{ name: 'reading' }])
  })

  it('on a controller applies to all its handlers', () => {
    @Controller('/a')
    @SpecTag('all')
    class A {
      @Get()
      read(): void {}
      @Post()
      write(): void {}
    }
    expect(Object.values(operationsOf(createSpec([A]))).map((it) => it.tags)).toEqual([['all'], ['all']])
  })

  it('stacks in the order in which a reader sees it, the controller first, each once', () => {
    @Controller('/a')
    @SpecTag('one')
    @SpecTag('two')
    class A {
      @Get()
      @SpecTag('three')
      @SpecTag('one')
      @SpecTag('four')
      read(): void {}
    }
    expect(operationOf(A).tags).toEqual(['one', 'two', 'three', 'four'])
    expect(createSpec([A]).tags?.map((it) => it.name)).toEqual(['one', 'two', 'three', 'four'])
  })

  it('without any there are no tags', () => {
    @Controller('/a')
    class A {
      @Get()
      read(): void {}
    }
    expect(operationOf(A)).not.toHaveProperty('tags')
    expect(createSpec([A])).not.toHaveProperty('tags')
  })

  it('of a base class come first, and a subclass adds to them', () => {
    @SpecTag('base')
    class Base {
      @Get()
      @SpecTag('reading')
      read(): void {}
    }
    @Controller('/a')
    @SpecTag('own')
    class A extends Base {}
    expect(operationOf(A).tags).toEqual(['base', 'own', 'reading'])
  })
})

describe('@Label', () => {
  it('on a handler is the summary', () => {
    @Controller('/a')
    class A {
      @Get()
      @Label('Read it')
      read(): void {}
    }
    expect(operationOf(A).summary).toBe('Read it')
  })

  it.each([
    ['findOpenTasks', 'Find open tasks'],
    ['parseURLNow', 'Parse URL now'],
    ['read', 'Read'],
    ['list_all', 'List all'],
    ['v2', 'V2'],
    ['$', '$'],
  ])('missing, the summary comes from the name of the handler: %s', (name, summary) => {
    class A {}
    Object.defineProperty(A.prototype, name, { value: () => {} })
    Controller('/a')(A)
    Get()(A.prototype, name)
    expect(operationOf(A).summary).toBe(summary)
  })

  it('on a parameter and a body is the title of the schema', () => {
    @Controller('/a')
    class A {
      @Post()
      write(@Query('page', Number) @Label('Page') _page: number, @Body() @Label('All of it') _body: unknown): void {}
    }
    const { parameters, requestBody } = operationOf(A)
    expect(parameters?.[0]?.schema).toEqual({ type: 'number', title: 'Page' })
    expect(requestBody?.content['application/json']?.schema).toEqual({ title: 'All of it' })
  })

  it('on a controller describes its first tag, which has no description', () => {
    @Controller('/a')
    @Label('Things')
    @SpecTag('things')
    @SpecTag('others')
    class A {
      @Get()
      read(): void {}
    }
    expect(createSpec([A]).tags).toEqual([{ name: 'things', description: 'Things' }, { name: 'others' }])
    const described = { tags: [{ name: 'things', description: 'Known.' }] }
    expect(createSpec([A], described).tags?.[0]).toEqual({ name: 'things', description: 'Known.' })
    expect(createSpec([A], { openapi: '3.2' }).tags?.[0]).toEqual({ name: 'things', summary: 'Things' })
  })
})

describe('@Description', () => {
  it('on a handler is the description', () => {
    @Controller('/a')
    class A {
      @Get()
      @Description('All *of* it.')
      read(): void {}
    }
    expect(operationOf(A).description).toBe('All *of* it.')
  })

  it('on a parameter and a body is the description of the schema, and is shown', () => {
    @Controller('/a')
    class A {
      @Post()
      write(
        @Query('page', Number) @Description('Which.') _page: number,
        @Body() @Description('What.') _body: unknown,
      ) {}
    }
    const { parameters, requestBody } = operationOf(A)
    expect(parameters?.[0]).toMatchObject({ description: 'Which.', schema: { description: 'Which.' } })
    expect(requestBody).toMatchObject({
      description: 'What.',
      content: { 'application/json': { schema: { description: 'What.' } } },
    })
  })

  it('on a controller describes its first tag, below the label', () => {
    @Controller('/a')
    @Label('Things')
    @Description('All that there is.')
    @SpecTag('things')
    class A {
      @Get()
      read(): void {}
    }
    expect(createSpec([A]).tags).toEqual([{ name: 'things', description: 'Things\n\nAll that there is.' }])
    expect(createSpec([A], { openapi: '3.2' }).tags).toEqual([
      { name: 'things', summary: 'Things', description: 'All that there is.' },
    ])
    expect(operationOf(A)).not.toHaveProperty('description')
  })
})

describe('@SpecDescription', () => {
  it('is the description', () => {
    @Controller('/a')
    class A {
      @Get()
      @SpecDescription('Used.')
      read(): void {}
    }
    expect(operationOf(A).description).toBe('Used.')
  })

  it('takes priority over @Description, in either order', () => {
    @Controller('/a')
    class A {
      @Get()
      @SpecDescription('Used.')
      @Description('Not used.')
      read(): void {}
      @Post()
      @Description('Not used.')
      @SpecDescription('Used.')
      write(): void {}
    }
    expect(Object.values(operationsOf(createSpec([A]))).map((it) => it.description)).toEqual(['Used.', 'Used.'])
  })
})

describe('the operation id', () => {
  it('is that of @SpecOperationId before that of @Id', () => {
    @Controller('/a')
    class A {
      @Get()
      @Id('fallback')
      @SpecOperationId('highest')
      read(): void {}
    }
    expect(operationOf(A).operationId).toBe('highest')
  })

  it('is that of @Id before the generated one', () => {
    @Controller('/a')
    class A {
      @Get()
      @Id('fallback')
      read(): void {}
    }
    expect(operationOf(A).operationId).toBe('fallback')
  })

  it.each([
    ['/users/:id', 'GET__users___id__'],
    ['/', 'GET__'],
    ['/a-b/c.d~e', 'GET__a_b_c_d_e'],
    ['/a_b/:user_id/x', 'GET__a_b___user_id___x'],
    ['/ü', 'GET___'],
    ['/files/*', 'GET__files___rest__'],
  ])('is generated from method and path: %s', (path, id) => {
    @Controller()
    class A {
      @Get(path)
      read(): void {}
    }
    expect(operationOf(A).operationId).toBe(id)
  })

  it('is unique: the generated ones of two paths may collide, and both handlers are named', () => {
    @Controller()
    class A {
      @Get('/a-b')
      one(): void {}
      @Get('/a_b')
      two(): void {}
    }
    expect(() => createSpec([A])).toThrow(
      expect.objectContaining({
        name: 'SpecError',
        code: 'OPERATION_ID_DUPLICATE',
        message: 'GET /a-b (A.one) and GET /a_b (A.two) have the same operation id, `GET__a_b`',
      }),
    )
  })

  it('is unique: an explicit one given twice is an error, also across controllers', () => {
    @Controller('/a')
    class A {
      @Get()
      @SpecOperationId('same')
      read(): void {}
    }
    @Controller('/b')
    class B {
      @Get()
      @Id('same')
      look(): void {}
    }
    expect(() => createSpec([A, B])).toThrow('GET /a (A.read) and GET /b (B.look) have the same operation id, `same`')
  })

  it('of an operation that is left out is free', () => {
    @Controller()
    class A {
      @Get('/a-b')
      one(): void {}
      @Get('/a_b')
      @SpecExclude()
      two(): void {}
    }
    expect(operationOf(A).operationId).toBe('GET__a_b')
  })
})

describe('@SpecDeprecated', () => {
  it('on a handler marks it alone', () => {
    @Controller('/a')
    class A {
      @Get()
      @SpecDeprecated()
      read(): void {}
      @Post()
      write(): void {}
    }
    expect(Object.values(operationsOf(createSpec([A]))).map((it) => it.deprecated)).toEqual([true, undefined])
  })

  it('on a controller marks all its handlers', () => {
    @Controller('/a')
    @SpecDeprecated()
    class A {
      @Get()
      read(): void {}
      @Post()
      write(): void {}
    }
    expect(Object.values(operationsOf(createSpec([A]))).map((it) => it.deprecated)).toEqual([true, true])
  })
})

describe('@SpecExclude', () => {
  it('on a handler leaves it out', () => {
    @Controller('/a')
    class A {
      @Get()
      @SpecExclude()
      @SpecTag('hidden')
      read(): void {}
      @Post()
      write(): void {}
    }
    expect(Object.keys(operationsOf(createSpec([A])))).toEqual(['POST /a'])
    expect(createSpec([A])).not.toHaveProperty('tags')
  })

  it('on a controller leaves all of it out', () => {
    @Controller('/a')
    @SpecExclude()
    class A {
      @Get()
      read(): void {}
    }
    expect(createSpec([A]).paths).toEqual({})
  })
})

describe('@SpecExternalDocs', () => {
  it('links with a description', () => {
    @Controller('/a')
    class A {
      @Get()
      @SpecExternalDocs('https://example.com/a', 'More')
      read(): void {}
    }
    expect(operationOf(A).externalDocs).toEqual({ url: 'https://example.com/a', description: 'More' })
  })

  it('of the whole description and of a tag come from the options', () => {
    @Controller('/a')
    class A {
      @Get()
      @SpecTag('a')
      read(): void {}
    }
    const externalDocs = { url: 'https://example.com', description: 'All' }
    const document = createSpec([A], { externalDocs, tags: [{ name: 'a', externalDocs }] })
    expect(document).toMatchObject({ externalDocs, tags: [{ name: 'a', externalDocs }] })
  })
})

describe('@Optional', () => {
  it('on a parameter clears the required flag; without it a parameter is required', () => {
    @Controller('/a')
    class A {
      @Get()
      read(@Query('page') _page: string, @Query('size') @Optional() _size?: string): void {}
    }
    expect(operationOf(A).parameters).toEqual([
      { name: 'page', in: 'query', required: true, schema: { type: 'string' } },
      { name: 'size', in: 'query', schema: { type: 'string' } },
    ])
  })

  it('on a body clears the required flag; without it a body is required', () => {
    @Controller('/a')
    class A {
      @Post()
      write(@Body() _body: unknown): void {}
      @Post('/more')
      more(@Body() @Optional() _body?: unknown): void {}
    }
    const required = Object.values(operationsOf(createSpec([A]))).map((it) => it.requestBody?.required)
    expect(required).toEqual([true, false])
  })

  it('on a path parameter is an error that names the route', () => {
    @Controller('/a')
    class A {
      @Get('/:id')
      read(@Param('id') @Optional() _id?: string): void {}
    }
    expect(() => createSpec([A])).toThrow('GET /a/:id (A.read): path parameter `id` cannot be optional')
  })
})

describe('@Required', () => {
  it('has no effect', () => {
    @Controller('/a')
    class A {
      @Get()
      read(@Query('page') @Required() _page: string, @Query('size') @Required() @Optional() _size?: string): void {}
    }
    expect(operationOf(A).parameters?.map((it) => it.required)).toEqual([true, undefined])
  })
})

describe('a route with its own error responses', () => {
  const page = { method: 'POST', path: '/a', body: { type: 'object' }, handler: () => 'ok' } as const
  const answerProblem = () => reply('<h1>No</h1>', { headers: { 'content-type': 'text/html' } })

  it('is not said to send the platform’s own', () => {
    const { responses } = operationOf(
      defineRoute({ ...page, answerProblem, metadata: { specResponses: [{ status: 404 }] } }),
    )
    expect(responses['default']).toEqual({ description: 'Any other problem.' })
    for (const status of ['400', '404', '413', '415'])
      expect(responses[status]).toEqual({ description: expect.any(String) })
    expect(operationOf(defineRoute(page)).responses['default']).toEqual({ $ref: '#/components/responses/Problem' })
  })

  it('describes what it sends itself', () => {
    const entry = { status: 400, type: { type: 'string' }, contentType: 'text/html', description: 'A page.' }
    const { responses } = operationOf(defineRoute({ ...page, answerProblem, metadata: { specResponses: [entry] } }))
    expect(responses['400']).toEqual({
      description: 'A page.',
      content: { 'text/html': { schema: { type: 'string' } } },
    })
  })
})

describe('@SpecResponse', () => {
  it('on a handler and on a controller describes an answer', () => {
    @Controller('/a')
    @SpecResponse(418, { description: 'Tea only.' })
    class A {
      @Get()
      @Returns(String)
      @SpecResponse(404)
      @SpecResponse(201, { type: Number, headers: { location: 'Where.' }, description: 'Made.' })
      @SpecResponse(302, { description: 'Elsewhere.' })
      read(): string {
        return ''
      }
    }
    const { responses } = operationOf(A)
    expect(Object.keys(responses)).toEqual(['200', '201', '302', '404', '418', 'default'])
    expect(responses['201']).toEqual({
      description: 'Made.',
      headers: { location: { description: 'Where.', schema: { type: 'string' } } },
      content: { 'application/json': { schema: { type: 'number' } } },
    })
    expect(responses['302']).toEqual({ description: 'Elsewhere.' })
    expect(createSpec([A]).components.responses?.['ImaTeapot']).toEqual({
      description: 'Tea only.',
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    })
  })

  it('of a status that is described already adds to it', () => {
    @Controller('/a')
    class A {
      @Get()
      @Returns(Number, { description: 'A number.' })
      @SpecResponse(200, { type: { type: 'string' }, contentType: 'text/csv' })
      @SpecResponse(200, { type: { type: 'boolean' } })
      read(): number {
        return 1
      }
    }
    expect(operationOf(A).responses['200']).toEqual({
      description: 'A number.',
      content: {
        'application/json': { schema: { anyOf: [{ type: 'number' }, { type: 'boolean' }] } },
        'text/csv': { schema: { type: 'string' } },
      },
    })
  })
})

describe('@SpecParam', () => {
  it('on a handler and on a controller describes a parameter', () => {
    @Controller('/a')
    @SpecParam({ in: 'header', name: 'x-trace' })
    class A {
      @Get()
      @SpecParam({ in: 'query', name: 'page', type: Number, required: true, description: 'Which.', deprecated: true })
      read(): void {}
    }
    expect(operationOf(A).parameters).toEqual([
      { name: 'x-trace', in: 'header', schema: { type: 'string' } },
      {
        name: 'page',
        in: 'query',
        description: 'Which.',
        required: true,
        deprecated: true,
        schema: { type: 'number' },
      },
    ])
  })

  it('says more about one that the handler takes', () => {
    @Controller('/a')
    class A {
      @Get('/:id')
      @SpecParam({ in: 'path', name: 'id', description: 'Its number.' })
      read(@Param('id', Number) _id: number): void {}
    }
    expect(operationOf(A).parameters).toEqual([
      { name: 'id', in: 'path', description: 'Its number.', required: true, schema: { type: 'number' } },
    ])
  })
})

describe('@SpecExample', () => {
  it('on a parameter, a body and a handler', () => {
    @Controller('/a')
    class A {
      @Post()
      @Returns(Number)
      @SpecExample(7)
      @SpecExample({ code: 'GONE' }, { status: 410, name: 'gone' })
      @SpecResponse(410)
      write(
        @Query('page', Number) @SpecExample(3) _page: number,
        @Body() @SpecExample('x', { summary: 'X' }) _body: unknown,
      ) {}
    }
    const { parameters, requestBody, responses } = operationOf(A)
    expect(parameters?.[0]?.examples).toEqual({ example: { value: 3 } })
    expect(requestBody?.content['application/json']?.examples).toEqual({ example: { summary: 'X', value: 'x' } })
    const examplesOf = (status: string, type: string) => (responses[status] as Response).content?.[type]?.examples
    expect(examplesOf('200', 'application/json')).toEqual({ example: { value: 7 } })
    expect(examplesOf('410', 'application/problem+json')).toEqual({ gone: { value: { code: 'GONE' } } })
  })

  it('stacks, each with a name', () => {
    @Controller('/a')
    class A {
      @Get()
      read(@Query('page') @SpecExample('1') @SpecExample('2') _page: string): void {}
    }
    expect(operationOf(A).parameters?.[0]?.examples).toEqual({ example: { value: '1' }, example2: { value: '2' } })
  })
})

describe('@SpecSecurity and @SpecPublic', () => {
  const pass = (): boolean => true

  it('a guarded operation asks for a bearer token and may answer 401 and 403; one beside it asks for nothing', () => {
    @Controller('/a')
    class A {
      @Get()
      @Guard(pass)
      read(): void {}
      @Post()
      write(): void {}
    }
    const document = createSpec([A])
    const { 'GET /a': guarded, 'POST /a': open } = operationsOf(document)
    expect(guarded?.security).toEqual([{ bearer: [] }])
    expect(Object.keys(guarded?.responses ?? {})).toEqual(['401', '403', '2XX', 'default'])
    expect(open?.security).toEqual([])
    expect(Object.keys(open?.responses ?? {})).toEqual(['2XX', 'default'])
    expect(document.components.securitySchemes).toEqual({ bearer: { type: 'http', scheme: 'bearer' } })
    expect(document).not.toHaveProperty('security')
  })

  it('a guard on the controller applies to every handler, and all named schemes are required', () => {
    const named = (security: string) => Object.assign(() => true, { security })
    @Controller('/a')
    @Guard(named('key'))
    class A {
      @Get()
      @Guard(named('bearer'))
      @Guard(pass)
      read(): void {}
    }
    const key = { type: 'apiKey', in: 'header', name: 'x-key' } as const
    expect(operationOf(A, { securitySchemes: { key } }).security).toEqual([{ key: [], bearer: [] }])
  })

  it('a guard without a name asks for the scheme that is declared first', () => {
    @Controller('/a')
    @Guard(pass)
    class A {
      @Get()
      read(): void {}
    }
    const key = { type: 'apiKey', in: 'header', name: 'x-key' } as const
    expect(operationOf(A, { securitySchemes: { key } }).security).toEqual([{ key: [] }])
  })

  it('@SpecSecurity replaces the schemes of guards, the handler’s before the controller’s; one of several is enough', () => {
    @Controller('/a')
    @Guard(pass)
    @SpecSecurity('bearer')
    class A {
      @Get()
      read(): void {}
      @Post()
      @SpecSecurity('oauth', ['write'])
      @SpecSecurity('bearer')
      write(): void {}
    }
    const oauth = {
      type: 'oauth2',
      flows: { clientCredentials: { tokenUrl: 'https://a.test', scopes: { write: 'W' } } },
    } as const
    const operations = operationsOf(createSpec([A], { securitySchemes: { oauth } }))
    expect(operations['GET /a']?.security).toEqual([{ bearer: [] }])
    expect(operations['POST /a']?.security).toEqual([{ oauth: ['write'] }, { bearer: [] }])
  })

  it('@SpecPublic on a handler or a controller says that everybody may', () => {
    @Controller('/a')
    @SpecPublic()
    @Guard(pass)
    class A {
      @Get()
      read(): void {}
      @Post()
      @SpecSecurity('bearer')
      write(): void {}
    }
    @Controller('/b')
    @Guard(pass)
    class B {
      @Get()
      @SpecPublic()
      read(): void {}
    }
    const operations = operationsOf(createSpec([A, B]))
    expect(operations['GET /a']?.security).toEqual([])
    expect(operations['GET /a']?.responses).not.toHaveProperty('401')
    expect(operations['POST /a']?.security).toEqual([{ bearer: [] }])
    expect(operations['GET /b']?.security).toEqual([])
  })

  it('where nothing is guarded, the whole description says so', () => {
    @Controller('/a')
    class A {
      @Get()
      read(): void {}
    }
    expect(createSpec([A])).toMatchObject({ security: [] })
    expect(operationOf(A)).not.toHaveProperty('security')
  })

  it('an undeclared scheme is an error that names the handler', () => {
    @Controller('/a')
    class A {
      @Get()
      @SpecSecurity('magic')
      read(): void {}
    }
    expect(() => createSpec([A])).toThrow(
      expect.objectContaining({
        code: 'SECURITY_UNKNOWN',
        message: 'GET /a (A.read) requires the security scheme `magic`, which `securitySchemes` does not declare',
      }),
    )
  })
})

describe('getSpecMate', () => {
  const mate = getSpecMate()

  it('composed decorators are picked up, on a handler and on a controller', () => {
    const Legacy = () => mate.apply(mate.decorate('specTags', 'legacy', true), mate.decorate('specDeprecated', true))
    @Controller('/a')
    class A {
      @Get()
      @Legacy()
      @SpecTag('reading')
      read(): void {}
    }
    @Controller('/b')
    @Legacy()
    class B {
      @Get()
      read(): void {}
    }
    expect(operationOf(A)).toMatchObject({ tags: ['legacy', 'reading'], deprecated: true })
    expect(operationOf(B)).toMatchObject({ tags: ['legacy'], deprecated: true })
  })

  it('apply equals stacking by hand, the last one first', () => {
    const One = SpecTag('one')
    const Two = SpecTag('two')
    const Used = Description('used')
    const Later = Description('later')
    @Controller('/a')
    class Applied {
      @Get()
      @mate.apply(One, Used, Later, Two)
      read(): void {}
    }
    @Controller('/a')
    class Stacked {
      @Get()
      @One
      @Used
      @Later
      @Two
      read(): void {}
    }
    expect(operationOf(Applied)).toEqual(operationOf(Stacked))
    expect(operationOf(Applied)).toMatchObject({ tags: ['one', 'two'], description: 'used' })
  })

  it('apply works on parameters too', () => {
    const Page = mate.apply(Optional(), Label('Page'))
    @Controller('/a')
    class A {
      @Get()
      read(@Query('page') @Page _page?: string): void {}
    }
    expect(operationOf(A).parameters).toEqual([
      { name: 'page', in: 'query', schema: { type: 'string', title: 'Page' } },
    ])
  })

  it('decorate without append replaces, with append adds, and adding to a value that is not an array is an error', () => {
    @Controller('/a')
    class A {
      @Get()
      @mate.decorate('specTags', ['only'])
      @SpecTag('gone')
      read(): void {}
    }
    expect(operationOf(A).tags).toEqual(['only'])
    const wrong = getMate<{ specDescription?: string[] }>().decorate('specDescription', 'more', true)
    class B {
      read(): void {}
    }
    SpecDescription('text')(B.prototype, 'read')
    expect(() => wrong(B.prototype, 'read')).toThrow(
      'the metadata key `specDescription` is not an array, so nothing can be appended to it',
    )
  })

  it('every key of TSpecMate can be written by hand', () => {
    const values: Required<Omit<TSpecMate, 'optional' | 'required'>> = {
      label: 'Label',
      description: 'not used',
      id: 'not taken',
      specTags: ['t'],
      specDeprecated: true,
      specDescription: 'used',
      specOperationId: 'taken',
      specExclude: false,
      specExternalDocs: { url: 'https://example.com' },
      specResponses: [{ status: 204 }],
      specParams: [{ in: 'query', name: 'q' }],
      specExamples: [],
      specSecurity: [{ bearer: [] }],
      specPublic: false,
    }
    const keys = Object.keys(values) as (keyof typeof values)[]
    const All = mate.apply(...keys.map((key) => mate.decorate(key, values[key]!)))
    @Controller('/a')
    class A {
      @Get()
      @All
      read(): void {}
    }
    expect(operationOf(A)).toMatchObject({
      tags: ['t'],
      summary: 'Label',
      description: 'used',
      operationId: 'taken',
      deprecated: true,
      externalDocs: { url: 'https://example.com' },
      parameters: [{ name: 'q' }],
      responses: { '204': { description: 'No Content' } },
      security: [{ bearer: [] }],
    })
  })
})
