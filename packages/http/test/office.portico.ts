// Generated from office.portico by `portico generate`. Do not edit: change office.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'office.portico.ts')

/** Tables that lead to each other: one to many, by a composite key, and through a junction. */
export interface Room {
  building: string
  number: number
}

/** Input to insert a `Room`. Fields with a default may be omitted; `null` means no value. */
export interface RoomInsert {
  building: string
  number: number
}

/** Input to replace a `Room`: every field except those filled in on write. */
export interface RoomReplace {
  building: string
  number: number
}

/** Input to update a `Room`: its key and any other fields. `null` clears an optional field. */
export interface RoomUpdate {
  building: string
  number: number
}

/** The primary key of a `Room`. */
export interface RoomKey {
  building: string
  number: number
}

/** The relations of a `Room`, by the names used in `with`. */
export interface RoomRelations {
  desks: (typeof Desk)[]
}

export const Room: portico.TableDeclaration<Room, RoomInsert, RoomUpdate, RoomKey, RoomReplace, RoomRelations> = portico.defineTable({
  name: 'Room',
  table: 'rooms',
  key: ['building', 'number'],
  columns: [
    { path: 'building', name: 'building', type: 'string', storage: 'text', key: true },
    { path: 'number', name: 'number', type: 'number', storage: 'integer', subtype: 'int', integer: true, key: true },
  ],
  relations: [
    { name: 'desks', kind: 'from', target: 'Desk', many: true, on: [{ here: 'building', there: 'building' }, { here: 'number', there: 'number' }], table: (): portico.AnyTable => Desk },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'Tables that lead to each other: one to many, by a composite key, and through a junction.',
    type: 'object',
    properties: {
      building: { type: 'string' },
      number: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      desks: { type: 'array', items: { type: 'object' } },
    },
    required: ['building', 'number'],
    additionalProperties: false,
  },
  check: checkRoom,
})

function checkRoom(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'building':
      case 'number':
        break
      case 'desks':
        if (mode !== 'record') portico.unknownField(issues, path, name)
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['building']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'building'], 'text')
  } else portico.missing(issues, path, 'building')
  it = value['number']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'number'], 'a whole number')
  } else portico.missing(issues, path, 'number')
  it = value['desks']
  if (portico.isPresent(it, mode)) {
    if (!portico.isArray(it) || !it.every(portico.isObject)) portico.wrong(issues, [...path, 'desks'], 'an array of objects')
  }
}

export interface Desk {
  id: number
  building: string
  number: number
  ownerId?: number
}

/** Input to insert a `Desk`. Fields with a default may be omitted; `null` means no value. */
export interface DeskInsert {
  id: number
  building: string
  number: number
  ownerId?: number | null
}

/** Input to replace a `Desk`: every field except those filled in on write. */
export interface DeskReplace {
  id: number
  building: string
  number: number
  ownerId?: number | null
}

/** Input to update a `Desk`: its key and any other fields. `null` clears an optional field. */
export interface DeskUpdate {
  id: number
  building?: string
  number?: number
  ownerId?: number | null
}

/** The primary key of a `Desk`. */
export interface DeskKey {
  id: number
}

/** The relations of a `Desk`, by the names used in `with`. */
export interface DeskRelations {
  room: typeof Room
  owner?: typeof Worker
  users: (typeof Worker)[]
}

export const Desk: portico.TableDeclaration<Desk, DeskInsert, DeskUpdate, DeskKey, DeskReplace, DeskRelations> = portico.defineTable({
  name: 'Desk',
  table: 'desks',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true },
    { path: 'building', name: 'building', type: 'string', storage: 'text' },
    { path: 'number', name: 'number', type: 'number', storage: 'integer', subtype: 'int', integer: true },
    { path: 'ownerId', name: 'ownerId', type: 'number', storage: 'integer', integer: true, nullable: true, optional: true },
  ],
  foreignKeys: [
    { name: 'building', constraint: 'desks__building__fk', paths: ['building', 'number'], columns: ['building', 'number'], references: { declaration: 'Room', table: 'rooms', paths: ['building', 'number'], columns: ['building', 'number'] }, onDelete: 'restrict', onUpdate: 'restrict' },
    { name: 'ownerId', constraint: 'desks__ownerId__fk', paths: ['ownerId'], columns: ['ownerId'], references: { declaration: 'Worker', table: 'workers', paths: ['id'], columns: ['id'] }, onDelete: 'restrict', onUpdate: 'restrict' },
  ],
  relations: [
    { name: 'room', kind: 'to', target: 'Room', many: false, on: [{ here: 'building', there: 'building' }, { here: 'number', there: 'number' }], table: (): portico.AnyTable => Room },
    { name: 'owner', kind: 'to', target: 'Worker', many: false, on: [{ here: 'ownerId', there: 'id' }], table: (): portico.AnyTable => Worker },
    { name: 'users', kind: 'via', target: 'Worker', many: true, on: [{ here: 'id', there: 'deskId' }], via: { junction: 'Seat', on: [{ here: 'workerId', there: 'id' }] }, table: (): portico.AnyTable => Worker, junction: (): portico.AnyTable => Seat },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      building: { type: 'string' },
      number: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      ownerId: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      room: { type: 'object' },
      owner: { type: 'object' },
      users: { type: 'array', items: { type: 'object' } },
    },
    required: ['id', 'building', 'number'],
    additionalProperties: false,
  },
  check: checkDesk,
})

