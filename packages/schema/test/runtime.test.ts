import {
  type AnyTable,
  assertFormat,
  FORMAT_VERSION,
  isDate,
  isDateTime,
  isEmail,
  isUrl,
  isUuid,
  type Schema,
  SchemaFormatError,
} from '@portico/schema/runtime'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadSchema, type ModuleValues } from './support/load-module.ts'

const text = `
interface Address { city: string.required, zip?: string }

@db.table 'users'
@db.schema 'auth'
@db.table.renamed 'people'
interface User {
  @meta.id
  @db.default.increment
  id: number
  @db.column 'mail'
  @db.column.renamed 'e_mail'
  @db.index.unique
  email: string.email
  @db.default 'member'
  role: 'admin' | 'member'
  @db.column.precision 6, 2
  balance: decimal
  address: Address
  work?: Address
  past: Address[]
  @db.rel.FK
  @db.rel.onDelete 'setNull'
  leadId?: User.id
  @db.rel.to
  lead?: User
  @db.column.version
  version: number.int
  createdAt: number.timestamp.created
  @db.writeOnly
  secret: string | null
  @db.ignore
  note?: string
}

@db.table
interface Pair {
  @meta.id
  a: number
  @meta.id
  b: string
}`

let module: ModuleValues
let user: AnyTable

beforeAll(async () => {
  module = await loadSchema(text)
  user = module['User'] as AnyTable
})

const insert = { email: 'a@b.c', balance: '1.50', address: { city: 'Bern' }, past: [], secret: null }
const record = { ...insert, id: 1, role: 'admin', version: 1, createdAt: 0 }

function problems(schema: Schema<unknown>, value: unknown): string[] {
  const result = schema.validate(value)
  return result.ok ? [] : result.issues.map((it) => `${it.path.join('.')} ${it.code}`)
}

describe('the storage model of a table', () => {
  it('has names, key, indexes, foreign keys and relations', () => {
    expect(user).toMatchObject({
      kind: 'table',
      name: 'User',
      table: 'users',
      schema: 'auth',
      renamedFrom: ['people'],
      key: ['id'],
      ignored: ['note'],
    })
    expect(user.indexes).toEqual([
      { name: 'users__mail', unique: true, columns: [{ path: 'email', column: 'mail', order: 'asc' }] },
    ])
    const references = { declaration: 'User', table: 'users', schema: 'auth', paths: ['id'], columns: ['id'] }
    expect(user.foreignKeys).toEqual([
      {
        name: 'leadId',
        constraint: 'users__leadId__fk',
        paths: ['leadId'],
        columns: ['leadId'],
        references,
        onDelete: 'setNull',
        onUpdate: 'restrict',
      },
    ])
    expect(user.relations).toMatchObject([
      { name: 'lead', kind: 'to', target: 'User', many: false, on: [{ here: 'leadId', there: 'id' }] },
    ])
    expect(user.relations[0]!.table()).toBe(user)
  })

  it('has a complete column for every stored value', () => {
    const usual = { integer: false, nullable: false, optional: false, key: false, writeOnly: false, renamedFrom: [] }
    const byPath = Object.fromEntries(user.columns.map((it) => [it.path, it]))
    expect(byPath['id']).toEqual({
      ...usual,
      path: 'id',
      name: 'id',
      type: 'number',
      storage: 'integer',
      integer: true,
      key: true,
      default: { kind: 'increment', start: 1 },
    })
    expect(byPath['email']).toEqual({
      ...usual,
      path: 'email',
      name: 'mail',
      type: 'string',
      storage: 'text',
      subtype: 'email',
      renamedFrom: ['e_mail'],
    })
    expect(byPath['leadId']).toMatchObject({ storage: 'integer', nullable: true, optional: true })
    expect(byPath['version']).toMatchObject({ storage: 'real', integer: true, generated: 'version' })
    expect(byPath['balance']).toMatchObject({ type: 'decimal', precision: { precision: 6, scale: 2 } })
    expect(byPath['secret']).toMatchObject({ nullable: true, optional: false, writeOnly: true })
    expect(byPath['past']).toMatchObject({ type: 'json', shape: 'array' })
    expect(byPath['work.city']).toMatchObject({ name: 'work__city', nullable: true, optional: false })
    expect(Object.keys(byPath)).not.toContain('note')
    expect(Object.keys(byPath)).not.toContain('lead')
    expect(user.groups).toEqual([
      { path: 'address', optional: false },
      { path: 'work', optional: true, presence: 'work__city' },
    ])
  })

  it('is deeply frozen', () => {
    for (const part of [
      user,
      user.columns,
      user.columns[0]!,
      user.jsonSchema,
      user.insertSchema,
      user.insertSchema.jsonSchema,
    ]) {
      expect(Object.isFrozen(part)).toBe(true)
    }
  })
})

