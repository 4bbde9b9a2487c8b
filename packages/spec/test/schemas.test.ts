import {
  Body,
  Controller,
  defineRoute,
  Get,
  Header,
  type HttpRequest,
  Param,
  Post,
  Put,
  Query,
  Request,
  Returns,
  tableController,
} from '@portico/http'
import { defineType, type JsonSchema, type Schema } from '@portico/schema/runtime'
import { createSpec, type OpenApiVersion, type SchemaObject, SpecParam, SpecResponse } from '@portico/spec'
import { describe, expect, it } from 'vitest'
import { Book } from './library.portico.ts'
import { nowhere } from './support/apps.ts'
import { operationOf, operationsOf } from './support/describe.ts'

function named(name: string, jsonSchema: JsonSchema): Schema<unknown> {
  return defineType({ name, jsonSchema, check: () => {} })
}

function takes(path: string, body: Schema<unknown> | JsonSchema) {
  return defineRoute({ method: 'POST', path, body, handler: function take() {} })
}

/** The schema as it is written into a document of a version. */
function written(schema: JsonSchema, openapi: OpenApiVersion): SchemaObject {
  const { requestBody } = operationOf(takes('/a', schema), { openapi })
  return requestBody!.content['application/json']!.schema!
}

describe('shared schemas', () => {
  it('are shared under the name of the declaration, with the schemas they refer to, each once', () => {
    const place = { type: 'object', properties: { city: { type: 'string' } } }
    const home = named('Home', {
      properties: { place: { $ref: '#/$defs/Place' } },
      $defs: { Place: place, Unused: {} },
    })
    const trip = named('Trip', { items: { $ref: '#/$defs/Place' }, $defs: { Place: { ...place } } })
    const document = createSpec([takes('/home', home), takes('/trip', trip), takes('/again', home)])
    expect(Object.keys(document.components.schemas!)).toEqual(['Home', 'Place', 'Problem', 'Trip'])
    expect(document.components.schemas).toMatchObject({
      Home: { properties: { place: { $ref: '#/components/schemas/Place' } } },
      Trip: { items: { $ref: '#/components/schemas/Place' } },
    })
    expect(JSON.stringify(document)).not.toContain('$defs')
    expect(JSON.stringify(document)).not.toContain('$schema')
  })

  it.each(['definitions', '$defs'])('come along from %s', (place) => {
    const schema = { $ref: `#/${place}/Place`, [place]: { Place: { type: 'string' } } }
    const document = createSpec([takes('/a', schema)])
    expect(document.components.schemas).toMatchObject({ Place: { type: 'string' } })
    expect(JSON.stringify(document)).not.toContain(place)
  })

  it.each(['3.0', '3.1', '3.2'] as const)('a discriminator leads to them too, in %s', (openapi) => {
    const kind = (value: string) => ({
      type: 'object',
      properties: { kind: { type: 'string', const: value } },
      required: ['kind'],
    })
    const pet = {
      oneOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }],
      discriminator: {
        propertyName: 'kind',
        mapping: {
          cat: '#/$defs/Cat',
          dog: 'Dog',
          fish: '#/components/schemas/Fish',
          far: 'https://example.com/far.json',
        },
      },
      $defs: { Cat: kind('cat'), Dog: kind('dog') },
    }
    for (const schema of [pet, named('Pet', pet)]) {
      const document = createSpec([takes('/a', schema)], { openapi })
      expect(document.components.schemas).toMatchObject({ Cat: { required: ['kind'] }, Dog: { required: ['kind'] } })
      const body = Object.values(operationsOf(document))[0]!.requestBody!.content['application/json']!.schema!
      const found = schema === pet ? body : document.components.schemas!['Pet']!
      expect(found['discriminator']).toEqual({
        propertyName: 'kind',
        mapping: {
          cat: '#/components/schemas/Cat',
          dog: '#/components/schemas/Dog',
          fish: '#/components/schemas/Fish',
          far: 'https://example.com/far.json',
        },
      })
    }
  })

  it('what is beside a reference leads to them too', () => {
    const schema = {
      $ref: '#/$defs/Base',
      properties: { more: { $ref: '#/$defs/More' } },
      $defs: { Base: { type: 'object' }, More: { type: 'string' } },
    }
    const document = createSpec([takes('/a', schema)])
    expect(JSON.stringify(document)).not.toContain('$defs')
    expect(Object.keys(document.components.schemas!)).toEqual(expect.arrayContaining(['Base', 'More']))
  })

  it('may contain themselves as a whole, where they have a name', () => {
    const document = createSpec([takes('/a', named('Node', { properties: { next: { $ref: '#' } } }))])
    expect(document.components.schemas?.['Node']).toEqual({
      properties: { next: { $ref: '#/components/schemas/Node' } },
    })
  })

  it.each(['#', '#/properties/a', '#/$defs/Nope', '#/$defs/A/properties/b', '#/$defs/constructor'])(
    'what they refer to has to be shared: %s',
    ($ref) => {
      const schema = { properties: { a: {}, b: { $ref } }, $defs: { A: { properties: { b: {} } } } }
      const failing = () => createSpec([takes('/a', schema)])
      expect(failing).toThrow(expect.objectContaining({ name: 'SpecError', code: 'SCHEMA_INVALID' }))
      expect(failing).toThrow(`the body of POST /a (defineRoute.take) refers to \`${$ref}\``)
    },
  )

  it('may contain themselves', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } }
    const document = createSpec([takes('/a', named('Node', { ...node, $defs: { Node: node } }))])
    expect(document.components.schemas?.['Node']).toEqual({
      type: 'object',
      properties: { next: { $ref: '#/components/schemas/Node' } },
    })
  })

  it('two different ones under one name are an error that names both places', () => {
    const routes = [takes('/a', named('Thing', { type: 'string' })), takes('/b', named('Thing', { type: 'number' }))]
    expect(() => createSpec(routes)).toThrow(
      expect.objectContaining({
        name: 'SpecError',
        code: 'SCHEMA_CONFLICT',
        message:
          'two different schemas have the name `Thing`: that of the body of POST /a (defineRoute.take) and that of the body of POST /b (defineRoute.take)',
      }),
    )
  })

  describe('a Problem of one’s own', () => {
    const own = takes('/a', named('Problem', { type: 'object', properties: { severity: { type: 'string' } } }))

    it('is in conflict with that of the platform, and the error says how to rename it', () => {
      expect(() => createSpec([own])).toThrow(
        expect.objectContaining({
          code: 'SCHEMA_CONFLICT',
          message:
            'two different schemas have the name `Problem`: that of the body of POST /a (defineRoute.take) and that of ' +
            'the built-in problems; rename the built-in one with the option `problemName`',
        }),
      )
    })

    it('keeps its name where the platform’s own is given another', () => {
      const routes = [own, tableController(Book, { db: nowhere })]
      const { components } = createSpec(routes, { problemName: 'HttpProblem' })
      expect(components.schemas?.['Problem']).toHaveProperty('properties.severity')
      expect(components.schemas?.['HttpProblem']).toHaveProperty('properties.code')
      for (const it of Object.values(components.responses!))
        expect(it.content).toEqual({
          'application/problem+json': { schema: { $ref: '#/components/schemas/HttpProblem' } },
        })
      expect(Object.keys(components.responses!).length).toBeGreaterThan(3)
    })

    it('is not made up for by a name that no description can have', () => {
      for (const problemName of ['', 'a b', 7 as never])
        expect(() => createSpec([own], { problemName })).toThrow(expect.objectContaining({ code: 'OPTIONS_INVALID' }))
    })
  })

  it('definitions that differ inside equal schemas are found too', () => {
    const home = (type: string) => named('Home', { items: { $ref: '#/$defs/Place' }, $defs: { Place: { type } } })
    expect(() => createSpec([takes('/a', home('string')), takes('/b', home('number'))])).toThrow('the name `Place`')
  })

  it('what an update takes leaves out defaults, so its definitions have a name of their own', () => {
    const { components, paths } = createSpec([tableController(Book, { db: nowhere })])
    expect(components.schemas?.['Cover']).toMatchObject({ properties: { width: { default: 12 } } })
    expect(components.schemas?.['BookUpdateCover']).toMatchObject({ properties: { width: { type: 'number' } } })
    expect(JSON.stringify(components.schemas?.['BookUpdateCover'])).not.toContain('default')
    expect(JSON.stringify(components.schemas?.['BookUpdate'])).toContain('#/components/schemas/BookUpdateCover')
    expect(paths['/books']?.['patch']?.requestBody?.content['application/json']?.schema).toEqual({
      $ref: '#/components/schemas/BookUpdate',
    })
  })

  it('no response contains a hidden field of a table', () => {
    const { components } = createSpec([tableController(Book, { db: nowhere })])
    expect(components.schemas?.['BookRecord']?.['properties']).not.toHaveProperty('note')
    expect(components.schemas?.['BookCreate']?.['properties']).toHaveProperty('note')
  })

  it('labels, descriptions and examples of a declaration are included', () => {
    const { components } = createSpec([tableController(Book, { db: nowhere })])
    expect(components.schemas?.['BookRecord']).toMatchObject({
      title: 'Book',
      properties: {
        title: { title: 'Title', description: 'As printed on the cover.', examples: ['The Dispossessed'] },
        shelf: { deprecated: true },
      },
    })
  })
})

