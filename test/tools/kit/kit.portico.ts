// Generated from kit.portico by `portico generate`. Do not edit: change kit.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'kit.portico.ts')

/** Where somebody lives. */
export interface Address {
  street: string
  city: string
  zip?: string
}

export const Address: portico.Schema<Address> = portico.defineType({
  name: 'Address',
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'Where somebody lives.',
    type: 'object',
    properties: { street: { type: 'string' }, city: { type: 'string' }, zip: { type: 'string' } },
    required: ['street', 'city'],
    additionalProperties: false,
  },
  check: checkAddress,
})

function checkAddress(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'street':
      case 'city':
      case 'zip':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['street']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'street'], 'text')
  } else portico.missing(issues, path, 'street')
  it = value['city']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'city'], 'text')
  } else portico.missing(issues, path, 'city')
  it = value['zip']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'zip'], 'text')
  }
}

export interface Customer {
  id: string
  name: string
  email?: string
  homepage?: string
  born?: string
  seenAt?: string
  country?: string
  level: 1 | 2 | 3
  state: 'new' | 'known'
  balance?: string
  score?: number
  vip: boolean
  address?: Address
  shipping?: Address
  tags?: string[]
  secret?: string
  version: number
  createdAt: number
  updatedAt: number
}

/** Input to insert a `Customer`. Fields with a default may be omitted; `null` means no value. */
export interface CustomerInsert {
  id?: string
  name: string
  email?: string | null
  homepage?: string | null
  born?: string | null
  seenAt?: string | null
  country?: string | null
  level?: 1 | 2 | 3
  state?: 'new' | 'known'
  balance?: string | null
  score?: number | null
  vip?: boolean
  address?: { street: string; city: string; zip?: string | null } | null
  shipping?: Address | null
  tags?: string[] | null
  secret?: string | null
  version?: number
  createdAt?: number
  updatedAt?: number
}

/** Input to replace a `Customer`: every field except those filled in on write. */
export interface CustomerReplace {
  id: string
  name: string
  email?: string | null
  homepage?: string | null
  born?: string | null
  seenAt?: string | null
  country?: string | null
  level: 1 | 2 | 3
  state: 'new' | 'known'
  balance?: string | null
  score?: number | null
  vip: boolean
  address?: { street: string; city: string; zip?: string | null } | null
  shipping?: Address | null
  tags?: string[] | null
  secret?: string | null
  version?: number
  createdAt?: number
  updatedAt?: number
}

/** Input to update a `Customer`: its key and any other fields. `null` clears an optional field. */
export interface CustomerUpdate {
  id: string
  name?: string
  email?: string | null
  homepage?: string | null
  born?: string | null
  seenAt?: string | null
  country?: string | null
  level?: 1 | 2 | 3
  state?: 'new' | 'known'
  balance?: string | null
  score?: number | null
  vip?: boolean
  address?: { street: string; city: string; zip?: string | null } | null
  shipping?: Address | null
  tags?: string[] | null
  secret?: string | null
  version?: number
  createdAt?: number
  updatedAt?: number
}

/** The primary key of a `Customer`. */
export interface CustomerKey {
  id: string
}

/** The relations of a `Customer`, by the names used in `with`. */
export interface CustomerRelations {
  orders: (typeof Order)[]
}

