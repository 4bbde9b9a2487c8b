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
  })

  it('one that is gone breaks, one that is new does not; names of path parameters are free', () => {
    const at = (path: string): OpenApiDocument => {
      const { paths, ...rest } = document({})
      return { ...rest, paths: { [path]: paths['/a']! } }
    }
    expect(diff(at('/a'), at('/b'))).toEqual(['! GET /a: the operation is gone', 'GET /b: the operation is new'])
    expect(diff(at('/a/{id}'), at('/a/{key}'))).toEqual([])
  })

  it('deprecation and another id are told', () => {
    expect(diff(document({}), document({ deprecated: true, operationId: 'b' }))).toEqual([
      'GET /a: the operation is deprecated',
      'GET /a: its id was `a` and is `b`: generated clients rename it',
    ])
  })

  it.each<[string, Partial<Operation>['security'], Partial<Operation>['security'], string[]]>([
    ['nothing to a token', [], [{ bearer: [] }], ['! GET /a: it asks for bearer now']],
    ['a token to nothing', [{ bearer: [] }], [], ['GET /a: everybody may call it now']],
    ['another way beside it', [{ bearer: [] }], [{ key: [] }, { bearer: [] }], []],
    ['one of two ways', [{ bearer: [] }, { key: [] }], [{ bearer: [] }], ['! GET /a: it asks for bearer now']],
    ['one more scope', [{ oauth: ['a'] }], [{ oauth: ['a', 'b'] }], ['! GET /a: it asks for oauth now']],
    ['one scope less', [{ oauth: ['a', 'b'] }], [{ oauth: ['a'] }], []],
  ])('security: %s', (_, before, after, changes) => {
    expect(diff(document({ security: before! }), document({ security: after! }))).toEqual(changes)
  })
})

describe('what is sent', () => {
  it('parameters', () => {
    const none = document({})
    expect(diff(none, parameter())).toEqual(['GET /a: the query parameter `q` is new'])
    expect(diff(none, parameter({ required: true }))).toEqual(['! GET /a: the query parameter `q` is new and required'])
    expect(diff(parameter(), none)).toEqual(['! GET /a: the query parameter `q` is no longer taken'])
    expect(diff(parameter(), parameter({ required: true }))).toEqual([
      '! GET /a: the query parameter `q` is required now',
    ])
    expect(diff(parameter({ required: true }), parameter())).toEqual([
      'GET /a: the query parameter `q` is optional now',
    ])
    expect(diff(parameter(), parameter({ schema: { type: 'number' } }))).toEqual([
      '! GET /a: the query parameter `q` is no longer string',
      'GET /a: the query parameter `q` may be number now',
    ])
  })

  it('bodies', () => {
    const none = document({})
    expect(diff(none, takes({}, false))).toEqual(['GET /a: a body is taken now'])
    expect(diff(none, takes({}))).toEqual(['! GET /a: a body is taken now and required'])
    expect(diff(takes({}), none)).toEqual(['! GET /a: the body is no longer taken'])
    expect(diff(takes({}, false), takes({}))).toEqual(['! GET /a: the body is required now'])
    expect(diff(takes({}), takes({}, false))).toEqual(['GET /a: the body is optional now'])
    const form = document({ requestBody: { required: true, content: { 'multipart/form-data': {} } } })
    expect(diff(takes({}), form)).toEqual([
      '! GET /a: the body is no longer application/json',
      'GET /a: the body may be multipart/form-data now',
    ])
  })
})