describe('the versions', () => {
  it('the stricter of two limits applies in 3.0', () => {
    expect(written({ maximum: 1, exclusiveMaximum: 5 }, '3.0')).toEqual({ maximum: 1 })
    expect(written({ minimum: 5, exclusiveMinimum: 1 }, '3.0')).toEqual({ minimum: 5 })
    expect(written({ maximum: 5, exclusiveMaximum: 5 }, '3.0')).toEqual({ maximum: 5, exclusiveMaximum: true })
  })

  it('values of several types, null among them, need no flag in 3.0', () => {
    expect(written({ enum: ['a', 1, null] }, '3.0')).toEqual({ enum: ['a', 1, null] })
    expect(written({ enum: ['a', null] }, '3.0')).toEqual({ type: 'string', nullable: true, enum: ['a', null] })
  })

  const nullableReference = {
    anyOf: [{ $ref: '#/$defs/Place' }, { type: 'null' }],
    $defs: { Place: { type: 'object' } },
  }

  it.each<[string, JsonSchema, SchemaObject, SchemaObject]>([
    ['const', { const: 'a' }, { const: 'a' }, { type: 'string', enum: ['a'] }],
    ['a number as const', { const: 1 }, { const: 1 }, { type: 'number', enum: [1] }],
    ['null as const', { const: null }, { const: null }, { type: 'string', nullable: true, enum: [null] }],
    ['enum', { enum: ['a', 'b'] }, { enum: ['a', 'b'] }, { type: 'string', enum: ['a', 'b'] }],
    [
      'enum with null',
      { enum: ['a', null] },
      { enum: ['a', null] },
      { type: 'string', nullable: true, enum: ['a', null] },
    ],
    ['mixed enum', { enum: ['a', 1] }, { enum: ['a', 1] }, { enum: ['a', 1] }],
    ['null', { type: 'null' }, { type: 'null' }, { type: 'string', nullable: true, enum: [null] }],
    ['type or null', { type: ['string', 'null'] }, { type: ['string', 'null'] }, { type: 'string', nullable: true }],
    [
      'two types',
      { type: ['string', 'integer'] },
      { type: ['string', 'integer'] },
      { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    ],
    [
      'a schema or null',
      { anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }] },
      { anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }] },
      { type: 'string', minLength: 1, nullable: true },
    ],
    [
      'an enum or null',
      { anyOf: [{ enum: ['a'] }, { type: 'null' }] },
      { anyOf: [{ enum: ['a'] }, { type: 'null' }] },
      { type: 'string', enum: ['a', null], nullable: true },
    ],
    [
      'a reference or null',
      nullableReference,
      { anyOf: [{ $ref: '#/components/schemas/Place' }, { type: 'null' }] },
      { anyOf: [{ $ref: '#/components/schemas/Place' }, { type: 'string', nullable: true, enum: [null] }] },
    ],
    [
      'text beside a reference',
      { $ref: '#/$defs/A', description: 'Told.', $defs: { A: { type: 'string' } } },
      { $ref: '#/components/schemas/A', description: 'Told.' },
      { allOf: [{ $ref: '#/components/schemas/A' }], description: 'Told.' },
    ],
    [
      'examples',
      { type: 'string', examples: ['a', 'b'] },
      { type: 'string', examples: ['a', 'b'] },
      { type: 'string', example: 'a' },
    ],
    [
      'exclusive limits',
      { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 9 },
      { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 9 },
      { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true },
    ],
    [
      'an exclusive limit that another one makes idle',
      { type: 'number', exclusiveMinimum: 0, minimum: 5 },
      { type: 'number', exclusiveMinimum: 0, minimum: 5 },
      { type: 'number', minimum: 5 },
    ],
    ['nothing required', { type: 'object', required: [] }, { type: 'object', required: [] }, { type: 'object' }],
    ['a list of anything', { type: 'array' }, { type: 'array' }, { type: 'array', items: {} }],
    [
      'what 3.0 cannot say',
      {
        type: 'array',
        prefixItems: [{ type: 'string' }],
        contains: {},
        if: {},
        propertyNames: {},
        items: { type: 'string' },
      },
      {
        type: 'array',
        prefixItems: [{ type: 'string' }],
        contains: {},
        if: {},
        propertyNames: {},
        items: { type: 'string' },
      },
      { type: 'array', items: { type: 'string' } },
    ],
    [
      'names by pattern',
      { type: 'object', patternProperties: { '^a': {} }, additionalProperties: false },
      { type: 'object', patternProperties: { '^a': {} }, additionalProperties: false },
      { type: 'object', additionalProperties: true },
    ],
    [
      'fields named like keywords',
      { type: 'object', properties: { const: { type: 'string' }, examples: { const: 1 }, enum: true } },
      { type: 'object', properties: { const: { type: 'string' }, examples: { const: 1 }, enum: true } },
      { type: 'object', properties: { const: { type: 'string' }, examples: { type: 'number', enum: [1] }, enum: {} } },
    ],
  ])('%s', (_, schema, as31, as30) => {
    expect(written(schema, '3.1')).toEqual(as31)
    expect(written(schema, '3.2')).toEqual(as31)
    expect(written(schema, '3.0')).toEqual(as30)
  })

  it('each document has its version number, and only 3.1 and later a license identifier', () => {
    const options = { license: { name: 'MIT', identifier: 'MIT' } }
    const versions = (['3.0', '3.1', '3.2'] as const).map((openapi) => createSpec([], { ...options, openapi }))
    expect(versions.map((it) => [it.openapi, it.info.license?.identifier])).toEqual([
      ['3.0.3', undefined],
      ['3.1.0', 'MIT'],
      ['3.2.0', 'MIT'],
    ])
    expect(createSpec([]).openapi).toBe('3.1.0')
  })
})