export const Customer: portico.TableDeclaration<Customer, CustomerInsert, CustomerUpdate, CustomerKey, CustomerReplace, CustomerRelations, 'balance'> = portico.defineTable({
  name: 'Customer',
  table: 'customers',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'string', storage: 'text', subtype: 'uuid', key: true, default: { kind: 'uuid' } },
    { path: 'name', name: 'name', type: 'string', storage: 'text', subtype: 'required', expect: { maxLength: 80 } },
    { path: 'email', name: 'email', type: 'string', storage: 'text', subtype: 'email', nullable: true, optional: true },
    { path: 'homepage', name: 'homepage', type: 'string', storage: 'text', subtype: 'url', nullable: true, optional: true },
    { path: 'born', name: 'born', type: 'string', storage: 'text', subtype: 'date', nullable: true, optional: true },
    { path: 'seenAt', name: 'seenAt', type: 'string', storage: 'text', subtype: 'datetime', nullable: true, optional: true },
    { path: 'country', name: 'country', type: 'string', storage: 'text', nullable: true, optional: true, expect: { patterns: ['^[A-Z]{2}$'] } },
    { path: 'level', name: 'level', type: 'number', storage: 'real', values: [1, 2, 3], default: { kind: 'value', value: 1 } },
    { path: 'state', name: 'state', type: 'string', storage: 'text', values: ['new', 'known'], default: { kind: 'value', value: 'new' } },
    { path: 'balance', name: 'balance', type: 'decimal', storage: 'decimal', nullable: true, optional: true, precision: { precision: 12, scale: 2 } },
    { path: 'score', name: 'score', type: 'number', storage: 'real', nullable: true, optional: true, expect: { min: 0, max: 100 } },
    { path: 'vip', name: 'vip', type: 'boolean', storage: 'boolean', default: { kind: 'value', value: false } },
    { path: 'address.street', name: 'address__street', type: 'string', storage: 'text', nullable: true },
    { path: 'address.city', name: 'address__city', type: 'string', storage: 'text', nullable: true },
    { path: 'address.zip', name: 'address__zip', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'shipping', name: 'shipping', type: 'json', storage: 'json', shape: 'object', nullable: true, optional: true },
    { path: 'tags', name: 'tags', type: 'json', storage: 'json', shape: 'array', element: 'string', nullable: true, optional: true },
    { path: 'secret', name: 'secret', type: 'string', storage: 'text', nullable: true, optional: true, writeOnly: true },
    { path: 'version', name: 'version', type: 'number', storage: 'real', subtype: 'int', integer: true, generated: 'version' },
    { path: 'createdAt', name: 'createdAt', type: 'number', storage: 'real', subtype: 'timestamp.created', integer: true, generated: 'created' },
    { path: 'updatedAt', name: 'updatedAt', type: 'number', storage: 'real', subtype: 'timestamp.updated', integer: true, generated: 'updated' },
  ],
  groups: [{ path: 'address', optional: true, presence: 'address__street' }],
  relations: [
    { name: 'orders', kind: 'from', target: 'Order', many: true, on: [{ here: 'id', there: 'customerId' }], table: (): portico.AnyTable => Order },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'string', format: 'uuid' },
      name: { type: 'string', minLength: 1, maxLength: 80 },
      email: { type: 'string', format: 'email' },
      homepage: { type: 'string', format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#:@]' },
      born: { type: 'string', format: 'date' },
      seenAt: { type: 'string', format: 'date-time' },
      country: { type: 'string', pattern: '^[A-Z]{2}$' },
      level: { type: 'integer', format: 'int64', enum: [1, 2, 3], default: 1 },
      state: { type: 'string', enum: ['new', 'known'], default: 'new' },
      balance: { type: 'string', pattern: '^-?(?:0|[1-9][0-9]{0,9})(?:\\.[0-9]{1,2})?$' },
      score: { type: 'number', minimum: 0, maximum: 100 },
      vip: { type: 'boolean', default: false },
      address: { $ref: '#/$defs/Address' },
      shipping: { $ref: '#/$defs/Address' },
      tags: { type: 'array', items: { type: 'string' } },
      secret: { type: 'string', writeOnly: true },
      version: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      createdAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      updatedAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      orders: { type: 'array', items: { type: 'object' } },
    },
    required: ['id', 'name', 'level', 'state', 'vip', 'version', 'createdAt', 'updatedAt'],
    additionalProperties: false,
    $defs: {
      Address: {
        description: 'Where somebody lives.',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' }, zip: { type: 'string' } },
        required: ['street', 'city'],
        additionalProperties: false,
      },
    },
  },
  check: checkCustomer,
})