function checkDesk(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'building':
      case 'number':
      case 'ownerId':
        break
      case 'room':
      case 'owner':
      case 'users':
        if (mode !== 'record') portico.unknownField(issues, path, name)
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'id'], 'a whole number')
  } else portico.missing(issues, path, 'id')
  it = value['building']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'building'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'building')
  it = value['number']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'number'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'number')
  it = value['ownerId']
  if (portico.isPresent(it, mode)) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'ownerId'], 'a whole number')
  }
  it = value['room']
  if (portico.isPresent(it, mode)) {
    if (!portico.isObject(it)) portico.wrong(issues, [...path, 'room'], 'an object')
  }
  it = value['owner']
  if (portico.isPresent(it, mode)) {
    if (!portico.isObject(it)) portico.wrong(issues, [...path, 'owner'], 'an object')
  }
  it = value['users']
  if (portico.isPresent(it, mode)) {
    if (!portico.isArray(it) || !it.every(portico.isObject)) portico.wrong(issues, [...path, 'users'], 'an array of objects')
  }
}

export interface Worker {
  id: number
  name: string
  company: string
  badge: string
  bossId?: number
}

/** Input to insert a `Worker`. Fields with a default may be omitted; `null` means no value. */
export interface WorkerInsert {
  id: number
  name: string
  company: string
  badge: string
  bossId?: number | null
}

/** Input to replace a `Worker`: every field except those filled in on write. */
export interface WorkerReplace {
  id: number
  name: string
  company: string
  badge: string
  bossId?: number | null
}

/** Input to update a `Worker`: its key and any other fields. `null` clears an optional field. */
export interface WorkerUpdate {
  id: number
  name?: string
  company?: string
  badge?: string
  bossId?: number | null
}

/** The primary key of a `Worker`. */
export interface WorkerKey {
  id: number
}

/** The relations of a `Worker`, by the names used in `with`. */
export interface WorkerRelations {
  owned: (typeof Desk)[]
  boss?: typeof Worker
  staff: (typeof Worker)[]
}

export const Worker: portico.TableDeclaration<Worker, WorkerInsert, WorkerUpdate, WorkerKey, WorkerReplace, WorkerRelations> = portico.defineTable({
  name: 'Worker',
  table: 'workers',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true },
    { path: 'name', name: 'name', type: 'string', storage: 'text' },
    { path: 'company', name: 'company', type: 'string', storage: 'text' },
    { path: 'badge', name: 'badge', type: 'string', storage: 'text', writeOnly: true },
    { path: 'bossId', name: 'bossId', type: 'number', storage: 'integer', integer: true, nullable: true, optional: true, writeOnly: true },
  ],
  foreignKeys: [
    { name: 'bossId', constraint: 'workers__bossId__fk', paths: ['bossId'], columns: ['bossId'], references: { declaration: 'Worker', table: 'workers', paths: ['id'], columns: ['id'] }, onDelete: 'restrict', onUpdate: 'restrict' },
  ],
  relations: [
    { name: 'owned', kind: 'from', target: 'Desk', many: true, on: [{ here: 'id', there: 'ownerId' }], table: (): portico.AnyTable => Desk },
    { name: 'boss', kind: 'to', target: 'Worker', many: false, on: [{ here: 'bossId', there: 'id' }], table: (): portico.AnyTable => Worker },
    { name: 'staff', kind: 'from', target: 'Worker', many: true, on: [{ here: 'id', there: 'bossId' }], table: (): portico.AnyTable => Worker },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      name: { type: 'string' },
      company: { type: 'string' },
      badge: { type: 'string', writeOnly: true },
      owned: { type: 'array', items: { type: 'object' } },
      bossId: {
        type: 'integer',
        format: 'int64',
        minimum: -9007199254740991,
        maximum: 9007199254740991,
        writeOnly: true,
      },
      boss: { type: 'object' },
      staff: { type: 'array', items: { type: 'object' } },
    },
    required: ['id', 'name', 'company', 'badge'],
    additionalProperties: false,
  },
  check: checkWorker,
})