describe('parameters', () => {
  it('a rest of the path has a name that tools know', () => {
    const operations = operationsOf(
      createSpec([
        defineRoute({ method: 'GET', path: '/files/*', params: { '*': String }, handler: () => {} }),
        defineRoute({ method: 'GET', path: '/:rest/files/*', handler: () => {} }),
      ]),
    )
    expect(Object.keys(operations)).toEqual(['GET /files/{rest}', 'GET /{rest}/files/{rest_of_path}'])
    expect(operations['GET /files/{rest}']!.parameters).toEqual([
      { name: 'rest', in: 'path', required: true, schema: { type: 'string' } },
    ])
    expect(operations['GET /{rest}/files/{rest_of_path}']!.parameters!.map((it) => it.name)).toEqual([
      'rest',
      'rest_of_path',
    ])
  })

  it('two operations under one address of OpenAPI are refused, and both are named', () => {
    @Controller('/files')
    class Files {
      @Get('/:id')
      one(): void {}
      @Get('/*')
      rest(): void {}
    }
    expect(() => createSpec([Files])).toThrow(expect.objectContaining({ code: 'PATH_DUPLICATE' }))
    expect(() => createSpec([Files])).toThrow('GET /files/:id (Files.one) and GET /files/* (Files.rest)')
  })

  it('@SpecParam describes parameters that the path has', () => {
    @Controller('/a')
    class Lost {
      @Get()
      @SpecParam({ in: 'path', name: 'id' })
      read(): void {}
    }
    expect(() => createSpec([Lost])).toThrow('GET /a (Lost.read): path parameter `id` is not in the path')
    @Controller('/b')
    @SpecParam({ in: 'path', name: 'id', description: 'Of any.' })
    class Some {
      @Get()
      list(): void {}
      @Get('/:id')
      read(): void {}
    }
    const operations = operationsOf(createSpec([Some]))
    expect(operations['GET /b']).not.toHaveProperty('parameters')
    expect(operations['GET /b/{id}']!.parameters).toMatchObject([{ name: 'id', description: 'Of any.' }])
  })

  it('every parameter of the path is described, also one that the handler does not take', () => {
    const route = defineRoute({ method: 'GET', path: '/a/:one/:two', params: { two: Number }, handler: () => {} })
    expect(operationOf(route).parameters).toEqual([
      { name: 'one', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'two', in: 'path', required: true, schema: { type: 'number' } },
    ])
  })

  it('paths that differ in the names of parameters alone are one path', () => {
    @Controller('/a')
    class A {
      @Get('/:id')
      read(@Param('id') _id: string): void {}
      @Put('/:key')
      write(@Param('key') _key: string): void {}
    }
    const document = createSpec([A])
    expect(Object.keys(document.paths)).toEqual(['/a/{id}'])
    expect(operationsOf(document)['PUT /a/{id}']).toMatchObject({
      operationId: 'PUT__a___key__',
      parameters: [{ name: 'id', in: 'path' }],
    })
  })

  it('a whole query is described field by field', () => {
    const type = {
      $ref: '#/$defs/Search',
      $defs: {
        Search: {
          type: 'object',
          properties: {
            text: { type: 'string', description: 'What.' },
            kind: { $ref: '#/$defs/Kind' },
            old: { deprecated: true },
          },
          required: ['text'],
        },
        Kind: { enum: ['a'] },
      },
    }
    @Controller('/a')
    class A {
      @Get()
      read(@Query(type) _query: unknown): void {}
      @Get('/any')
      any(@Query() _query: unknown): void {}
    }
    const operations = operationsOf(createSpec([A]))
    expect(operations['GET /a']?.parameters).toEqual([
      {
        name: 'text',
        in: 'query',
        description: 'What.',
        required: true,
        schema: { type: 'string', description: 'What.' },
      },
      { name: 'kind', in: 'query', schema: { $ref: '#/components/schemas/Kind' } },
      { name: 'old', in: 'query', deprecated: true, schema: { deprecated: true } },
    ])
    expect(operations['GET /a/any']?.parameters).toEqual([
      { name: 'query', in: 'query', schema: { type: 'object', additionalProperties: true } },
    ])
  })

  it('headers that OpenAPI describes by other means are left out', () => {
    @Controller('/a')
    class A {
      @Get()
      read(@Header('Authorization') _a: string, @Header('Accept') _b: string, @Header('X-Own') _c: string): void {}
    }
    expect(operationOf(A).parameters?.map((it) => it.name)).toEqual(['x-own'])
  })
})

