import type { Field, FileModel, Type } from '@portico/schema/model'
import fc from 'fast-check'

interface FieldText {
  readonly annotations: string
  readonly rest: string
}

const plain: readonly FieldText[] = [
  { annotations: '', rest: ': string' },
  { annotations: '', rest: ': string.email' },
  { annotations: '', rest: ': string.uuid' },
  { annotations: '', rest: ': string.url' },
  { annotations: '', rest: ': string.date' },
  { annotations: '', rest: ': string.datetime' },
  { annotations: '', rest: ': string.required' },
  { annotations: '', rest: ': number' },
  { annotations: '', rest: ': number.int' },
  { annotations: '', rest: ': boolean' },
  { annotations: '', rest: ': decimal' },
  { annotations: '  @db.column.precision 5, 2\n', rest: ': decimal' },
  { annotations: '  @db.column.precision 3, 3\n', rest: ': decimal' },
  { annotations: '  @expect.min -3\n  @expect.max 7.5\n', rest: ': number' },
  { annotations: '  @expect.int\n', rest: ': number' },
  { annotations: '  @expect.minLength 2\n  @expect.maxLength 4\n', rest: ': string' },
  { annotations: "  @expect.pattern '^[a-z😀]*$'\n", rest: ': string' },
  { annotations: '', rest: ": 'a' | 'b'" },
  { annotations: '', rest: ': 1 | 2.5 | 3' },
  { annotations: '', rest: ': true' },
  { annotations: '', rest: ': string | null' },
  { annotations: '  @expect.min 2\n', rest: ': number | null' },
  { annotations: '', rest: ': string[]' },
  { annotations: '  @expect.minLength 1\n  @expect.maxLength 2\n', rest: ': number[][]' },
  { annotations: '', rest: ': (string | number | null)[]' },
  { annotations: '', rest: ': { k: string, l?: number }[]' },
  { annotations: "  @db.default 'dark'\n", rest: ': string' },
  { annotations: '  @db.default 4\n', rest: ': number' },
]

const outer: readonly FieldText[] = [
  { annotations: '', rest: ': Inner' },
  { annotations: '', rest: '?: Inner' },
  { annotations: '', rest: ': Inner[]' },
  { annotations: '  @db.json\n', rest: ': Inner | string[] | null' },
  { annotations: '  @db.json\n', rest: '?: Inner' },
  { annotations: '  @db.json\n', rest: ': Choice' },
  { annotations: '', rest: ': { a: string, b?: { c: number, d?: string } }' },
  { annotations: '  @db.ignore\n', rest: ': number' },
  { annotations: '  @db.column.version\n', rest: ': number.int' },
  { annotations: '', rest: ': number.timestamp.created' },
  { annotations: '', rest: ': number.timestamp.updated' },
]

/** A field of the table (0), or of an object inside, where annotations about columns may not follow into JSON. */
function fieldText(level: 0 | 1): fc.Arbitrary<FieldText> {
  const choices = level === 0 ? [...plain, ...outer] : plain.filter((it) => !it.annotations.includes('@db'))
  const optional = fc.boolean().map((it) => it && level === 0)
  return fc.tuple(fc.constantFrom(...choices), optional).map(([text, makeOptional]) => {
    const canBe =
      makeOptional && text.rest.startsWith(': ') && !/null|version|timestamp|@db/.test(text.annotations + text.rest)
    return canBe && !text.rest.startsWith(': {') ? { ...text, rest: `?${text.rest}` } : text
  })
}

/** Schemas that compile: a table, and the types it is made of. */
export const schemas: fc.Arbitrary<string> = fc
  .tuple(fc.array(fieldText(0), { minLength: 1, maxLength: 8 }), fc.array(fieldText(1), { minLength: 1, maxLength: 4 }))
  .map(([all, inner]) => {
    // A table has one version column at most.
    const version = all.findIndex((it) => it.annotations.includes('version'))
    const fields = all.filter((it, index) => index === version || !it.annotations.includes('version'))
    const lines = (list: readonly FieldText[]): string =>
      list.map((it, index) => `${it.annotations}  f${index}${it.rest}`).join('\n')
    const table = `@db.table\ninterface Table {\n  @meta.id\n  @db.default.increment\n  id: number\n${lines(fields)}\n}`
    return `interface Inner {\n  always: boolean\n${lines(inner)}\n}\n\ntype Choice = 'x' | 'y' | 3\n\n${table}\n`
  })