describe('validation', () => {
  it('accepts a record with and without navigation fields, but none with missing fields', () => {
    expect(problems(user, record)).toEqual([])
    expect(problems(user, { ...record, lead: {} })).toEqual([])
    expect(problems(user, { ...record, lead: 1 })).toEqual(['lead type'])
    expect(problems(user, insert)).toEqual(['id required', 'role required', 'version required', 'createdAt required'])
    expect(problems(user, { ...record, leadId: null })).toEqual(['leadId type'])
  })

  it('lets an insert omit generated fields, and accepts null for optional ones', () => {
    expect(problems(user.insertSchema, insert)).toEqual([])
    expect(
      problems(user.insertSchema, { ...insert, leadId: null, work: null, address: { city: 'x', zip: null } }),
    ).toEqual([])
    expect(problems(user.insertSchema, { ...insert, past: [{ city: 'x', zip: null }] })).toEqual(['past.0.zip type'])
    expect(problems(user.insertSchema, { ...insert, email: null })).toEqual(['email type'])
    expect(problems(user.insertSchema, { ...insert, lead: {} })).toEqual(['lead additionalProperties'])
  })

  it('requires all fields of a replacement except generated ones', () => {
    const { version, createdAt, ...replacement } = record
    expect([version, createdAt]).toEqual([1, 0])
    expect(problems(user.replaceSchema, replacement)).toEqual([])
    expect(problems(user.replaceSchema, insert)).toEqual(['id required', 'role required'])
  })

  it('requires only the key of an update, and complete nested objects', () => {
    expect(problems(user.updateSchema, { id: 1 })).toEqual([])
    expect(problems(user.updateSchema, { id: 1, work: null, note: null })).toEqual([])
    expect(problems(user.updateSchema, { role: 'admin' })).toEqual(['id required'])
    expect(problems(user.updateSchema, { id: 1, address: { zip: 'x' } })).toEqual(['address.city required'])
    expect(problems(user.updateSchema, { id: 1, role: null })).toEqual(['role type'])
  })

  it('accepts only a complete key without other fields', () => {
    const { keySchema } = module['Pair'] as AnyTable
    expect(problems(keySchema, { a: 1, b: 'x' })).toEqual([])
    expect(problems(keySchema, { a: 1 })).toEqual(['b required'])
    expect(problems(user.keySchema, { id: 1, role: 'admin', nope: 1 })).toEqual([
      'nope additionalProperties',
      'role additionalProperties',
    ])
    expect(problems(keySchema, 1)).toEqual([' type'])
  })

  it('accepts only whole numbers for a number key and its references', () => {
    for (const wrong of [1.5, 2 ** 53, '1', Number.NaN]) {
      expect(problems(user, { ...record, id: wrong })).toEqual(['id type'])
      expect(problems(user, { ...record, leadId: wrong })).toEqual(['leadId type'])
    }
  })

  it('enforces the precision of decimals', () => {
    for (const right of ['0', '-1.5', '9999.99', '0.01'])
      expect(problems(user, { ...record, balance: right })).toEqual([])
    for (const wrong of [1.5, '10000', '1.001', '1.500', '01', '1.', '.5', '1e2', '']) {
      expect(problems(user, { ...record, balance: wrong })).toEqual(['balance type'])
    }
  })

  it('rejects unknown fields, including prototype pollution', () => {
    const poisoned = JSON.parse(
      JSON.stringify(insert).replace('{', '{"__proto__":{"id":1},"constructor":1,'),
    ) as unknown
    expect(problems(user.insertSchema, poisoned)).toEqual([
      '__proto__ additionalProperties',
      'constructor additionalProperties',
    ])
    expect(problems(user.insertSchema, { ...insert, toString: 1 })).toEqual(['toString additionalProperties'])
  })

  it('does not treat members of Object.prototype as fields', async () => {
    const { Odd } = await loadSchema('interface Odd { toString: string, constructor?: string }')
    expect(problems(Odd!, {})).toEqual(['toString required'])
    expect(problems(Odd!, { toString: 'x' })).toEqual([])
  })

  it('rejects inherited fields', () => {
    expect(problems(user, Object.create(record))).toEqual([' type'])
    expect(problems(user, Object.assign(Object.create({ role: 'admin' }), record))).toEqual([' type'])
    expect(problems(user, Object.create(Object.create(record)))).toEqual([' type'])
    expect(problems(user, { ...record, address: Object.create({ city: 'Bern' }) })).toEqual(['address type'])
    const { id, ...rest } = record
    expect(problems(user.updateSchema, Object.assign(Object.create({ id }), rest))).toEqual([' type'])
  })

  it('accepts objects without a prototype and class instances', () => {
    class Account {
      constructor(fields: object) {
        Object.assign(this, fields)
      }
      describe(): string {
        return 'an account'
      }
    }
    class Admin extends Account {}
    for (const right of [Object.assign(Object.create(null), record), new Account(record), new Admin(record)])
      expect(problems(user, right)).toEqual([])
  })

  it('uses custom messages of the schema', async () => {
    const { A } = await loadSchema(`interface A {
  @expect.max 3, "That's too many"
  a: number
  @expect.minLength 2
  b: string
}`)
    expect(A!.validate({ a: 4, b: '😀' })).toEqual({
      ok: false,
      issues: [
        { path: ['a'], code: 'maximum', message: "That's too many" },
        { path: ['b'], code: 'minLength', message: 'expected a length of at least 2' },
      ],
    })
  })

  it('lists alternatives with commas if needed', async () => {
    const { A } = await loadSchema(
      'interface A { a: string | number | boolean, b: string | number, c: boolean | string }',
    )
    const result = A!.validate({ a: {}, b: {}, c: {} })
    expect(result.ok ? [] : result.issues.map((it) => it.message)).toEqual([
      'expected text, a number, or true or false',
      'expected text or a number',
      'expected true or false, or text',
    ])
  })

  it('rejects everything but objects for an object type', () => {
    for (const wrong of [null, undefined, 1, 'x', [], true, () => record])
      expect(problems(user, wrong)).toEqual([' type'])
  })
})