describe('responses', () => {
  it.each([99, 600, 200.5, Number.NaN])('%d is not a status', (status) => {
    @Controller('/a')
    class A {
      @Get()
      @SpecResponse(status)
      read(): void {}
    }
    expect(() => createSpec([A])).toThrow(`GET /a (A.read): ${status} is not a valid status of a response`)
  })

  it('are never empty, and say which content type', () => {
    @Controller('/a')
    class A {
      @Get()
      nothing(): void {}
      @Get('/text')
      @Returns(String)
      text(): void {}
      @Get('/list')
      @Returns([Number])
      list(): void {}
      @Post()
      @Returns(undefined)
      done(): void {}
    }
    const operations = operationsOf(createSpec([A]))
    expect(operations['GET /a']?.responses['2XX']).toEqual({ description: 'Done.' })
    expect(operations['GET /a/text']?.responses['200']).toEqual({
      description: 'OK',
      content: { 'text/plain': { schema: { type: 'string' } } },
    })
    expect(operations['GET /a/list']?.responses['200']).toEqual({
      description: 'OK',
      content: { 'application/json': { schema: { type: 'array', items: { type: 'number' } } } },
    })
    expect(operations['POST /a']?.responses['204']).toEqual({ description: 'No Content' })
    expect(JSON.stringify(operations)).not.toContain('*/*')
  })

  it('failures are described: input, body, and anything else', () => {
    @Controller('/a')
    class A {
      @Get()
      @Returns(Number)
      bare(): void {}
      @Get('/whole')
      @Returns(Number)
      whole(@Request() _request: HttpRequest): void {}
      @Post()
      @Returns(Number)
      write(@Body() _body: unknown): void {}
    }
    const operations = operationsOf(createSpec([A]))
    expect(Object.keys(operations['GET /a']!.responses)).toEqual(['200', 'default'])
    expect(Object.keys(operations['GET /a/whole']!.responses)).toEqual(['200', 'default'])
    expect(Object.keys(operations['POST /a']!.responses)).toEqual(['200', '400', '413', '415', 'default'])
  })
})