function checkCustomer(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'name':
      case 'email':
      case 'homepage':
      case 'born':
      case 'seenAt':
      case 'country':
      case 'level':
      case 'state':
      case 'balance':
      case 'score':
      case 'vip':
      case 'address':
      case 'shipping':
      case 'tags':
      case 'secret':
      case 'version':
      case 'createdAt':
      case 'updatedAt':
        break
      case 'orders':
        if (mode !== 'record') portico.unknownField(issues, path, name)
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isUuid(it)) portico.wrong(issues, [...path, 'id'], 'a UUID')
  } else if (mode !== 'insert') portico.missing(issues, path, 'id')
  it = value['name']
  if (it !== undefined) {
    if (!portico.matches(it, /[^]/)) portico.wrong(issues, [...path, 'name'], 'text that is not empty')
    else {
      if (portico.lengthOf(it) > 80) portico.broken(issues, [...path, 'name'], 'maxLength', 'expected a length of at most 80')
    }
  } else if (mode !== 'update') portico.missing(issues, path, 'name')
  it = value['email']
  if (portico.isPresent(it, mode)) {
    if (!portico.isEmail(it)) portico.wrong(issues, [...path, 'email'], 'an e-mail address')
  }
  it = value['homepage']
  if (portico.isPresent(it, mode)) {
    if (!portico.isUrl(it)) portico.wrong(issues, [...path, 'homepage'], 'an http or https URL')
  }
  it = value['born']
  if (portico.isPresent(it, mode)) {
    if (!portico.isDate(it)) portico.wrong(issues, [...path, 'born'], 'a date, such as 2026-02-28')
  }
  it = value['seenAt']
  if (portico.isPresent(it, mode)) {
    if (!portico.isDateTime(it)) portico.wrong(issues, [...path, 'seenAt'], 'a date and time with offset, such as 2026-02-28T12:00:00Z')
  }
  it = value['country']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'country'], 'text')
    else {
      if (!/^[A-Z]{2}$/u.test(it)) portico.broken(issues, [...path, 'country'], 'pattern', 'expected text that matches ^[A-Z]{2}$')
    }
  }
  it = value['level']
  if (it !== undefined) {
    if (!(it === 1 || it === 2 || it === 3)) portico.wrong(issues, [...path, 'level'], 'one of 1, 2, 3')
  } else if (mode === 'record' || mode === 'replace') portico.missing(issues, path, 'level')
  it = value['state']
  if (it !== undefined) {
    if (!(it === 'new' || it === 'known')) portico.wrong(issues, [...path, 'state'], "one of 'new', 'known'")
  } else if (mode === 'record' || mode === 'replace') portico.missing(issues, path, 'state')
  it = value['balance']
  if (portico.isPresent(it, mode)) {
    if (!portico.matches(it, /^-?(?:0|[1-9][0-9]{0,9})(?:\.[0-9]{1,2})?$/)) portico.wrong(issues, [...path, 'balance'], 'a decimal as text, with up to 12 digits and 2 after the point')
  }
  it = value['score']
  if (portico.isPresent(it, mode)) {
    if (!portico.isNumber(it)) portico.wrong(issues, [...path, 'score'], 'a number')
    else {
      if (it < 0) portico.broken(issues, [...path, 'score'], 'minimum', 'expected at least 0')
      if (it > 100) portico.broken(issues, [...path, 'score'], 'maximum', 'expected at most 100')
    }
  }
  it = value['vip']
  if (it !== undefined) {
    if (!portico.isBoolean(it)) portico.wrong(issues, [...path, 'vip'], 'true or false')
  } else if (mode === 'record' || mode === 'replace') portico.missing(issues, path, 'vip')
  it = value['address']
  if (portico.isPresent(it, mode)) {
    checkAddress(it, [...path, 'address'], issues, portico.nested(mode))
  }
  it = value['shipping']
  if (portico.isPresent(it, mode)) {
    checkAddress(it, [...path, 'shipping'], issues, 'record')
  }
  it = value['tags']
  if (portico.isPresent(it, mode)) {
    if (!portico.isArray(it)) portico.wrong(issues, [...path, 'tags'], 'an array')
    else {
      for (const [index, item] of it.entries()) {
        if (!portico.isString(item)) portico.wrong(issues, [...path, 'tags', index], 'text')
      }
    }
  }
  it = value['secret']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'secret'], 'text')
  }
  it = value['version']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'version'], 'a whole number')
  } else if (mode === 'record') portico.missing(issues, path, 'version')
  it = value['createdAt']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'createdAt'], 'a whole number')
  } else if (mode === 'record') portico.missing(issues, path, 'createdAt')
  it = value['updatedAt']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'updatedAt'], 'a whole number')
  } else if (mode === 'record') portico.missing(issues, path, 'updatedAt')
  it = value['orders']
  if (portico.isPresent(it, mode)) {
    if (!portico.isArray(it) || !it.every(portico.isObject)) portico.wrong(issues, [...path, 'orders'], 'an array of objects')
  }
}

