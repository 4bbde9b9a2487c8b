import { compile, messages, printDiagnostic, SourceFile } from '@portico/schema'
import { describe, expect, it } from 'vitest'
import { expectDiagnostic } from './support/expect-diagnostic.ts'

describe('one mistake is one error at its place', () => {
  it('for a stray character', () => {
    expectDiagnostic('interface A { user«-»name: string }', 'stray_character')
    expectDiagnostic('interface A { a: str«é»ng }', 'stray_character')
    expectDiagnostic('interface A { a: «%%%» }', 'stray_character')
    expectDiagnostic('@db.ta«#»ble\ninterface A { a: string }', 'stray_character')
  })

  it('for a broken string, comment or number', () => {
    expectDiagnostic("@meta.label «'abc»\ninterface A { a: string }", 'unterminated_string')
    expectDiagnostic('interface A { a: string }\n«/*» interface B {', 'unterminated_comment')
    expectDiagnostic('interface A { a: «1x» | 2 }', 'bad_number')
  })

  it('for a missing brace, however many objects are open', () => {
    expectDiagnostic('interface A { a: { b: { c: «{» d: string\n«interface» B { e: string }', 'missing_brace')
    expectDiagnostic('interface A «{»\n  a: string«»', 'missing_brace')
  })

  it('for a field without a colon, a type or a separator', () => {
    expectDiagnostic('interface A {\n  a «string»\n  b: number\n}', 'unexpected')
    expectDiagnostic('interface A {\n  a:«»\n  b: number\n}', 'unexpected')
    expectDiagnostic('interface A { a: string «b»: number }', 'missing_separator')
    expectDiagnostic('interface A { a: string «=» 3, b: number }', 'unexpected')
    expectDiagnostic('interface A { «:» string\n b: number }', 'unexpected')
  })

  it('for a field that cannot be parsed, not for references to it', () => {
    expectDiagnostic('interface A { «?» number }\ninterface B { c: A.id }', 'unexpected')
  })

  it('for a declaration that cannot be parsed, not for its uses', () => {
    expectDiagnostic('interface «{» a: string }\ninterface B { a: A }', 'unexpected')
    expectDiagnostic('interface A «a»: string\ninterface B { a: A }', 'unexpected')
  })

  it('for an import that cannot be parsed', () => {
    expectDiagnostic("import { A «from» './a'\ninterface B { a: A }", 'unexpected')
    expectDiagnostic("import «A» from './a'\ninterface B { a: A }", 'unexpected')
  })

  it('for a misspelled keyword', () => {
    expectDiagnostic('«inteface» A { a: string }\ninterface B { a: A }', 'expected_declaration')
  })

  it('for an unknown name, not for types that use it', () => {
    expectDiagnostic(
      'type A = «Nope»\ninterface B { a: A, b: A[] }\n@db.table\ninterface C {\n @meta.id\n id: number\n b: B\n}',
      'unknown_name',
    )
  })

  it('for a key field that is ignored, at both annotations', () => {
    expectDiagnostic('@db.table\ninterface A { «@db.ignore» «@meta.id» id: number }', 'ignored_key')
    expectDiagnostic('@db.table\ninterface A { «@meta.id» «@db.ignore» id: number }', 'ignored_key')
  })

  it('for a rejected key, not for foreign keys and navigation fields that need it', () => {
    const users =
      '@db.table\ninterface User {\n @meta.id\n id: number\n @db.rel.FK\n teamId: Team.id\n @db.rel.to\n team?: Team\n}'
    expectDiagnostic(`@db.table\ninterface Team {\n @meta.id\n «id»?: number\n}\n${users}`, 'bad_key')
  })

  it('for a rejected foreign key, not for navigation fields that follow it', () => {
    expectDiagnostic(
      '@db.table\ninterface Team {\n @meta.id\n id: number\n @db.rel.FK\n «upId»: number\n @db.rel.to\n up?: Team\n @db.rel.from\n downs?: Team[]\n}',
      'foreign_key_type',
    )
  })

  it('for an unknown base, not for the key and fields it would have', () => {
    expectDiagnostic('@db.table\ninterface A extends «Nope» { a: string }\ninterface B { id: A.id }', 'unknown_name')
  })

  it('for an annotation with a missing argument', () => {
    expectDiagnostic('@db.table\n«@db.schema»\ninterface A {\n @meta.id\n id: number\n}', 'missing_argument')
  })
})