describe('Standard Schema', () => {
  it('is implemented in version 1 by every schema', async () => {
    const standard: StandardSchemaV1 = user
    const insertStandard: StandardSchemaV1<unknown, unknown> = user.insertSchema
    for (const schema of [standard, insertStandard]) {
      const { version, vendor, validate } = schema['~standard']
      expect([version, vendor]).toEqual([1, 'portico'])
      const bad = await validate({})
      expect(bad.issues?.length).toBeGreaterThan(0)
      for (const issue of bad.issues ?? []) {
        expect(typeof issue.message).toBe('string')
        expect(Array.isArray(issue.path)).toBe(true)
      }
    }
    const good = await standard['~standard'].validate(record)
    expect(good).toEqual({ value: record })
  })
})

describe('the format of generated modules', () => {
  it('is accepted if it is current', () => {
    expect(() => assertFormat(FORMAT_VERSION, 'users.portico.ts')).not.toThrow()
  })

  it('throws an error with a fix if it is older or newer', () => {
    expect(() => assertFormat(0, 'users.portico.ts')).toThrow(
      new SchemaFormatError(
        'users.portico.ts was generated in format 0, but this version of @portico/schema supports format 1: run `portico generate` again',
      ),
    )
    expect(() => assertFormat(2, 'users.portico.ts')).toThrow(/update @portico\/schema/)
  })
})

describe('formats', () => {
  const cases: [name: string, test: (value: unknown) => boolean, right: unknown[], wrong: unknown[]][] = [
    [
      'e-mail',
      isEmail,
      ['a@b.co', "o'neil+x@sub.example.org"],
      ['a', 'a@b', '@b.co', 'a@', 'a b@c.de', 'a..b@c.de', 'a@-b.co', 'a@b..co', 1, null],
    ],
    ['UUID', isUuid, ['0190b6a0-7e1c-7000-8000-0123456789AB'], ['0190b6a07e1c70008000000000000000', 'x', 1]],
    [
      'URL',
      isUrl,
      ['https://example.com/a?b=c#d', 'HTTP://[::1]:80/', 'http://a/%20'],
      ['ftp://a.b', 'javascript:alert(1)', 'http://', 'http://a b', 'http://a/%2', '//a.b', 1],
    ],
    [
      'date',
      isDate,
      ['2024-02-29', '2000-02-29', '0000-01-01'],
      ['2023-02-29', '1900-02-29', '2026-04-31', '2026-13-01', '2026-1-1', '2026-00-10', '2026-01-00', 1],
    ],
    [
      'moment',
      isDateTime,
      ['2026-01-01T00:00:00Z', '2026-01-01t23:59:59.123+05:30', '2016-12-31T23:59:60Z', '2017-01-01T00:59:60+01:00'],
      [
        '2026-01-01',
        '2026-01-01T24:00:00Z',
        '2026-01-01T00:60:00Z',
        '2026-01-01T00:00:00',
        '2026-01-01 00:00:00Z',
        '2016-12-31T22:59:60Z',
        '2026-01-01T00:00:00+24:00',
        1,
      ],
    ],
  ]
  for (const [name, test, right, wrong] of cases) {
    it(`accept a valid ${name} and reject invalid ones`, () => {
      expect(right.filter((value) => !test(value))).toEqual([])
      expect(wrong.filter((value) => test(value))).toEqual([])
    })
  }

  it('run in linear time', () => {
    // In quadratic time these would take minutes, far past the limit of a test.
    const long = 'a'.repeat(200_000)
    for (const attack of [
      `${long}@${long}`,
      `a@${'a-'.repeat(100_000)}!`,
      `http://${long} `,
      `${'a.'.repeat(100_000)}@b.c!`,
    ]) {
      expect([isEmail, isUrl, isUuid, isDate, isDateTime].some((test) => test(attack))).toBe(false)
    }
  })
})
