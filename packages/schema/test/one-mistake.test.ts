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
    "a: string = 'x'",
    'a: number = -1, b: string',
    'a: string[] = []',
    'a: boolean = isSet()',
    '[key: string]: number',
    '[key: string]: { a: string }, b: string',
    'a: { [key: string]: number }',
    "@meta.label 'broken\nin two'\n  z: string",
  ])('%s', (field) => {
    const codes = codesOf(around(field))
    expect(codes).toHaveLength(2)
    expect(codes[1]).toBe('unknown_name')
  })

  it.each([
    ['a comment without end swallows the brace', 'interface A {\n  a: string\n  /* open\n}\n', 'unterminated_comment'],
    ['an import without quotes', 'import { X } from ./x\n', 'unexpected'],
    ['a type parameter', 'interface G<T> { a: string }\n', 'stray_character'],
    ['an interface that has just been begun', 'interface {', 'unexpected'],
    ['a reserved name that is used', 'type object = string\ninterface A { a: object }\n', 'reserved_name'],
    ['a key with a reserved name', '@db.table\ninterface A {\n  @meta.id\n  __proto__: number\n}\n', 'reserved_name'],
  ])('%s', (_, text, code) => {
    expect(codesOf(text)).toEqual([code])
  })

  it.each([
    ['enumerations', 'enum A { a }\nenum B { b }\ninterface C { a: A, b: B }\n'],
    ['exported enumerations', 'export enum A { a }\nexport enum B { b }\n'],
    ['enumerations on one line', 'enum A { a } enum B { b }\n'],
    ['an enumeration and a class', 'enum A {\n  a = 1,\n  b\n}\nclass B { b: string }\ninterface C { b: B.b }\n'],
    ['functions', 'function f() { return { a: 1 } }\nfunction g() {}\n'],
  ])('two in a row are two errors: %s', (_, text) => {
    expect(codesOf(text)).toEqual(['expected_declaration', 'expected_declaration'])
  })

  it.each([
    ['fields behind a brace too many', 'interface A {\n  a: { b: string } }\n  c: { d: string }\n  e: string\n}\n'],
    ['a default import', "import A, { B } from './a'\ninterface C { a: A, b: B }\n"],
    ['lines of no meaning', 'what is this\nand that\n'],
  ])('text after a closing brace is not a second error: %s', (_, text) => {
    expect(codesOf(text)).toHaveLength(1)
  })

  it.each([
    ['the name it should have', 'interface {\n  a: string\n}\ninterface B {\n  a: A\n  b: A[]\n}\n', []],
    ['a base', 'interface {\n  a: string\n}\ninterface B extends A {\n  b: string\n}\n', []],
    [
      'a table to refer and navigate to',
      '@db.table\ninterface {\n  @meta.id\n  id: number\n}\n@db.table\ninterface B {\n  @meta.id\n  id: number\n  @db.rel.FK\n  aId: A.id\n  @db.rel.to\n  a?: A\n}\n',
      [],
    ],
    ['a table that refers to itself', 'interface {\n  up: A.id\n}\n', []],
    ['a name that is like another', 'interface {\n  a: string\n}\ninterface B {\n  a: A\n  b: strin\n}\n', ['strin']],
    ['one name more than it can have', 'interface {\n  a: string\n}\ninterface B {\n  a: A\n  b: Q\n}\n', ['Q']],
    ['a name inside it', 'interface {\n  a: Q\n}\ninterface B {\n  a: A\n}\n', ['Q']],
    ['a name inside a type', 'type =\n  Q | A\n', ['A']],
    ['as many names as there are declarations', 'interface {}\ntype = 3\ninterface B {\n  a: A\n  b: Q\n}\n', []],
    ['a type parameter', 'interface A<T> {\n  a: T\n}\ninterface B {\n  a: A\n  b: Q\n}\n', ['Q']],
  ])('a declaration without a name explains no more than %s', (_, text, unknown) => {
    const { diagnostics } = compile([{ path: 'a.portico', text }])
    const found = diagnostics.filter((it) => it.code === 'unknown_name')
    expect(found.map((it) => text.slice(it.span.start, it.span.end))).toEqual(unknown)
    const others = diagnostics.filter((it) => it.code !== 'unknown_name')
    expect(others).toHaveLength(text.match(/interface \{|type =|A</g)!.length)
  })

  it('a navigation to an unknown name is reported', () => {
    const text = '@db.table\ninterface Team {\n  @meta.id\n  id: number\n  @db.rel.to\n  up?: Taem\n}\n'
    const { diagnostics } = compile([{ path: 'a.portico', text }])
    expect(diagnostics.map((it) => [it.code, it.hint])).toEqual([['unknown_name', 'did you mean `Team`?']])
  })

  it('an import of a name whose declaration is broken is not a second error', () => {
    const { diagnostics } = compile([
      { path: 'a.portico', text: "import { class } from './b'\ninterface A { a: class }\n" },
      { path: 'b.portico', text: 'export interface class { b: string }\n' },
    ])
    expect(diagnostics.map((it) => [it.path, it.code])).toEqual([['b.portico', 'reserved_name']])
  })

  it('two mistakes on two lines are two errors', () => {
    expect(codesOf('interface A {\n  a: Array<string>\n  b: Map<string>\n}\n')).toHaveLength(2)
  })
})
