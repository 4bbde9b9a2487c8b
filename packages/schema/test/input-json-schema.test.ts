import type { AnyTable } from '@portico/schema/runtime'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { loadSchema } from './support/load-module.ts'

const text = `
interface Options {
  @db.default 'dark'
  theme: string
  default: string
}

interface Depth { level: Level }
type Level = number.int
interface Place { city: string }

@db.table 'users'
interface User {
  @meta.id
  id: number
  @db.default 'member'
  role: 'admin' | 'member'
  options: Options
  place: Place
  @db.json
  stored: Options
  past: Depth[]
}`

/** Validates a body with a validator that applies defaults, like Fastify's. */
function filled(schema: object, body: Record<string, unknown>): Record<string, unknown> {
  const validate = new Ajv2020({ useDefaults: true, strict: false, formats: { int64: true } }).compile(schema)
  expect([validate(body), validate.errors]).toEqual([true, null])
  return body
}

describe('the JSON Schema of an input', () => {
  it('an update or replacement keeps values even if a validator applies defaults', async () => {
    const user = (await loadSchema(text))['User'] as AnyTable
    const options = { theme: 'light', default: 'x' }
    expect(filled(user.updateSchema.jsonSchema, { id: 1 })).toEqual({ id: 1 })
    expect(JSON.stringify(user.updateSchema.jsonSchema)).not.toContain('"default":"')
    expect(JSON.stringify(user.replaceSchema.jsonSchema)).not.toContain('"default":"')
    const replacement = { id: 1, role: 'admin', options, place: { city: 'Bern' }, stored: options, past: [] }
    expect(filled(user.replaceSchema.jsonSchema, { ...replacement })).toEqual(replacement)
  })

  it('keeps defaults for an insert and for records', async () => {
    const user = (await loadSchema(text))['User'] as AnyTable
    const body = {
      id: 1,
      options: { default: 'x' },
      place: { city: 'Bern' },
      stored: { theme: 'a', default: 'x' },
      past: [],
    }
    expect(filled(user.insertSchema.jsonSchema, body)).toMatchObject({ role: 'member', options: { theme: 'dark' } })
    expect(user.jsonSchema['properties']).toMatchObject({ role: { default: 'member' } })
  })

  it('keeps a field named default', async () => {
    const user = (await loadSchema(text))['User'] as AnyTable
    const { options } = user.updateSchema.jsonSchema['properties'] as Record<string, object>
    expect(options).toMatchObject({ properties: { default: { type: 'string' } } })
  })

  it('contains exactly the definitions it uses', async () => {
    const user = (await loadSchema(text))['User'] as AnyTable
    const names = (schema: { readonly jsonSchema: object }): string[] =>
      Object.keys((schema.jsonSchema as { $defs?: object }).$defs ?? {})
    expect(names(user)).toEqual(['Options', 'Place', 'Depth', 'Level'])
    for (const schema of [user.insertSchema, user.replaceSchema, user.updateSchema]) {
      expect(names(schema)).toEqual(['Options', 'Depth', 'Level'])
    }
    expect(names(user.keySchema)).toEqual([])
  })
})

describe('client generators', () => {
  const shapes = `
interface Shapes {
  count: number.int
  @expect.int
  steps: number
  stamp: number.timestamp
  ratio: number
  state: 'open' | 'done'
  level: 1 | 2
  half: 0.5
  fixed: 'x'
  flag: true
  nickname: string | null
  mood: 'good' | 'bad' | null
  mixed: 'auto' | 1 | 2 | 'none'
  size: number | 'auto' | 'none'
}`

  it('whole numbers have 64 bits, and literals have the type of their values', async () => {
    const { jsonSchema } = (await loadSchema(shapes))['Shapes'] as AnyTable
    const whole = { type: 'integer', format: 'int64' }
    const limits = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }
    expect(jsonSchema['properties']).toEqual({
      count: { ...whole, ...limits },
      steps: { ...whole, ...limits },
      stamp: { ...whole, ...limits },
      ratio: { type: 'number' },
      state: { type: 'string', enum: ['open', 'done'] },
      level: { ...whole, enum: [1, 2] },
      half: { type: 'number', const: 0.5 },
      fixed: { type: 'string', const: 'x' },
      flag: { type: 'boolean', const: true },
      nickname: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      mood: { anyOf: [{ type: 'string', enum: ['good', 'bad'] }, { type: 'null' }] },
      mixed: {
        anyOf: [
          { type: 'string', enum: ['auto', 'none'] },
          { ...whole, enum: [1, 2] },
        ],
      },
      size: { anyOf: [{ type: 'number' }, { type: 'string', enum: ['auto', 'none'] }] },
    })
  })
})