export interface Order {
  id: number
  customerId: string
  total: string
  note: string | null
}

/** Input to insert an `Order`. Fields with a default may be omitted; `null` means no value. */
export interface OrderInsert {
  id?: number
  customerId: string
  total: string
  note: string | null
}

/** Input to replace an `Order`: every field except those filled in on write. */
export interface OrderReplace {
  id: number
  customerId: string
  total: string
  note: string | null
}

/** Input to update an `Order`: its key and any other fields. `null` clears an optional field. */
export interface OrderUpdate {
  id: number
  customerId?: string
  total?: string
  note?: string | null
}

/** The primary key of an `Order`. */
export interface OrderKey {
  id: number
}

/** The relations of an `Order`, by the names used in `with`. */
export interface OrderRelations {
  customer: typeof Customer
  labels: (typeof Label)[]
}

export const Order: portico.TableDeclaration<Order, OrderInsert, OrderUpdate, OrderKey, OrderReplace, OrderRelations, 'total'> = portico.defineTable({
  name: 'Order',
  table: 'orders',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true, default: { kind: 'increment', start: 1 } },
    { path: 'customerId', name: 'customerId', type: 'string', storage: 'text', subtype: 'uuid' },
    { path: 'total', name: 'total', type: 'decimal', storage: 'decimal', precision: { precision: 10, scale: 2 } },
    { path: 'note', name: 'note', type: 'string', storage: 'text', nullable: true, allowsNull: true },
  ],
  foreignKeys: [
    { name: 'customerId', constraint: 'orders__customerId__fk', paths: ['customerId'], columns: ['customerId'], references: { declaration: 'Customer', table: 'customers', paths: ['id'], columns: ['id'] }, onDelete: 'cascade', onUpdate: 'restrict' },
  ],
  relations: [
    { name: 'customer', kind: 'to', target: 'Customer', many: false, on: [{ here: 'customerId', there: 'id' }], table: (): portico.AnyTable => Customer },
    { name: 'labels', kind: 'via', target: 'Label', many: true, on: [{ here: 'id', there: 'orderId' }], via: { junction: 'OrderLabel', on: [{ here: 'label', there: 'name' }] }, table: (): portico.AnyTable => Label, junction: (): portico.AnyTable => OrderLabel },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      customerId: { type: 'string', format: 'uuid' },
      total: { type: 'string', pattern: '^-?(?:0|[1-9][0-9]{0,7})(?:\\.[0-9]{1,2})?$' },
      note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      customer: { type: 'object' },
      labels: { type: 'array', items: { type: 'object' } },
    },
    required: ['id', 'customerId', 'total', 'note'],
    additionalProperties: false,
  },
  check: checkOrder,
})

