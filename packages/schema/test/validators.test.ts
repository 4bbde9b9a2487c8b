import { compile } from '@portico/schema'
import type { AnyTable, Schema } from '@portico/schema/runtime'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { heavy } from '../../../test/support/heavy.ts'
import { schemas, valuesOf } from './support/arbitraries.ts'
import { loadSchema } from './support/load-module.ts'

/** Ajv on the schema we publish: the judge that knows nothing of our validators. */
function judge(schema: Schema<unknown>): (value: unknown) => boolean {
  const validate = ajv.compile(schema.jsonSchema)
  ajv.removeSchema(schema.jsonSchema)
  return (value) => validate(value) === true
}

// Only what an object has itself counts as its field, as with our validators.
const ajv = new Ajv2020({ strict: true, strictTypes: false, ownProperties: true })
addFormats.default(ajv)

describe('validators', () => {
  it('agree with Ajv on their JSON Schema, for records and all inputs', async () => {
    const verdicts = { valid: 0, invalid: 0 }
    await fc.assert(
      fc.asyncProperty(schemas, fc.integer(), async (text, seed) => {
        const { models } = compile([{ path: 'schema.portico', text }])
        const module = await loadSchema(text)
        const table = module['Table'] as AnyTable
        const values = fc.sample(valuesOf(models[0]!, 'Table'), { numRuns: 60, seed })
        for (const schema of [table, table.insertSchema, table.replaceSchema, table.updateSchema, table.keySchema]) {
          const isValid = judge(schema)
          for (const value of values) {
            const expected = isValid(value)
            verdicts[expected ? 'valid' : 'invalid'] += 1
            const result = schema.validate(value)
            const shown = `${schema.name} of ${JSON.stringify(value)}\n${JSON.stringify(result)}\n${text}`
            if (result.ok !== expected) expect.fail(`Ajv says ${expected}: ${shown}`)
          }
        }
      }),
      { numRuns: heavy(1000) },
    )
    // A property that only ever saw one verdict would prove nothing.
    expect(verdicts.valid).toBeGreaterThan(verdicts.invalid / 50)
    expect(verdicts.invalid).toBeGreaterThan(verdicts.valid / 50)
  }, 300_000)

  it('agree with Ajv for types that are not tables', async () => {
    const text = `interface Cat { meows: boolean }
interface Dog { barks: boolean, name?: string.required }
type Pet = Cat | Dog
type Ids = number.int[]
interface Owner {
  pet: Pet
  pets?: Pet[]
  @expect.maxLength 2
  ids: Ids
  maybe: Cat | null
  any: string | number[] | { x: string } | null
  @expect.minLength 2
  word: 'a' | 'bb' | string.email
  toString: string
  constructor?: number
}`
    const { models } = compile([{ path: 'schema.portico', text }])
    const module = await loadSchema(text)
    for (const name of ['Pet', 'Ids', 'Owner']) {
      const schema = module[name]!
      const isValid = judge(schema)
      for (const value of fc.sample(valuesOf(models[0]!, name), { numRuns: heavy(10_000), seed: 7 })) {
        if (schema.validate(value).ok !== isValid(value)) expect.fail(`${name}: ${JSON.stringify(value)}`)
      }
    }
  }, 60_000)
})
