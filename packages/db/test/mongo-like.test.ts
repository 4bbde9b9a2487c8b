/** `$like` and `$ilike` on MongoDB are regular expressions: they answer as SQL does, whatever the pattern. */
import { openDatabase } from '@portico/db'
import { mongo } from '@portico/db/mongo'
import { sqlite } from '@portico/db/sqlite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { heavy } from '../../../test/support/heavy.ts'
import { declareTable, integer, text } from './support/declare.ts'
import { hasFerret, hasMongo, useMongo } from './support/mongo-databases.ts'

const Line = declareTable('lines', [integer('id', { key: true }), text('text')])
const servers = [
  { kind: 'mongo', isThere: hasMongo },
  { kind: 'ferret', isThere: hasFerret },
] as const

const characters = ['a', 'a', 'b', 'A', '%', '_', '\\', '.', '*', ')', '\n', 'é', 'K', '🙂'] as const
const parts = [
  '%',
  '%',
  '_',
  'a',
  'a',
  'b',
  'A',
  '\\%',
  '\\_',
  '\\\\',
  '\\a',
  '.',
  '*',
  ')',
  '\n',
  'é',
  'K',
  '🙂',
] as const
const texts = fc.array(fc.string({ unit: fc.constantFrom(...characters), maxLength: 12 }), {
  minLength: 8,
  maxLength: 8,
})
const pattern = fc.string({ unit: fc.constantFrom(...parts), maxLength: 8 })

/** A reference implementation, character by character. */
function isLike(value: string, source: string, fold: boolean): boolean {
  const fitted = Array.from(fold ? foldAscii(value) : value)
  const pieces = Array.from((fold ? foldAscii(source) : source).matchAll(/\\([\s\S])|[\s\S]/gu))
  // Those beginnings of the text that fit the pattern so far.
  let ends = new Set([0])
  for (const [piece, escaped] of pieces) {
    const next = new Set<number>()
    for (const end of ends) {
      if (piece === '%') for (let at = end; at <= fitted.length; at++) next.add(at)
      else if (end < fitted.length && (piece === '_' || fitted[end] === (escaped ?? piece))) next.add(end + 1)
    }
    ends = next
  }
  return ends.has(fitted.length)
}

function foldAscii(value: string): string {
  return value.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

describe.each(servers)('patterns on $kind', ({ kind, isThere }) => {
  describe.skipIf(!isThere)('', () => {
    const databases = useMongo(kind)

    it('match the same texts as in SQL', { timeout: 600_000 }, async () => {
      await using db = await openDatabase(mongo({ url: databases.create() }))
      await using oracle = await openDatabase(sqlite({ file: ':memory:' }))
      for (const it of [db, oracle]) await it.sync([Line])
      const property = fc.asyncProperty(
        texts,
        fc.array(pattern, { minLength: 4, maxLength: 4 }),
        async (values, asked) => {
          for (const it of [db, oracle]) {
            await it.table(Line).deleteMany({})
            await it.table(Line).insertMany(values.map((value, id) => ({ id, text: value })))
          }
          for (const source of asked) {
            for (const fold of [false, true]) {
              const where = { text: { [fold ? '$ilike' : '$like']: source } } as never
              const expected = values.flatMap((value, id) => (isLike(value, source, fold) ? [id] : []))
              for (const it of [oracle, db]) {
                const found = await it.table(Line).findMany({ where, orderBy: { id: 'asc' } as never })
                expect(found.map(({ id }) => id)).toEqual(expected)
              }
            }
          }
        },
      )
      await fc.assert(property, { numRuns: heavy(400) })
    })
  })
})