function checkOrder(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'customerId':
      case 'total':
      case 'note':
        break
      case 'customer':
      case 'labels':
        if (mode !== 'record') portico.unknownField(issues, path, name)
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'id'], 'a whole number')
  } else if (mode !== 'insert') portico.missing(issues, path, 'id')
  it = value['customerId']
  if (it !== undefined) {
    if (!portico.isUuid(it)) portico.wrong(issues, [...path, 'customerId'], 'a UUID')
  } else if (mode !== 'update') portico.missing(issues, path, 'customerId')
  it = value['total']
  if (it !== undefined) {
    if (!portico.matches(it, /^-?(?:0|[1-9][0-9]{0,7})(?:\.[0-9]{1,2})?$/)) portico.wrong(issues, [...path, 'total'], 'a decimal as text, with up to 10 digits and 2 after the point')
  } else if (mode !== 'update') portico.missing(issues, path, 'total')
  it = value['note']
  if (it !== undefined) {
    if (it !== null) {
      if (!portico.isString(it)) portico.wrong(issues, [...path, 'note'], 'text')
    }
  } else if (mode !== 'update') portico.missing(issues, path, 'note')
  it = value['customer']
  if (portico.isPresent(it, mode)) {
    if (!portico.isObject(it)) portico.wrong(issues, [...path, 'customer'], 'an object')
  }
  it = value['labels']
  if (portico.isPresent(it, mode)) {
    if (!portico.isArray(it) || !it.every(portico.isObject)) portico.wrong(issues, [...path, 'labels'], 'an array of objects')
  }
}

export interface Label {
  name: string
  color: 'red' | 'green' | 'blue' | null
}

/** Input to insert a `Label`. Fields with a default may be omitted; `null` means no value. */
export interface LabelInsert {
  name: string
  color: 'red' | 'green' | 'blue' | null
}

/** Input to replace a `Label`: every field except those filled in on write. */
export interface LabelReplace {
  name: string
  color: 'red' | 'green' | 'blue' | null
}

/** Input to update a `Label`: its key and any other fields. `null` clears an optional field. */
export interface LabelUpdate {
  name: string
  color?: 'red' | 'green' | 'blue' | null
}

/** The primary key of a `Label`. */
export interface LabelKey {
  name: string
}

export const Label: portico.TableDeclaration<Label, LabelInsert, LabelUpdate, LabelKey, LabelReplace> = portico.defineTable({
  name: 'Label',
  table: 'labels',
  key: ['name'],
  columns: [
    { path: 'name', name: 'name', type: 'string', storage: 'text', subtype: 'required', key: true, expect: { maxLength: 40 } },
    { path: 'color', name: 'color', type: 'string', storage: 'text', values: ['red', 'green', 'blue'], nullable: true, allowsNull: true },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 40 },
      color: { anyOf: [{ type: 'string', enum: ['red', 'green', 'blue'] }, { type: 'null' }] },
    },
    required: ['name', 'color'],
    additionalProperties: false,
  },
  check: checkLabel,
})

function checkLabel(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'name':
      case 'color':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['name']
  if (it !== undefined) {
    if (!portico.matches(it, /[^]/)) portico.wrong(issues, [...path, 'name'], 'text that is not empty')
    else {
      if (portico.lengthOf(it) > 40) portico.broken(issues, [...path, 'name'], 'maxLength', 'expected a length of at most 40')
    }
  } else portico.missing(issues, path, 'name')
  it = value['color']
  if (it !== undefined) {
    if (!(it === 'red' || it === 'green' || it === 'blue' || it === null)) portico.wrong(issues, [...path, 'color'], "one of 'red', 'green', 'blue', null")
  } else if (mode !== 'update') portico.missing(issues, path, 'color')
}

export interface OrderLabel {
  orderId: number
  label: string
  rank: number
}

/** Input to insert an `OrderLabel`. Fields with a default may be omitted; `null` means no value. */
export interface OrderLabelInsert {
  orderId: number
  label: string
  rank?: number
}

/** Input to replace an `OrderLabel`: every field except those filled in on write. */
export interface OrderLabelReplace {
  orderId: number
  label: string
  rank: number
}

