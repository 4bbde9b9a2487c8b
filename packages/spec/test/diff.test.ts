import { createSpec, diffSpecs, type OpenApiDocument, type Operation, type SchemaObject } from '@portico/spec'
import { describe, expect, it } from 'vitest'
import { mediumApp } from './support/apps.ts'

function document(operation: Partial<Operation>, schemas: Record<string, SchemaObject> = {}): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: { title: 'API', version: '1' },
    servers: [{ url: '/' }],
    paths: { '/a': { get: { summary: 'A', operationId: 'a', responses: {}, ...operation } } },
    components: { schemas },
  }
}

/** The changes as lines: `!` in front of those that break callers. */
function diff(before: OpenApiDocument, after: OpenApiDocument): string[] {
  return diffSpecs(before, after).map((it) => `${it.breaking ? '! ' : ''}${it.operation}: ${it.message}`)
}

const takes = (schema: SchemaObject, required = true) =>
  document({ requestBody: { required, content: { 'application/json': { schema } } } })
const answers = (schema: SchemaObject) =>
  document({ responses: { 200: { description: 'OK', content: { 'application/json': { schema } } } } })
const parameter = (more: object = {}) =>
  document({ parameters: [{ name: 'q', in: 'query', schema: { type: 'string' }, ...more }] })

describe('operations', () => {
  it('the same description differs in nothing, in any version of OpenAPI', () => {
    const { controllers, options } = mediumApp
    const [old, current, newest] = (['3.0', '3.1', '3.2'] as const).map((openapi) =>
      createSpec(controllers, { ...options, openapi }),
    )
    expect(diff(current!, structuredClone(current!))).toEqual([])
    expect(diff(current!, newest!)).toEqual([])
    expect(diff(old!, old!)).toEqual([])
    // OpenAPI 3.0 says the same in other words.
    expect(diff(old!, current!).filter((it) => it.startsWith('!'))).toEqual([])
  })

  it('one that is gone breaks, one that is new does not; names of path parameters are free', () => {
    const at = (path: string): OpenApiDocument => {
      const { paths, ...rest } = document({})
      return { ...rest, paths: { [path]: paths['/a']! } }
    }
    expect(diff(at('/a'), at('/b'))).toEqual(['! GET /a: the operation was removed', 'GET /b: the operation is new'])
    expect(diff(at('/a/{id}'), at('/a/{key}'))).toEqual([])
  })

  it('deprecation and another id are listed', () => {
    expect(diff(document({}), document({ deprecated: true, operationId: 'b' }))).toEqual([
      'GET /a: the operation is deprecated',
      'GET /a: its id was `a` and is now `b`: generated clients rename it',
    ])
  })

  it.each<[string, Partial<Operation>['security'], Partial<Operation>['security'], string[]]>([
    ['nothing to a token', [], [{ bearer: [] }], ['! GET /a: it now requires bearer']],
    ['a token to nothing', [{ bearer: [] }], [], ['GET /a: it is now public']],
    ['another way beside it', [{ bearer: [] }], [{ key: [] }, { bearer: [] }], []],
    ['one of two ways', [{ bearer: [] }, { key: [] }], [{ bearer: [] }], ['! GET /a: it now requires bearer']],
    ['one more scope', [{ oauth: ['a'] }], [{ oauth: ['a', 'b'] }], ['! GET /a: it now requires oauth']],
    ['one scope less', [{ oauth: ['a', 'b'] }], [{ oauth: ['a'] }], []],
  ])('security: %s', (_, before, after, changes) => {
    expect(diff(document({ security: before! }), document({ security: after! }))).toEqual(changes)
  })
})

describe('security schemes', () => {
  const guarded = (name: string, scheme: object): OpenApiDocument =>
    ({
      ...document({ security: [{ [name]: [] }] }),
      components: { securitySchemes: { [name]: scheme } },
    }) as OpenApiDocument

  it('are compared by content, not by name', () => {
    const bearer = guarded('a', { type: 'http', scheme: 'bearer' })
    expect(diff(bearer, guarded('b', { type: 'http', scheme: 'Bearer', description: 'x' }))).toEqual([])
    const key = (name: string) => guarded('a', { type: 'apiKey', in: 'header', name })
    expect(diff(bearer, key('x'))).toEqual(['! GET /a: it now requires a'])
    expect(diff(key('x'), key('y'))).toEqual(['! GET /a: it now requires a'])
  })
})

