import { compile } from '@portico/schema'
import { describe, expect, it } from 'vitest'

function codesOf(text: string): string[] {
  return compile([{ path: 'a.portico', text }]).diagnostics.map((it) => it.code)
}

/** A field in the middle of a table; the mistake in the last line must still be found. */
function around(field: string): string {
  return `@db.table 't'\ninterface T {\n  @meta.id\n  id: number\n  ${field}\n  after: string\n  last: strin\n}\n`
}

describe('one mistake gives one error, and hides no other', () => {
  it.each([
    'readonly n: string',
    'static a: string',
    'a b: string',
    'a',
    'a; string',
    'a => string',
    '1a: string',
    'a：string',
    'a: [string, number]',
    'a: Map<string, number>',
    'a: Array<string>',
    'a: `abc`',
    'a: -foo',
    'a: /^a$/',
    'a: keyof B',
    'a: string.',
    'a: null',
    "@meta.label 'broken\nin two'\n  z: string",
  ])('%s', (field) => {
    const codes = codesOf(around(field))
    expect(codes).toHaveLength(2)
    expect(codes[1]).toBe('unknown_name')
  })

  it.each([
    ['a comment without end swallows the brace', 'interface A {\n  a: string\n  /* open\n}\n', 'unterminated_comment'],
    ['an import of something that is no text', 'import { X } from ./x\n', 'unexpected'],
    ['a type parameter', 'interface G<T> { a: string }\n', 'stray_character'],
    ['a reserved name that is used', 'type object = string\ninterface A { a: object }\n', 'reserved_name'],
  ])('%s', (_, text, code) => {
    expect(codesOf(text)).toEqual([code])
  })

  it('two mistakes on two lines are two errors', () => {
    expect(codesOf('interface A {\n  a: Array<string>\n  b: Map<string>\n}\n')).toHaveLength(2)
  })
})
