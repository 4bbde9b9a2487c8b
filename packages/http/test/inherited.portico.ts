// Generated from inherited.portico by `portico generate`. Do not edit: change inherited.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'inherited.portico.ts')

/** Fields and relations that are named like what every object inherits. */
export interface Car {
  id: number
  owner: string
  constructor?: { team: string; secret?: string }
  toString?: string
  valueOf?: number
  isPrototypeOf?: string
  hasOwnProperty?: number
}

/** Input to insert a `Car`. Fields with a default may be omitted; `null` means no value. */
export interface CarInsert {
  id?: number
  owner: string
  constructor?: { team: string; secret?: string | null } | null
  toString?: string | null
  valueOf?: number | null
  isPrototypeOf?: string | null
  hasOwnProperty?: number | null
}

/** Input to replace a `Car`: every field except those filled in on write. */
export interface CarReplace {
  id: number
  owner: string
  constructor?: { team: string; secret?: string | null } | null
  toString?: string | null
  valueOf?: number | null
  isPrototypeOf?: string | null
  hasOwnProperty?: number | null
}

/** Input to update a `Car`: its key and any other fields. `null` clears an optional field. */
export interface CarUpdate {
  id: number
  owner?: string
  constructor?: { team: string; secret?: string | null } | null
  toString?: string | null
  valueOf?: number | null
  isPrototypeOf?: string | null
  hasOwnProperty?: number | null
}

/** The primary key of a `Car`. */
export interface CarKey {
  id: number
}

/** The relations of a `Car`, by the names used in `with`. */
export interface CarRelations {
  toLocaleString?: typeof Maker
}

export const Car: portico.TableDeclaration<Car, CarInsert, CarUpdate, CarKey, CarReplace, CarRelations> = portico.defineTable({
  name: 'Car',
  table: 'cars',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true, default: { kind: 'increment', start: 1 } },
    { path: 'owner', name: 'owner', type: 'string', storage: 'text' },
    { path: 'constructor.team', name: 'constructor__team', type: 'string', storage: 'text', nullable: true },
    { path: 'constructor.secret', name: 'constructor__secret', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'toString', name: 'toString', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'valueOf', name: 'valueOf', type: 'number', storage: 'real', subtype: 'int', integer: true, nullable: true, optional: true },
    { path: 'isPrototypeOf', name: 'isPrototypeOf', type: 'string', storage: 'text', nullable: true, optional: true, writeOnly: true },
    { path: 'hasOwnProperty', name: 'hasOwnProperty', type: 'number', storage: 'integer', integer: true, nullable: true, optional: true },
  ],
  groups: [{ path: 'constructor', optional: true, presence: 'constructor__team' }],
  foreignKeys: [
    { name: 'hasOwnProperty', constraint: 'cars__hasOwnProperty__fk', paths: ['hasOwnProperty'], columns: ['hasOwnProperty'], references: { declaration: 'Maker', table: 'makers', paths: ['id'], columns: ['id'] }, onDelete: 'restrict', onUpdate: 'restrict' },
  ],
  relations: [
    { name: 'toLocaleString', kind: 'to', target: 'Maker', many: false, on: [{ here: 'hasOwnProperty', there: 'id' }], table: (): portico.AnyTable => Maker },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'Fields and relations that are named like what every object inherits.',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      owner: { type: 'string' },
      constructor: {
        type: 'object',
        properties: { team: { type: 'string' }, secret: { type: 'string' } },
        required: ['team'],
        additionalProperties: false,
      },
      toString: { type: 'string' },
      valueOf: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      isPrototypeOf: { type: 'string', writeOnly: true },
      hasOwnProperty: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      toLocaleString: { type: 'object' },
    },
    required: ['id', 'owner'],
    additionalProperties: false,
  },
  check: checkCar,
})

function checkCar(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'owner':
      case 'constructor':
      case 'toString':
      case 'valueOf':
      case 'isPrototypeOf':
      case 'hasOwnProperty':
        break
      case 'toLocaleString':
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
  it = value['owner']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'owner'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'owner')
  it = portico.own(value, 'constructor')
  if (portico.isPresent(it, mode)) {
    checkCarConstructor(it, [...path, 'constructor'], issues, portico.nested(mode))
  }
  it = portico.own(value, 'toString')
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'toString'], 'text')
  }
  it = portico.own(value, 'valueOf')
  if (portico.isPresent(it, mode)) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'valueOf'], 'a whole number')
  }
  it = portico.own(value, 'isPrototypeOf')
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'isPrototypeOf'], 'text')
  }
  it = portico.own(value, 'hasOwnProperty')
  if (portico.isPresent(it, mode)) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'hasOwnProperty'], 'a whole number')
  }
  it = portico.own(value, 'toLocaleString')
  if (portico.isPresent(it, mode)) {
    if (!portico.isObject(it)) portico.wrong(issues, [...path, 'toLocaleString'], 'an object')
  }
}

function checkCarConstructor(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'team':
      case 'secret':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['team']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'team'], 'text')
  } else portico.missing(issues, path, 'team')
  it = value['secret']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'secret'], 'text')
  }
}

export interface Maker {
  id: number
  name: string
  constructor: number
}

/** Input to insert a `Maker`. Fields with a default may be omitted; `null` means no value. */
export interface MakerInsert {
  id?: number
  name: string
  constructor?: number
}

/** Input to replace a `Maker`: every field except those filled in on write. */
export interface MakerReplace {
  id: number
  name: string
  constructor?: number
}

/** Input to update a `Maker`: its key and any other fields. `null` clears an optional field. */
export interface MakerUpdate {
  id: number
  name?: string
  constructor?: number
}

/** The primary key of a `Maker`. */
export interface MakerKey {
  id: number
}

/** The relations of a `Maker`, by the names used in `with`. */
export interface MakerRelations {
  propertyIsEnumerable: (typeof Car)[]
}

export const Maker: portico.TableDeclaration<Maker, MakerInsert, MakerUpdate, MakerKey, MakerReplace, MakerRelations> = portico.defineTable({
  name: 'Maker',
  table: 'makers',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true, default: { kind: 'increment', start: 1 } },
    { path: 'name', name: 'name', type: 'string', storage: 'text' },
    { path: 'constructor', name: 'constructor', type: 'number', storage: 'real', subtype: 'int', integer: true, generated: 'version' },
  ],
  relations: [
    { name: 'propertyIsEnumerable', kind: 'from', target: 'Car', many: true, on: [{ here: 'id', there: 'hasOwnProperty' }], table: (): portico.AnyTable => Car },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      name: { type: 'string' },
      constructor: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      propertyIsEnumerable: { type: 'array', items: { type: 'object' } },
    },
    required: ['id', 'name', 'constructor'],
    additionalProperties: false,
  },
  check: checkMaker,
})

function checkMaker(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'name':
      case 'constructor':
        break
      case 'propertyIsEnumerable':
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
  it = value['name']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'name'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'name')
  it = portico.own(value, 'constructor')
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'constructor'], 'a whole number')
  } else if (mode === 'record') portico.missing(issues, path, 'constructor')
  it = portico.own(value, 'propertyIsEnumerable')
  if (portico.isPresent(it, mode)) {
    if (!portico.isArray(it) || !it.every(portico.isObject)) portico.wrong(issues, [...path, 'propertyIsEnumerable'], 'an array of objects')
  }
}