describe('what is sent', () => {
  it('parameters', () => {
    const none = document({})
    expect(diff(none, parameter())).toEqual(['GET /a: the query parameter `q` is new'])
    expect(diff(none, parameter({ required: true }))).toEqual(['! GET /a: the query parameter `q` is new and required'])
    expect(diff(parameter(), none)).toEqual(['! GET /a: the query parameter `q` is no longer accepted'])
    expect(diff(parameter(), parameter({ required: true }))).toEqual([
      '! GET /a: the query parameter `q` is now required',
    ])
    expect(diff(parameter({ required: true }), parameter())).toEqual([
      'GET /a: the query parameter `q` is now optional',
    ])
    expect(diff(parameter(), parameter({ schema: { type: 'number' } }))).toEqual([
      '! GET /a: the query parameter `q` can no longer be string',
      'GET /a: the query parameter `q` may now be number',
    ])
  })

  it('names count as HTTP has them, and places in the path where it has them', () => {
    const named = (place: 'query' | 'header' | 'cookie', name: string) => parameter({ in: place, name })
    expect(diff(named('query', 'Page'), named('query', 'page'))[0]).toContain('!')
    expect(diff(named('cookie', 'Id'), named('cookie', 'id'))[0]).toContain('!')
    expect(diff(named('header', 'X-Id'), named('header', 'x-id'))).toEqual([])
    const inPath = (...names: string[]): OpenApiDocument => {
      const types: Record<string, string> = { x: 'string', y: 'number' }
      const parameters = names.map((name) => ({ name, in: 'path' as const, schema: { type: types[name] } }))
      const { paths, ...rest } = document({ parameters })
      return { ...rest, paths: { '/a/{x}/{y}': paths['/a']! } }
    }
    expect(diff(inPath('x', 'y'), inPath('y', 'x'))).toEqual([])
  })

  it('what other generators write', () => {
    const shared = (type: string): OpenApiDocument =>
      ({
        openapi: '3.0.3',
        paths: {
          '/a': {
            parameters: [{ name: 'q', in: 'query', content: { 'application/json': { schema: { type } } } }],
            get: { requestBody: { $ref: '#/components/requestBodies/B' } },
          },
        },
        components: { requestBodies: { B: { content: { 'application/json': { schema: { type } } } } } },
      }) as unknown as OpenApiDocument
    expect(diff(shared('string'), shared('number')).filter((it) => it.startsWith('!'))).toEqual([
      '! GET /a: the query parameter `q` can no longer be string',
      '! GET /a: the body can no longer be string',
    ])
    const piped = parameter({ style: 'pipeDelimited' })
    expect(diff(parameter(), piped)).toEqual(['! GET /a: the query parameter `q` is now serialized differently'])
    expect(diff(parameter(), parameter({ style: 'form', explode: true }))).toEqual([])
  })

  it('bodies', () => {
    const none = document({})
    expect(diff(none, takes({}, false))).toEqual(['GET /a: a body is now accepted'])
    expect(diff(none, takes({}))).toEqual(['! GET /a: a body is now accepted and required'])
    expect(diff(takes({}), none)).toEqual(['! GET /a: the body is no longer accepted'])
    expect(diff(takes({}, false), takes({}))).toEqual(['! GET /a: the body is now required'])
    expect(diff(takes({}), takes({}, false))).toEqual(['GET /a: the body is now optional'])
    const form = document({ requestBody: { required: true, content: { 'multipart/form-data': {} } } })
    expect(diff(takes({}), form)).toEqual([
      '! GET /a: the body is no longer application/json',
      'GET /a: the body may now be multipart/form-data',
    ])
  })
})