function checkWorker(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'name':
      case 'company':
      case 'badge':
      case 'bossId':
        break
      case 'owned':
      case 'boss':
      case 'staff':
        if (mode !== 'record') portico.unknownField(issues, path, name)
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'id'], 'a whole number')
  } else portico.missing(issues, path, 'id')
  it = value['name']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'name'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'name')
  it = value['company']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'company'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'company')
  it = value['badge']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'badge'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'badge')
  it = value['owned']
  if (portico.isPresent(it, mode)) {
    if (!portico.isArray(it) || !it.every(portico.isObject)) portico.wrong(issues, [...path, 'owned'], 'an array of objects')
  }
  it = value['bossId']
  if (portico.isPresent(it, mode)) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'bossId'], 'a whole number')
  }
  it = value['boss']
  if (portico.isPresent(it, mode)) {
    if (!portico.isObject(it)) portico.wrong(issues, [...path, 'boss'], 'an object')
  }
  it = value['staff']
  if (portico.isPresent(it, mode)) {
    if (!portico.isArray(it) || !it.every(portico.isObject)) portico.wrong(issues, [...path, 'staff'], 'an array of objects')
  }
}

export interface Seat {
  deskId: number
  workerId: number
  open: boolean
}

/** Input to insert a `Seat`. Fields with a default may be omitted; `null` means no value. */
export interface SeatInsert {
  deskId: number
  workerId: number
  open: boolean
}

/** Input to replace a `Seat`: every field except those filled in on write. */
export interface SeatReplace {
  deskId: number
  workerId: number
  open: boolean
}

/** Input to update a `Seat`: its key and any other fields. `null` clears an optional field. */
export interface SeatUpdate {
  deskId: number
  workerId: number
  open?: boolean
}

/** The primary key of a `Seat`. */
export interface SeatKey {
  deskId: number
  workerId: number
}

export const Seat: portico.TableDeclaration<Seat, SeatInsert, SeatUpdate, SeatKey, SeatReplace> = portico.defineTable({
  name: 'Seat',
  table: 'seats',
  key: ['deskId', 'workerId'],
  columns: [
    { path: 'deskId', name: 'deskId', type: 'number', storage: 'integer', integer: true, key: true },
    { path: 'workerId', name: 'workerId', type: 'number', storage: 'integer', integer: true, key: true },
    { path: 'open', name: 'open', type: 'boolean', storage: 'boolean' },
  ],
  foreignKeys: [
    { name: 'deskId', constraint: 'seats__deskId__fk', paths: ['deskId'], columns: ['deskId'], references: { declaration: 'Desk', table: 'desks', paths: ['id'], columns: ['id'] }, onDelete: 'restrict', onUpdate: 'restrict' },
    { name: 'workerId', constraint: 'seats__workerId__fk', paths: ['workerId'], columns: ['workerId'], references: { declaration: 'Worker', table: 'workers', paths: ['id'], columns: ['id'] }, onDelete: 'restrict', onUpdate: 'restrict' },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      deskId: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      workerId: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      open: { type: 'boolean' },
    },
    required: ['deskId', 'workerId', 'open'],
    additionalProperties: false,
  },
  check: checkSeat,
})

function checkSeat(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'deskId':
      case 'workerId':
      case 'open':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['deskId']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'deskId'], 'a whole number')
  } else portico.missing(issues, path, 'deskId')
  it = value['workerId']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'workerId'], 'a whole number')
  } else portico.missing(issues, path, 'workerId')
  it = value['open']
  if (it !== undefined) {
    if (!portico.isBoolean(it)) portico.wrong(issues, [...path, 'open'], 'true or false')
  } else if (mode !== 'update') portico.missing(issues, path, 'open')
}
