import { readYaml, writeYaml } from '@portico/spec'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { heavy } from '../../../test/support/heavy.ts'

const tricky = ['yes', 'NO', '~', '1e3', '0x1f', '.5', '-', '- a', '? b', ': c', 'a: b', 'a #b', '#', '', ' a', 'a ', '|', '>-',
  '"', "'", '{}', '[a]', '*a', '&a', '!a', '%a', '@a', '`a`', '2030-01-01', '12:30', 'null', 'a\nb', 'a\n', '\na', ' a\nb', 'a\n  b\n\nc',
  'a\tb', '\u2028', '\u0085', '\ufeff', 'a\r\nb', '<<', '=', '---', '...', 'a:', '$ref', '/a/{b}', '__proto__', 'on', 'Off', '1_000', '+1', '0o7', '.inf'] // biome-ignore format: a list
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc.constantFrom(...tricky),
  fc.string({ unit: fc.constantFrom('a', ' ', '\n', ':', '#', '-', '\t', "'") }),
)
const key = fc.oneof(fc.string(), fc.constantFrom(...tricky)).filter((it) => it !== '__proto__')
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((it) => it + 0 || 0),
    text,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))

describe('writeYaml', () => {
  it('a YAML parser reads the same data', () => {
    fc.assert(
      fc.property(value, (it) => {
        expect(parse(writeYaml(it))).toEqual(it)
      }),
      { numRuns: heavy(10_000) },
    )
  })

  it.each(tricky)('%j comes back as text, for readers of YAML 1.1 too', (it) => {
    expect(parse(writeYaml({ [it === '__proto__' ? 'a' : it]: it, list: [it] }), { version: '1.1' })).toEqual({
      [it === '__proto__' ? 'a' : it]: it,
      list: [it],
    })
  })

  it('writes what JSON would: dates are texts', () => {
    expect(parse(writeYaml({ a: [new Date(0)] }))).toEqual({ a: ['1970-01-01T00:00:00.000Z'] })
  })

  it('is pleasant to read', () => {
    expect(
      writeYaml({
        openapi: '3.1.0',
        paths: { '/a/{id}': { get: { tags: ['a'], summary: 'Read it, now' } } },
        text: 'One.\n\nTwo.',
      }),
    ).toBe(
      `openapi: "3.1.0"
paths:
  /a/{id}:
    get:
      tags:
        - a
      summary: Read it, now
text: |-
  One.

  Two.
`,
    )
  })
})

describe('readYaml', () => {
  it('reads the same data that was written', () => {
    fc.assert(
      fc.property(value, (it) => {
        expect(readYaml(writeYaml(it))).toEqual(it)
      }),
      { numRuns: heavy(10_000) },
    )
  })

  it.each(tricky)('%j comes back as text, as a key too', (it) => {
    const data = { [it === '__proto__' ? 'a' : it]: it, list: [it, [it], { b: it }] }
    expect(readYaml(writeYaml(data))).toEqual(data)
    expect(readYaml(writeYaml(data).replaceAll('\n', '\r\n'))).toEqual(data)
  })

  it('keeps a key that every object has', () => {
    expect(Object.keys(readYaml('"__proto__": 1\na: 2\n') as object)).toEqual(['__proto__', 'a'])
  })

  it.each([
    ['a comment', 'a: 1\n# b\n', 2],
    ['a comment behind a value', 'a: b # c\n', 1],
    ['an anchor', 'a: &b 1\n', 1],
    ['a flow', 'a: [b, c]\n', 1],
    ['single quotes', "a: 'b'\n", 1],
    ['a folded text', 'a: >-\n  b\n', 1],
    ['a line that goes on', 'a: b\n  c\n', 2],
    ['a key twice', 'a: 1\na: 2\n', 2],
    ['a key without a value', 'a:\nb: 1\n', 2],
    ['another indentation', 'a:\n    b: 1\n', 2],
    ['a list that is not indented', 'a:\n- b\n', 2],
    ['a second document', 'a: 1\n---\nb: 2\n', 2],
    ['nothing at all', '', 1],
    ['quotes that do not end', 'a: "b\n', 1],
  ])('refuses %s, and names the line', (_, text, line) => {
    const refusal = expect.objectContaining({
      name: 'SpecError',
      code: 'YAML_UNKNOWN',
      message: expect.stringContaining(`line ${line} `),
    })
    expect(() => readYaml(text)).toThrow(refusal)
  })
})