/** Input to update an `OrderLabel`: its key and any other fields. `null` clears an optional field. */
export interface OrderLabelUpdate {
  orderId: number
  label: string
  rank?: number
}

/** The primary key of an `OrderLabel`. */
export interface OrderLabelKey {
  orderId: number
  label: string
}

export const OrderLabel: portico.TableDeclaration<OrderLabel, OrderLabelInsert, OrderLabelUpdate, OrderLabelKey, OrderLabelReplace> = portico.defineTable({
  name: 'OrderLabel',
  table: 'order_labels',
  key: ['orderId', 'label'],
  columns: [
    { path: 'orderId', name: 'orderId', type: 'number', storage: 'integer', integer: true, key: true },
    { path: 'label', name: 'label', type: 'string', storage: 'text', subtype: 'required', key: true },
    { path: 'rank', name: 'rank', type: 'number', storage: 'real', subtype: 'int', integer: true, default: { kind: 'value', value: 0 } },
  ],
  foreignKeys: [
    { name: 'orderId', constraint: 'order_labels__orderId__fk', paths: ['orderId'], columns: ['orderId'], references: { declaration: 'Order', table: 'orders', paths: ['id'], columns: ['id'] }, onDelete: 'cascade', onUpdate: 'restrict' },
    { name: 'label', constraint: 'order_labels__label__fk', paths: ['label'], columns: ['label'], references: { declaration: 'Label', table: 'labels', paths: ['name'], columns: ['name'] }, onDelete: 'cascade', onUpdate: 'restrict' },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      orderId: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      label: { type: 'string', minLength: 1 },
      rank: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991, default: 0 },
    },
    required: ['orderId', 'label', 'rank'],
    additionalProperties: false,
  },
  check: checkOrderLabel,
})

function checkOrderLabel(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'orderId':
      case 'label':
      case 'rank':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['orderId']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'orderId'], 'a whole number')
  } else portico.missing(issues, path, 'orderId')
  it = value['label']
  if (it !== undefined) {
    if (!portico.matches(it, /[^]/)) portico.wrong(issues, [...path, 'label'], 'text that is not empty')
  } else portico.missing(issues, path, 'label')
  it = value['rank']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'rank'], 'a whole number')
  } else if (mode === 'record' || mode === 'replace') portico.missing(issues, path, 'rank')
}

/** Everybody has notes of their own. */
export interface Note {
  id: number
  owner: string
  text: string
}

/** Input to insert a `Note`. Fields with a default may be omitted; `null` means no value. */
export interface NoteInsert {
  id?: number
  owner: string
  text: string
}

/** Input to replace a `Note`: every field except those filled in on write. */
export interface NoteReplace {
  id: number
  owner: string
  text: string
}

/** Input to update a `Note`: its key and any other fields. `null` clears an optional field. */
export interface NoteUpdate {
  id: number
  owner?: string
  text?: string
}

/** The primary key of a `Note`. */
export interface NoteKey {
  id: number
}

export const Note: portico.TableDeclaration<Note, NoteInsert, NoteUpdate, NoteKey, NoteReplace> = portico.defineTable({
  name: 'Note',
  table: 'notes',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true, default: { kind: 'increment', start: 1 } },
    { path: 'owner', name: 'owner', type: 'string', storage: 'text' },
    { path: 'text', name: 'text', type: 'string', storage: 'text', subtype: 'required' },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'Everybody has notes of their own.',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      owner: { type: 'string' },
      text: { type: 'string', minLength: 1 },
    },
    required: ['id', 'owner', 'text'],
    additionalProperties: false,
  },
  check: checkNote,
})

function checkNote(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'owner':
      case 'text':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'id'], 'a whole number')
  } else if (mode !== 'insert') portico.missing(issues, path, 'id')
  it = value['owner']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'owner'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'owner')
  it = value['text']
  if (it !== undefined) {
    if (!portico.matches(it, /[^]/)) portico.wrong(issues, [...path, 'text'], 'text that is not empty')
  } else if (mode !== 'update') portico.missing(issues, path, 'text')
}