describe('schemas: what breaks a request leaves an answer whole, and the other way round', () => {
  const object = (properties: object, required: string[] = [], more: object = {}) => ({
    type: 'object',
    properties,
    required,
    ...more,
  })

  it.each<[string, SchemaObject, SchemaObject, string]>([
    ['a value less', { enum: ['a', 'b'] }, { enum: ['a'] }, 'is no longer "b"'],
    ['a type less', { type: ['string', 'null'] }, { type: 'string' }, 'is no longer null'],
    ['null as a flag less', { type: 'string', nullable: true }, { type: 'string' }, 'is no longer null'],
    ['a whole number', { type: 'number' }, { type: 'integer' }, 'is no longer number'],
    ['a type at all', {}, { type: 'string' }, 'has to be string now'],
    ['a few values', { type: 'string' }, { type: 'string', enum: ['a'] }, 'is now one of "a"'],
    [
      'an alternative less',
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      { anyOf: [{ type: 'string' }] },
      'had 2 parts in anyOf and has 1',
    ],
    ['a condition more', { allOf: [{}] }, { allOf: [{}, { minLength: 1 }] }, 'had 1 parts in allOf and has 2'],
  ])('%s', (_, wide, narrow, message) => {
    expect(diff(takes(wide), takes(narrow))).toEqual([`! GET /a: the body ${message}`])
    expect(diff(answers(wide), answers(narrow))).toEqual([`GET /a: the answer 200 ${message}`])
    expect(diff(takes(narrow), takes(wide))).toEqual([expect.stringMatching(/^GET \/a: the body /)])
    expect(diff(answers(narrow), answers(wide))).toEqual([expect.stringMatching(/^! GET \/a: the answer 200 /)])
  })

  it.each(['minLength', 'minimum', 'minItems'])('%s', (keyword) => {
    expect(diff(takes({ [keyword]: 1 }), takes({ [keyword]: 2 }))).toEqual([
      `! GET /a: ${keyword} of the body was 1 and is 2`,
    ])
    expect(diff(takes({ [keyword]: 2 }), takes({ [keyword]: 1 }))[0]).not.toContain('!')
    expect(diff(answers({ [keyword]: 2 }), answers({}))).toEqual([
      `! GET /a: ${keyword} of the answer 200 was 2 and is not set`,
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
    expect(diff(takes(two), takes(needed))).toEqual(['! GET /a: `b` of the body is required now'])
    expect(diff(takes(two), takes(one))).toEqual(['GET /a: `b` of the body is gone'])
    const closed = { additionalProperties: false }
    expect(diff(takes({ ...two, ...closed }), takes({ ...one, ...closed }))).toEqual([
      '! GET /a: `b` of the body is gone',
    ])
    expect(diff(takes(one), takes({ ...one, ...closed }))).toEqual(['! GET /a: the body takes no other fields now'])
    expect(diff(answers(one), answers(needed))).toEqual(['GET /a: `b` of the answer 200 is new'])
    expect(diff(answers(two), answers(one))).toEqual(['! GET /a: `b` of the answer 200 is gone'])
    expect(diff(answers(needed), answers(two))).toEqual(['! GET /a: `b` of the answer 200 may be absent now'])
    expect(diff(answers(two), answers(needed))).toEqual(['GET /a: `b` of the answer 200 is required now'])
  })

  it('inside fields, items and shared schemas, also those that contain themselves', () => {
    const list = (type: string): OpenApiDocument => ({
      ...answers({ type: 'array', items: { $ref: '#/components/schemas/Node' } }),
      components: {
        schemas: { Node: object({ value: { type }, next: { $ref: '#/components/schemas/Node' } }) },
      },
    })
    expect(diff(list('integer'), list('number'))).toEqual([
      '! GET /a: `value` of an item of the answer 200 may be number now',
    ])
  })
})

describe('answers', () => {
  it('a status of success that is gone breaks, others do not', () => {
    const with_ = (...statuses: string[]) =>
      document({ responses: Object.fromEntries(statuses.map((it) => [it, { description: it }])) })
    expect(diff(with_('200', '404'), with_('201'))).toEqual([
      '! GET /a: the answer 200 is gone',
      'GET /a: the answer 404 is gone',
      'GET /a: the answer 201 is new',
    ])
  })
})
