// Generated from schema.portico by `portico generate`. Do not edit: change schema.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'schema.portico.ts')

export interface Money {
  id: number
  any: string
  rate: string
  maybe?: string
  many: string[]
}

/** Input to insert a `Money`. Fields with a default may be omitted; `null` means no value. */
export interface MoneyInsert {
  id: number
  any: string
  rate: string
  maybe?: string | null
  many: string[]
}

/** Input to replace a `Money`: every field except those filled in on write. */
export interface MoneyReplace {
  id: number
  any: string
  rate: string
  maybe?: string | null
  many: string[]
}

/** Input to update a `Money`: its key and any other fields. `null` clears an optional field. */
export interface MoneyUpdate {
  id: number
  any?: string
  rate?: string
  maybe?: string | null
  many?: string[]
}

/** The primary key of a `Money`. */
export interface MoneyKey {
  id: number
}

export const Money: portico.TableDeclaration<Money, MoneyInsert, MoneyUpdate, MoneyKey, MoneyReplace, portico.NoRelations, 'any' | 'rate' | 'maybe'> = portico.defineTable({
  name: 'Money',
  table: 'rule_5',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true },
    { path: 'any', name: 'any', type: 'decimal', storage: 'decimal' },
    { path: 'rate', name: 'rate', type: 'decimal', storage: 'decimal', precision: { precision: 10, scale: 4 } },
    { path: 'maybe', name: 'maybe', type: 'decimal', storage: 'decimal', nullable: true, optional: true },
    { path: 'many', name: 'many', type: 'json', storage: 'json', shape: 'array', element: 'string' },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      any: { type: 'string', pattern: '^-?(?:0|[1-9][0-9]{0,28})(?:\\.[0-9]{1,9})?$' },
      rate: { type: 'string', pattern: '^-?(?:0|[1-9][0-9]{0,5})(?:\\.[0-9]{1,4})?$' },
      maybe: { type: 'string', pattern: '^-?(?:0|[1-9][0-9]{0,28})(?:\\.[0-9]{1,9})?$' },
      many: { type: 'array', items: { type: 'string', pattern: '^-?(?:0|[1-9][0-9]{0,28})(?:\\.[0-9]{1,9})?$' } },
    },
    required: ['id', 'any', 'rate', 'many'],
    additionalProperties: false,
  },
  check: checkMoney,
})

function checkMoney(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'any':
      case 'rate':
      case 'maybe':
      case 'many':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'id'], 'a whole number')
  } else portico.missing(issues, path, 'id')
  it = value['any']
  if (it !== undefined) {
    if (!portico.matches(it, /^-?(?:0|[1-9][0-9]{0,28})(?:\.[0-9]{1,9})?$/)) portico.wrong(issues, [...path, 'any'], 'a decimal as text, such as "1.50"')
  } else if (mode !== 'update') portico.missing(issues, path, 'any')
  it = value['rate']
  if (it !== undefined) {
    if (!portico.matches(it, /^-?(?:0|[1-9][0-9]{0,5})(?:\.[0-9]{1,4})?$/)) portico.wrong(issues, [...path, 'rate'], 'a decimal as text, with up to 10 digits and 4 after the point')
  } else if (mode !== 'update') portico.missing(issues, path, 'rate')
  it = value['maybe']
  if (portico.isPresent(it, mode)) {
    if (!portico.matches(it, /^-?(?:0|[1-9][0-9]{0,28})(?:\.[0-9]{1,9})?$/)) portico.wrong(issues, [...path, 'maybe'], 'a decimal as text, such as "1.50"')
  }
  it = value['many']
  if (it !== undefined) {
    if (!portico.isArray(it)) portico.wrong(issues, [...path, 'many'], 'an array')
    else {
      for (const [index, item] of it.entries()) {
        if (!portico.matches(item, /^-?(?:0|[1-9][0-9]{0,28})(?:\.[0-9]{1,9})?$/)) portico.wrong(issues, [...path, 'many', index], 'a decimal as text, such as "1.50"')
      }
    }
  } else if (mode !== 'update') portico.missing(issues, path, 'many')
}