describe('schemas: a change that breaks requests does not break responses, and vice versa', () => {
  const object = (properties: object, required: string[] = [], more: object = {}) => ({
    type: 'object',
    properties,
    required,
    ...more,
  })

  it.each<[string, SchemaObject, SchemaObject, string]>([
    ['a value less', { enum: ['a', 'b'] }, { enum: ['a'] }, 'can no longer be "b"'],
    ['a type less', { type: ['string', 'null'] }, { type: 'string' }, 'can no longer be null'],
    ['null as a flag less', { type: 'string', nullable: true }, { type: 'string' }, 'can no longer be null'],
    ['a whole number', { type: 'number' }, { type: 'integer' }, 'can no longer be number'],
    ['a type at all', {}, { type: 'string' }, 'must now be string'],
    ['a few values', { type: 'string' }, { type: 'string', enum: ['a'] }, 'must now be one of "a"'],
    [
      'an alternative less',
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      { anyOf: [{ type: 'string' }] },
      'can no longer be null',
    ],
    ['another type', { type: ['string', 'number'] }, { anyOf: [{ type: 'string' }] }, 'can no longer be number'],
    ['a union of values less', { anyOf: [{ const: 'a' }, { const: 'b' }] }, { const: 'a' }, 'can no longer be "b"'],
    [
      'a union where anything went',
      {},
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      'must now be string or null',
    ],
    ['a value of a type', { type: 'string' }, { const: 'a' }, 'must now be one of "a"'],
  ])('%s', (_, wide, narrow, message) => {
    expect(diff(takes(wide), takes(narrow))).toEqual([`! GET /a: the body ${message}`])
    expect(diff(answers(wide), answers(narrow))).toEqual([`GET /a: the response 200 ${message}`])
    expect(diff(takes(narrow), takes(wide))).toEqual([expect.stringMatching(/^GET \/a: the body /)])
    expect(diff(answers(narrow), answers(wide))).toEqual([expect.stringMatching(/^! GET \/a: the response 200 /)])
  })

  // A request that takes the first takes less with the second; an answer holds no more than before.
  it.each<[string, SchemaObject, SchemaObject]>([
    ['other fields of another type', { additionalProperties: {} }, { additionalProperties: { type: 'string' } }],
    ['other fields of some type', object({}), object({}, [], { additionalProperties: { type: 'string' } })],
    ['a field of other fields', { additionalProperties: object({}) }, { additionalProperties: object({}, ['a']) }],
    ['items of some type', { type: 'array' }, { type: 'array', items: { type: 'string' } }],
    ['places of a list', { prefixItems: [{ type: ['string', 'null'] }] }, { prefixItems: [{ type: 'string' }] }],
    ['no item twice', { type: 'array' }, { type: 'array', uniqueItems: true }],
    ['a step', { multipleOf: 5 }, { multipleOf: 10 }],
    ['fields at least', object({}), object({}, [], { minProperties: 1 })],
    ['fields at most', object({}), object({}, [], { maxProperties: 1 })],
    ['an exclusive limit as a flag', { minimum: 1 }, { allOf: [{ minimum: 1 }, { exclusiveMinimum: 1 }] }],
    ['what it must not be', {}, { not: { const: 1 } }],
    ['names of fields', {}, { propertyNames: { pattern: 'a' } }],
    ['fields by pattern', {}, { patternProperties: { a: { type: 'string' } } }],
    ['a required field that is not declared', object({}), object({}, ['a'])],
    ['nothing at all', object({ a: true }), object({ a: false })],
    ['a condition more', { allOf: [{}] }, { allOf: [{}, { minLength: 1 }] }],
  ])('%s', (_, wide, narrow) => {
    const breaks = (before: OpenApiDocument, after: OpenApiDocument): boolean[] =>
      diffSpecs(before, after).map((it) => it.breaking)
    expect(breaks(takes(wide), takes(narrow))).toEqual([true])
    expect(breaks(answers(wide), answers(narrow))).toEqual([false])
    expect(breaks(takes(narrow), takes(wide))).toEqual([false])
    expect(breaks(answers(narrow), answers(wide))).toEqual([true])
  })

  it.each<[string, SchemaObject, SchemaObject]>([
    ['a union in another order', { anyOf: [{ type: 'string' }, { type: 'null' }] }, { type: ['null', 'string'] }],
    ['one way to write a union or another', { oneOf: [object({ a: {} }), {}] }, { anyOf: [{}, object({ a: {} })] }],
    ['parts in one', { allOf: [object({ a: {} }), object({ b: {} }, ['b'])] }, object({ a: {}, b: {} }, ['b'])],
    ['null as a flag', { type: 'string', nullable: true }, { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    ['a limit as a flag', { minimum: 1, exclusiveMinimum: true }, { exclusiveMinimum: 1 }],
    ['words', { type: 'string' }, { type: 'string', title: 'A', description: 'B', examples: ['c'], default: 'd' }],
  ])('the same schema written differently does not count as a change: %s', (_, one, other) => {
    for (const place of [takes, answers]) {
      expect(diff(place(one), place(other))).toEqual([])
      expect(diff(place(other), place(one))).toEqual([])
    }
  })

  it('a way to fit in place of another breaks both', () => {
    const union = (...types: string[]) => ({ anyOf: types.map((type) => ({ type })) })
    for (const place of [takes, answers]) {
      expect(diff(place({ type: 'string' }), place(union('number', 'boolean')))[0]).toContain('!')
      expect(diff(place(union('string', 'number')), place(union('string', 'boolean', 'null')))[0]).toContain('!')
      const objects = (...names: string[]) => ({ anyOf: names.map((it) => object({ [it]: {} }, [it])) })
      expect(diff(place(objects('a', 'b')), place(objects('b', 'c', 'd')))[0]).toContain('!')
      expect(diff(place(objects('a', 'b')), place(objects('b', 'a')))).toEqual([])
    }
  })

  it('each use of a shared schema counts', () => {
    const shared = (schema: SchemaObject): OpenApiDocument => ({
      ...answers(schema),
      components: { schemas: { X: object({ a: { type: 'string' } }), Loop: { anyOf: [ref('Loop')] } } },
    })
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
    const before = shared(object({ one: ref('X'), two: ref('X') }))
    const after = shared(object({ one: ref('X'), two: object({ a: { type: 'number' } }) }))
    expect(diff(before, after)[0]).toBe('! GET /a: `a` of `two` of the response 200 may now be number')
    const nullable = { anyOf: [ref('X'), { type: 'null' }] }
    expect(diff(shared(ref('X')), shared(nullable))).toEqual(['! GET /a: the response 200 may now be null'])
    expect(diff(shared(nullable), shared(ref('X')))).toEqual(['GET /a: the response 200 can no longer be null'])
    expect(diff(shared(ref('X')), shared({ allOf: [ref('X')], description: 'x' }))).toEqual([])
    expect(diff(shared(ref('Loop')), shared(ref('Loop')))).toEqual([])
  })

  it('fields whose names objects have anyway', () => {
    const two = object({ a: {}, constructor: {} })
    expect(diff(answers(two), answers(object({ a: {} })))).toEqual([
      '! GET /a: `constructor` of the response 200 was removed',
    ])
  })

  it.each(['minLength', 'minimum', 'minItems'])('%s', (keyword) => {
    expect(diff(takes({ [keyword]: 1 }), takes({ [keyword]: 2 }))).toEqual([
      `! GET /a: ${keyword} of the body was 1 and is now 2`,
    ])
    expect(diff(takes({ [keyword]: 2 }), takes({ [keyword]: 1 }))[0]).not.toContain('!')
    expect(diff(answers({ [keyword]: 2 }), answers({}))).toEqual([
      `! GET /a: ${keyword} of the response 200 was 2 and is now not set`,
    ])
  })

  it.each(['maxLength', 'maximum', 'maxItems'])('%s', (keyword) => {
    expect(diff(takes({ [keyword]: 2 }), takes({ [keyword]: 1 }))[0]).toContain('!')
    expect(diff(takes({ [keyword]: 1 }), takes({ [keyword]: 2 }))[0]).not.toContain('!')
    expect(diff(takes({}), takes({ [keyword]: 2 }))[0]).toContain('!')
  })

  it('another pattern breaks both', () => {
    for (const place of [takes, answers])
      expect(diff(place({ pattern: 'a' }), place({ pattern: 'b' }))[0]).toContain('!')
  })

  it('fields', () => {
    const one = object({ a: {} })
    const two = object({ a: {}, b: {} })
    const needed = object({ a: {}, b: {} }, ['b'])
    expect(diff(takes(one), takes(two))).toEqual(['GET /a: `b` of the body is new'])
    expect(diff(takes(one), takes(needed))).toEqual(['! GET /a: `b` of the body is new and required'])
    expect(diff(takes(two), takes(needed))).toEqual(['! GET /a: `b` of the body is now required'])
    expect(diff(takes(two), takes(one))).toEqual(['GET /a: `b` of the body was removed'])
    const closed = { additionalProperties: false }
    expect(diff(takes({ ...two, ...closed }), takes({ ...one, ...closed }))).toEqual([
      '! GET /a: `b` of the body was removed',
    ])
    expect(diff(takes(one), takes({ ...one, ...closed }))).toEqual([
      '! GET /a: the body no longer accepts other fields',
    ])
    expect(diff(answers(one), answers(needed))).toEqual(['GET /a: `b` of the response 200 is new'])
    expect(diff(answers(two), answers(one))).toEqual(['! GET /a: `b` of the response 200 was removed'])
    expect(diff(answers(needed), answers(two))).toEqual(['! GET /a: `b` of the response 200 may now be absent'])
    expect(diff(answers(two), answers(needed))).toEqual(['GET /a: `b` of the response 200 is now required'])
  })

  it('inside fields, items and shared schemas, also those that contain themselves', () => {
    const list = (type: string): OpenApiDocument => ({
      ...answers({ type: 'array', items: { $ref: '#/components/schemas/Node' } }),
      components: {
        schemas: { Node: object({ value: { type }, next: { $ref: '#/components/schemas/Node' } }) },
      },
    })
    expect(diff(list('integer'), list('number'))).toEqual([
      '! GET /a: `value` of an item of the response 200 may now be number',
    ])
  })
})

describe('answers', () => {
  it('a status of success that is gone breaks, others do not', () => {
    const with_ = (...statuses: string[]) =>
      document({ responses: Object.fromEntries(statuses.map((it) => [it, { description: it }])) })
    expect(diff(with_('200', '404'), with_('201'))).toEqual([
      '! GET /a: the response 200 was removed',
      'GET /a: the response 404 was removed',
      'GET /a: the response 201 is new',
    ])
  })

  it('a more specific status does not break callers', () => {
    const responding = (status: string) => document({ responses: { [status]: { description: 'Done.' } } })
    expect(diff(responding('2XX'), responding('204'))).toEqual(['GET /a: the response 2XX is now documented as 204'])
    expect(diff(responding('2XX'), responding('404'))).toEqual([
      '! GET /a: the response 2XX was removed',
      'GET /a: the response 404 is new',
    ])
    const { responses } = answers({ type: 'string' }).paths['/a']!['get']!
    expect(diff(document({ responses }), responding('2XX'))).toEqual([
      '! GET /a: the response 2XX is no longer application/json',
      'GET /a: the response 200 is now documented as 2XX',
    ])
  })

  it('a header that is gone breaks', () => {
    const headers = (...names: string[]) => {
      const entries = names.map((it) => [it, { description: it, schema: {} }] as const)
      return document({ responses: { 200: { description: 'OK', headers: Object.fromEntries(entries) } } })
    }
    expect(diff(headers('ETag', 'Link'), headers('etag', 'Age'))).toEqual([
      '! GET /a: the header `Link` of the response 200 was removed',
      'GET /a: the header `Age` of the response 200 is new',
    ])
  })
})
