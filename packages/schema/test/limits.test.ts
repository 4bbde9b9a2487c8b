import { compile, format, parse } from '@portico/schema'
import { describe, expect, it } from 'vitest'

function codesOf(text: string): string[] {
  return [...new Set(compile([{ path: 'schema.portico', text }]).diagnostics.map((it) => it.code))]
}

function chain(length: number, link: (index: number) => string): string {
  return Array.from({ length }, (_, index) => link(index)).join('\n')
}

describe('deep nesting', () => {
  const levels = 10_000

  it('refuses objects nested 10,000 levels deep with one error', () => {
    const text = `type A = ${'{ a: '.repeat(levels)}string${' }'.repeat(levels)}`
    expect(compile([{ path: 'a', text }]).diagnostics.map((it) => it.code)).toEqual(['nesting_too_deep'])
    expect(format(text).text).toBeUndefined()
  })

  it('refuses parentheses nested 10,000 levels deep with one error', () => {
    expect(codesOf(`type A = ${'('.repeat(levels)}string${')'.repeat(levels)}`)).toEqual(['nesting_too_deep'])
  })

  it('refuses arrays nested 10,000 levels deep with one error', () => {
    expect(codesOf(`type A = string${'[]'.repeat(levels)}`)).toEqual(['nesting_too_deep'])
  })

  it('handles 10,000 unclosed brackets of every kind', () => {
    for (const open of ['{ a: ', '(', '[', 'a: {', '@a.b (', '{ @x ']) {
      expect(codesOf(`interface A { b: ${open.repeat(levels)}`)).not.toEqual([])
    }
  })

  it('refuses types that nest too deep through names, in either order', () => {
    const down = chain(levels, (index) => `interface T${index} { a: T${index + 1}[] }`)
    expect(codesOf(`${down}\ninterface T${levels} { a: string }`)).toEqual(['nesting_too_deep'])
    const up = chain(levels, (index) => `interface T${index + 1} { a: T${index}[] }`)
    expect(codesOf(`interface T0 { a: string }\n${up}`)).toEqual(['nesting_too_deep'])
  })

  it('refuses a chain of 10,000 interfaces that extend each other', () => {
    const text = chain(levels, (index) => `interface T${index} extends T${index + 1} {}`)
    expect(codesOf(`${text}\ninterface T${levels} { a: string }`)).toEqual(['nesting_too_deep'])
  })

  it('refuses a chain of 10,000 aliases', () => {
    expect(codesOf(`${chain(levels, (index) => `type T${index} = T${index + 1}`)}\ntype T${levels} = string`)).toEqual([
      'nesting_too_deep',
    ])
  })

  it('follows a chain of 10,000 field references', () => {
    const text = chain(levels, (index) => `interface T${index} { a: T${index + 1}.a }`)
    expect(codesOf(`${text}\ninterface T${levels} { a: string }`)).toEqual([])
  })

  it('finds a cycle of 10,000 types', () => {
    const text = chain(levels, (index) => `interface T${index} { a: T${(index + 1) % levels}.a }`)
    expect(codesOf(text)).toEqual(['type_cycle'])
  })

  it('allows the maximum depth and formats it', () => {
    const text = `type A = ${'{ a: '.repeat(99)}string${' }'.repeat(99)}\n`
    expect(codesOf(text)).toEqual([])
    expect(format(text).text).toContain('string')
  })

  it('does not multiply types that are used twice on each of many levels', () => {
    const doubled = chain(60, (index) => `interface T${index + 1} { a: T${index}, b: T${index} }`)
    const types = `interface T0 { a: string }\n${doubled}`
    expect(compile([{ path: 'a', text: types }]).modules[0]!.code.length).toBeLessThan(2_000_000)
    const table = (type: string): string => `@db.table\ninterface Table {\n  @meta.id\n  id: number\n  x?: ${type}\n}`
    expect(codesOf(`${types}\n${table('T12')}`)).toEqual(['too_many_columns'])
    expect(codesOf(`${types}\n${table('T60')}`)).not.toEqual([])
    expect(codesOf(`${types}\n${table('T60[]')}`)).toEqual([])
  })
})

describe('unions of unions', () => {
  const doubled = (count: number): string =>
    chain(count, (index) => `type A${index + 1} = A${index} | B${index}\ntype B${index + 1} = B${index} | A${index}`)
  const table = (fields: string): string => `@db.table\ninterface Table {\n  @meta.id\n  id: number\n${fields}\n}`

  it('refuses unions that double with each name', () => {
    expect(codesOf(`type A0 = 'a'\ntype B0 = 'b'\n${doubled(90)}\n${table('  x: A90')}`)).toEqual(['union_too_wide'])
  })

  it('refuses unions that double with each field reference', () => {
    const link = (index: number): string => `interface T${index + 1} { a: T${index}.a | T${index}.b, b: T${index}.a[] }`
    expect(codesOf(`interface T0 { a: string, b: number }\n${chain(90, link)}`)).toEqual(['union_too_wide'])
  })

  it('allows a long list of values', () => {
    const values = chain(5000, (index) => `  | 'v${index}'`)
    expect(codesOf(`type A =\n${values}\n${table('  x: A\n  y: A | null')}`)).toEqual([])
  })
})