describe('unsupported TypeScript and SQL syntax is one error', () => {
  it('for generic types', () => {
    expectDiagnostic('interface A { a: Array«<string>»\n b: string }', 'stray_character')
    expectDiagnostic('interface A { a: Map«<string, Map<string, number>>» | null, b: string }', 'stray_character')
    expectDiagnostic('interface A«<T>» { a: T }\ninterface B { a: A }', 'stray_character')
  })

  it('for intersection types', () => {
    expectDiagnostic('interface A { a: string }\ntype B = A «&» { b: string }\ninterface C { b: B }', 'stray_character')
  })

  it('for tuples, sizes and modifiers', () => {
    expectDiagnostic('interface A { a: «[»string, number]\n b: string }', 'unexpected')
    expectDiagnostic('interface A { a: decimal«(»10, 2), b: string }', 'unexpected')
    expectDiagnostic('interface A { a: varchar«(»80)\n b: string }', 'unexpected')
    expectDiagnostic('interface A { «readonly» a: string, readonly: string }\ninterface B { a: A.a }', 'unexpected')
  })

  it('for enums and classes, not for their uses', () => {
    expectDiagnostic('«enum» Role { admin, member }\ninterface A { role: Role }', 'expected_declaration')
    expectDiagnostic('«class» A { a: string }\ninterface B { a: A.a }', 'expected_declaration')
  })

  it('for a reserved name, not for its uses', () => {
    expectDiagnostic('interface «enum» { a: string }\ninterface B { e: enum }', 'reserved_name')
  })

  it('for a navigation field with a wrong argument, not for its type', () => {
    expectDiagnostic(
      "@db.table\ninterface A { @meta.id id: number\n @db.rel.via «'J'»\n others?: A[] }",
      'wrong_argument',
    )
  })

  it('for a key marked with an unknown annotation, not for a missing key', () => {
    for (const word of ['@id', '@db.id', '@db.primary', '@primaryKey']) {
      expectDiagnostic(`@db.table\ninterface A { «${word}» id: number }`, 'unknown_annotation')
    }
  })
})

describe('a hint says what to write instead', () => {
  it.each([
    ["a: string = 'x'", "write `@db.default 'x'` before the field"],
    ['a: string = "x"', "write `@db.default 'x'` before the field"],
    ['a?: number = -1.5', 'write `@db.default -1.5` before the field'],
    ['a: boolean = true', 'write `@db.default true` before the field'],
    ['a: string[] = []', 'write the default as an annotation before the field: `@db.default`'],
    [`a: string = '${'x'.repeat(80)}'`, 'write the default as an annotation before the field: `@db.default`'],
    [
      '[key: string]: number',
      'index signatures are not supported: name the fields, or write `@db.json` and `entries: { key: string, value: string }[]`',
    ],
  ])('%s', (field, hint) => {
    const { diagnostics } = compile([{ path: 'a.portico', text: `interface A {\n  ${field}\n}` }])
    expect(diagnostics.map((it) => [it.code, it.hint])).toEqual([['unexpected', hint]])
  })

  it('and the suggestion compiles', () => {
    const text =
      "interface A {\n  @db.default 'x'\n  a: string\n  @db.json\n  entries: { key: string, value: string }[]\n}"
    expect(compile([{ path: 'a.portico', text }]).diagnostics).toEqual([])
  })
})

describe('all mistakes of a file', () => {
  it('are reported in one run, in source order', () => {
    const text =
      "@db.tabel\ninterface A {\n  a: Nope\n  b string\n  @expect.min 'x'\n  c: number\n}\nwhat is this\ntype B = 'x"
    const codes = compile([{ path: 'a.portico', text }]).diagnostics.map((it) => it.code)
    expect(codes).toEqual([
      'unknown_annotation',
      'unknown_name',
      'unexpected',
      'wrong_argument',
      'expected_declaration',
      'unterminated_string',
    ])
  })

  it('are reported for every file, even if one cannot be parsed', () => {
    const { diagnostics, failed, modules } = compile([
      { path: 'a.portico', text: "import { B } from './b'\ninterface A { b: B, c: Nope }" },
      { path: 'b.portico', text: 'export interface B { b: }' },
    ])
    expect(diagnostics.map((it) => [it.path, it.code])).toEqual([
      ['a.portico', 'unknown_name'],
      ['b.portico', 'unexpected'],
    ])
    expect([failed, modules]).toEqual([true, []])
  })
})

describe('a printed diagnostic', () => {
  const text = `@db.tabel 'users'\ninterface A {}`
  const source = new SourceFile('app/users.portico', text)
  const [diagnostic] = compile([source]).diagnostics

  it('shows the place, the underlined line, the code and the hint', () => {
    expect(printDiagnostic(diagnostic!, { read: () => source })).toBe(
      [
        'app/users.portico:1:1 error: unknown annotation `@db.tabel` [unknown_annotation]',
        "  1 | @db.tabel 'users'",
        '    | ^^^^^^^^^',
        '  did you mean `@db.table`?',
      ].join('\n'),
    )
  })

  it('is colored only if colors are given', () => {
    const mark = (name: string) => (word: string) => `<${name}>${word}</${name}>`
    const colors = { error: mark('e'), warning: mark('w'), dim: mark('d') }
    expect(printDiagnostic(diagnostic!, { colors })).toContain('<e>error</e>')
    expect(printDiagnostic(diagnostic!)).not.toContain('\u001b')
  })

  it('shows a part of a very long line', () => {
    const words = (letter: string): string => Array.from({ length: 20_000 }, (_, i) => `'${letter}${i}'`).join(' | ')
    const long = new SourceFile('a.portico', `type A = ${words('x')} | Nope | ${words('y')}`)
    const found = compile([long]).diagnostics.find((it) => it.code === 'unknown_name')!
    const lines = printDiagnostic(found, { read: () => long }).split('\n')
    expect(Math.max(...lines.map((it) => it.length))).toBeLessThan(140)
    const at = lines[2]!.indexOf('^^^^')
    expect(lines[1]!.slice(at, at + 4)).toBe('Nope')
  })
})

describe('messages', () => {
  it('have snake_case codes and a description', () => {
    for (const [code, { about, severity }] of Object.entries(messages)) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
      expect(about).toMatch(/^[A-Z`].*\.$/)
      expect(['error', 'warning']).toContain(severity)
    }
  })
})