/** Values of a declaration, most of them nearly right. */
export function valuesOf(model: FileModel, name: string): fc.Arbitrary<unknown> {
  const declaration = model.declarations.find((it) => it.name === name)!
  return fc.oneof({ weight: 20, arbitrary: valuesOfType(declaration.type) }, { weight: 1, arbitrary: junk })
}

const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, 0, 1.5, -1, '', 'a', '1', [], {}, 1e300, 2 ** 53, '1.50', Number.NaN),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
)

function valuesOfType(type: Type): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: rightValues(type) }, { weight: 1, arbitrary: junk })
}

const numbers = fc.oneof(fc.integer({ min: -10, max: 10 }), fc.double(), fc.maxSafeInteger())
const decimals = fc.oneof(
  fc.stringMatching(/^-?[0-9]{1,4}(\.[0-9]{1,4})?$/),
  fc.stringMatching(/^-?[0-9]{1,40}(\.[0-9]{0,12})?$/),
  fc.constantFrom('0', '-0', '0.1', '.5', '1.', '01', '+1', '1e3', ' 1'),
)
const moments = fc.oneof(
  fc.date({ noInvalidDate: true }).map((it) => it.toISOString()),
  fc.stringMatching(
    /^20[0-9]{2}-[01][0-9]-[0-3][0-9][Tt][0-2][0-9]:[0-6][0-9]:[0-6][0-9](\.[0-9]{1,3})?([Zz]|[+-][0-2][0-9]:[0-6][0-9])$/,
  ),
  fc.constantFrom('2016-12-31T23:59:60Z', '2016-12-31T22:59:60Z', '2017-01-01T00:59:60+01:00', '2026-01-01T00:00:00'),
)
const days = fc.oneof(
  fc.date({ noInvalidDate: true }).map((it) => it.toISOString().slice(0, 10)),
  fc.stringMatching(/^[0-9]{4}-[01][0-9]-[0-3][0-9]$/),
  fc.constantFrom('2024-02-29', '2023-02-29', '1900-02-29', '2000-02-29', '2026-04-31'),
)
const texts = {
  email: fc.oneof(
    fc.emailAddress(),
    fc.constantFrom('a@b', 'a@b.c', '@b.c', 'a b@c.d', 'a@b..c', 'a@-b.c', 'a.@b.c', 'a@b.c@d.e'),
  ),
  uuid: fc.oneof(fc.uuid(), fc.constant('not-a-uuid')),
  url: fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.constantFrom('http://', 'ftp://a.b', 'HTTPS://a.b/c', 'http://a b', 'https://[::1]:80/x'),
  ),
  date: days,
  datetime: moments,
  required: fc.string({ maxLength: 2 }),
}

function rightValues(type: Type): fc.Arbitrary<unknown> {
  switch (type.kind) {
    case 'string':
      return type.subtype ? texts[type.subtype] : fc.string({ unit: 'grapheme', maxLength: 6 })
    case 'number':
      return numbers
    case 'boolean':
      return fc.boolean()
    case 'decimal':
      return decimals
    case 'literal':
      return fc.constant(type.value)
    case 'union':
      return fc.oneof(...type.members.map(rightValues))
    case 'array':
      return fc.array(valuesOfType(type.element), { maxLength: 3 })
    case 'object':
      return objects(type.fields)
    case 'named':
      return rightValues(type.declaration.type)
    default:
      return fc.constant({})
  }
}

/** Objects with most of their fields, now and then with `null` or a field too many. */
function objects(fields: readonly Field[]): fc.Arbitrary<unknown> {
  const parts = fields.map((field) =>
    fc.tuple(fc.integer({ min: 0, max: 19 }), valuesOfType(field.type)).map(([dice, value]): [string, unknown][] => {
      if (dice === 0 || (dice < 8 && field.optional)) return []
      return [[field.name, dice === 1 ? null : value]]
    }),
  )
  const extra = fc.constantFrom<[string, unknown][]>(
    [],
    [],
    [],
    [],
    [],
    [],
    [],
    [],
    [['extra', 1]],
    [['toString', 'x']],
  )
  return fc.tuple(...parts, extra).map((entries) => Object.fromEntries(entries.flat()))
}