describe('previous names', () => {
  it('refuses too many of them, even if each level adds only a few', () => {
    const renamed = chain(100, (index) => `@db.column.renamed 'old${index}'`)
    const nested = `${renamed}\na?: {\n`.repeat(4)
    const text = `@db.table\ninterface T {\n@meta.id\nid: number\n${nested}b: string\n${'}\n'.repeat(4)}}`
    expect(compile([{ path: 'a', text }]).diagnostics.map((it) => it.code)).toEqual(['too_many_previous_names'])
  })
})

describe('many unknown names', () => {
  const declare = (count: number, type: (index: number) => string): string =>
    chain(count, (index) => `export interface Account${index} { a: ${type(index)} }`)
  const importing = (count: number): string =>
    `import {\n${chain(count, (index) => `Acount${index}x,`)}\n} from './known'`

  it.each<[string, string, (count: number) => readonly string[]]>([
    ['types', 'unknown_name', (count) => [declare(count, (index) => `Acount${index}x`)]],
    ['imports', 'unknown_import', (count) => [importing(count), declare(count, () => 'string')]],
  ])(
    'of %s are compared with the known ones only as long as the answer is shown',
    (_, code, write) => {
      const comparisons = (count: number): number => {
        const [text = '', known = ''] = write(count)
        // Both names are put into lower case before they are compared.
        const original = Object.getOwnPropertyDescriptor(String.prototype, 'toLowerCase')!
        const toLowerCase = original.value as (this: string) => string
        let calls = 0
        Object.assign(String.prototype, {
          toLowerCase(this: string) {
            calls += 1
            return toLowerCase.call(this)
          },
        })
        const sources = [
          { path: 'schema.portico', text },
          { path: 'known.portico', text: known },
        ]
        let compiled: ReturnType<typeof compile>
        try {
          compiled = compile(sources)
        } finally {
          Object.defineProperty(String.prototype, 'toLowerCase', original)
        }
        expect(new Set(compiled.diagnostics.map((it) => it.code))).toEqual(new Set([code, 'too_many_problems']))
        return calls
      }
      const few = comparisons(600)
      expect(few).toBeGreaterThan(600)
      expect(comparisons(1200) / few).toBeLessThan(3)
    },
    60_000,
  )
})

describe('big files', () => {
  it('handles a file of 5 MB', () => {
    const words = 'Words about this thing, as people write them. '.repeat(12)
    const one = (index: number): string =>
      `/** ${words} */\ninterface Thing${index} {\n  id: number\n  name: string\n}\n`
    let text = ''
    for (let index = 0; text.length < 5_000_000; index++) text += one(index)
    const { failed, modules } = compile([{ path: 'a', text }])
    expect(failed).toBe(false)
    expect(modules[0]!.code.length).toBeGreaterThan(5_000_000)
  }, 60_000)

  it('handles 5 MB of garbage and limits the number of problems', () => {
    const { diagnostics } = compile([{ path: 'a', text: "} @ # { type : 12x ' = \n".repeat(220_000) }])
    expect(diagnostics.length).toBeGreaterThan(100)
    expect(diagnostics.length).toBeLessThan(1100)
  }, 60_000)

  it('handles a single line of 1 MB', () => {
    const fields = Array.from({ length: 50_000 }, (_, index) => `field${index}: boolean`).join(', ')
    const text = `interface Wide { ${fields} }`
    expect(text.length).toBeGreaterThan(1_000_000)
    expect(compile([{ path: 'a', text }]).failed).toBe(false)
    expect(format(text).text!.split('\n').length).toBeGreaterThan(50_000)
  }, 60_000)

  it('handles a meaningless line of 1 MB, and a single name, string and comment of that length', () => {
    const million = 'a'.repeat(1_000_000)
    for (const text of [
      '@'.repeat(1_000_000),
      '/* */'.repeat(200_000),
      million,
      `type A = '${million}'`,
      `/* ${million}`,
    ]) {
      expect(() => compile([{ path: 'a', text }])).not.toThrow()
    }
  }, 60_000)
})

describe('the number of steps of the parser', () => {
  const sources: Record<string, (count: number) => string> = {
    'a well-formed schema': (count) =>
      chain(count, (i) => `@db.table\nexport interface T${i} {\n  a: string[]\n  @meta.id b: { c: 'x' | 2 }\n}`),
    'a schema full of mistakes': (count) =>
      chain(count, (i) => `interface T${i} {\n  a string\n  : b\n  @x.y (\n c: | ]\n`),
    'nothing but opening brackets': (count) => '{ a: ( ['.repeat(count),
    'nothing but closing brackets': (count) => '} ) ]'.repeat(count),
    'annotations without end': (count) => '@a.b x, '.repeat(count),
    'words without sense': (count) => 'export type import from '.repeat(count),
  }
  for (const [name, make] of Object.entries(sources)) {
    it(`grows linearly with ${name}`, () => {
      const [small, large] = [make(500), make(5000)].map((text) => parse(text).steps) as [number, number]
      expect(large / small).toBeLessThan(11)
    })
  }
})
