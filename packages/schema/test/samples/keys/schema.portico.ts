// Generated from schema.portico by `portico generate`. Do not edit: change schema.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'schema.portico.ts')

export interface Part {
  orderId: number
  line: number
  code: 'a' | 'b'
  amount: number
}

/** Input to insert a `Part`. Fields with a default may be omitted; `null` means no value. */
export interface PartInsert {
  orderId: number
  line: number
  code: 'a' | 'b'
  amount: number
}

/** Input to replace a `Part`: every field except those filled in on write. */
export interface PartReplace {
  orderId: number
  line: number
  code: 'a' | 'b'
  amount: number
}

/** Input to update a `Part`: its key and any other fields. `null` clears an optional field. */
export interface PartUpdate {
  orderId: number
  line: number
  code: 'a' | 'b'
  amount?: number
}

/** The primary key of a `Part`. */
export interface PartKey {
  orderId: number
  line: number
  code: 'a' | 'b'
}

export const Part: portico.TableDeclaration<Part, PartInsert, PartUpdate, PartKey, PartReplace> = portico.defineTable({
  name: 'Part',
  table: 'parts',
  key: ['orderId', 'line', 'code'],
  columns: [
    { path: 'orderId', name: 'orderId', type: 'number', storage: 'integer', integer: true, key: true },
    { path: 'line', name: 'line', type: 'number', storage: 'integer', subtype: 'int', integer: true, key: true },
    { path: 'code', name: 'code', type: 'string', storage: 'text', values: ['a', 'b'], key: true },
    { path: 'amount', name: 'amount', type: 'number', storage: 'real' },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      orderId: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      line: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      code: { type: 'string', enum: ['a', 'b'] },
      amount: { type: 'number' },
    },
    required: ['orderId', 'line', 'code', 'amount'],
    additionalProperties: false,
  },
  check: checkPart,
})

function checkPart(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'orderId':
      case 'line':
      case 'code':
      case 'amount':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['orderId']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'orderId'], 'a whole number')
  } else portico.missing(issues, path, 'orderId')
  it = value['line']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'line'], 'a whole number')
  } else portico.missing(issues, path, 'line')
  it = value['code']
  if (it !== undefined) {
    if (!(it === 'a' || it === 'b')) portico.wrong(issues, [...path, 'code'], "one of 'a', 'b'")
  } else portico.missing(issues, path, 'code')
  it = value['amount']
  if (it !== undefined) {
    if (!portico.isNumber(it)) portico.wrong(issues, [...path, 'amount'], 'a number')
  } else if (mode !== 'update') portico.missing(issues, path, 'amount')
}