describe('the options', () => {
  it('without any there are a title, a version and a server', () => {
    expect(createSpec([])).toEqual({
      openapi: '3.1.0',
      info: { title: 'API', version: '1.0.0' },
      servers: [{ url: '/' }],
      security: [],
      paths: {},
      components: {},
    })
  })

  it('tags stand in the order of the options, and those that are not listed follow', () => {
    const tagged = (name: string) =>
      defineRoute({ method: 'GET', path: `/${name}`, metadata: { specTags: [name] }, handler: () => {} })
    const tags = [{ name: 'c', description: 'Third.' }, { name: 'unused' }]
    const document = createSpec([tagged('a'), tagged('b'), tagged('c')], { tags })
    expect(document.tags).toEqual([
      { name: 'c', description: 'Third.' },
      { name: 'unused' },
      { name: 'a' },
      { name: 'b' },
    ])
  })

  it.each([
    [{ openapi: '2.0' as OpenApiVersion }, "`openapi` must be one of '3.0', '3.1', '3.2', got a string"],
    [{ openapi: 'toString' as OpenApiVersion }, '`openapi` must be'],
    [{ tags: [{ name: 'a' }, { name: 'a' }] }, 'the tag `a` is declared twice'],
    [{ servers: [] }, '`servers` must be a non-empty list'],
    [
      { securitySchemes: { 'my key': { type: 'http' as const, scheme: 'basic' } } },
      '`securitySchemes` must be an object whose keys',
    ],
  ])('what cannot work is refused: %j', (options, message) => {
    expect(() => createSpec([], options)).toThrow(expect.objectContaining({ code: 'OPTIONS_INVALID' }))
    expect(() => createSpec([], options)).toThrow(message)
  })
})
