import { format, parse } from '@portico/schema'
import { describe, expect, it } from 'vitest'
import { heavy } from '../../../test/support/heavy.ts'
import { Random } from './support/random.ts'
import { randomSchema } from './support/random-schema.ts'
import { listSamples, readSample } from './support/samples.ts'

function formatted(text: string): string {
  const result = format(text)
  if (result.text === undefined) throw new Error(`does not parse: ${result.diagnostics[0]?.message}\n${text}`)
  return result.text
}

/** The syntax tree without positions. */
function meaningOf(text: string): unknown {
  const { imports, declarations } = parse(text).syntax
  return JSON.parse(JSON.stringify({ imports, declarations }, (key, value) => (key === 'span' ? undefined : value)))
}

/** The comments of a text, their lines trimmed: the formatter may indent them, and nothing else. */
function commentsOf(text: string): string[] {
  const found = text.match(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g) ?? []
  const comments = found.filter((it) => it.startsWith('/'))
  return comments.map((it) =>
    it
      .split(/\r?\n/)
      .map((line) => line.trim())
      .join('\n'),
  )
}

function expectFormatted(text: string): void {
  const once = formatted(text)
  expect(formatted(once)).toBe(once)
  expect(meaningOf(once)).toEqual(meaningOf(text))
  expect(commentsOf(once)).toEqual(commentsOf(text))
}

describe('format', () => {
  it('is idempotent, keeps the meaning and every comment of each sample', () => {
    const texts = listSamples()
      .flatMap(readSample)
      .map((it) => it.text)
    const parsing = texts.filter((text) => format(text).text !== undefined)
    expect(parsing.length).toBeGreaterThan(60)
    for (const text of parsing) expectFormatted(text)
  })

  it('is idempotent, keeps the meaning and every comment of generated schemas', () => {
    for (let seed = 0; seed < heavy(10_000); seed++) {
      const text = randomSchema(new Random(seed))
      try {
        expectFormatted(text)
      } catch (error) {
        throw new Error(`seed ${seed}:\n${text}`, { cause: error })
      }
    }
  }, 300_000)

  it('does not change a text with syntax errors and reports them', () => {
    const result = format('interface A {', 'a.portico')
    expect(result.text).toBeUndefined()
    expect(result.diagnostics.map((it) => [it.code, it.path])).toEqual([['missing_brace', 'a.portico']])
  })

  it('uses single quotes unless that needs escapes', () => {
    expect(formatted(`type A = "a" | "it's" | 'say "so"' | 'both \\' and "'`)).toBe(
      `type A = 'a' | "it's" | 'say "so"' | 'both \\' and "'\n`,
    )
  })

  it('keeps an object on one line if it fits, and breaks it otherwise', () => {
    expect(formatted('interface A { a: {b:string,} }')).toBe('interface A {\n  a: { b: string }\n}\n')
    const wide = Array.from({ length: 12 }, (_, index) => `field${index}: string`).join(', ')
    expect(formatted(`type A = { ${wide} }`).split('\n')).toHaveLength(15)
  })

  it('formats an empty or blank file to nothing', () => {
    expect(formatted('')).toBe('')
    expect(formatted(' \n\n\t')).toBe('')
  })

  it('keeps a file that has only comments', () => {
    expect(formatted('\n// a\n\n\n/* b */')).toBe('// a\n\n/* b */\n')
  })
})
