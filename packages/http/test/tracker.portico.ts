// Generated from tracker.portico by `portico generate`. Do not edit: change tracker.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'tracker.portico.ts')

/**
 * The tables of the tests: a single key with a version, a composite key, nested objects, hidden fields, relations.
 */
export interface Person {
  id: number
  email: string
  password: string
}

/** Input to insert a `Person`. Fields with a default may be omitted; `null` means no value. */
export interface PersonInsert {
  id?: number
  email: string
  password: string
}

/** Input to replace a `Person`: every field except those filled in on write. */
export interface PersonReplace {
  id: number
  email: string
  password: string
}

/** Input to update a `Person`: its key and any other fields. `null` clears an optional field. */
export interface PersonUpdate {
  id: number
  email?: string
  password?: string
}

/** The primary key of a `Person`. */
export interface PersonKey {
  id: number
}

/** The relations of a `Person`, by the names used in `with`. */
export interface PersonRelations {
  tasks: (typeof Task)[]
}

export const Person: portico.TableDeclaration<Person, PersonInsert, PersonUpdate, PersonKey, PersonReplace, PersonRelations> = portico.defineTable({
  name: 'Person',
  table: 'people',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true, default: { kind: 'increment', start: 1 } },
    { path: 'email', name: 'email', type: 'string', storage: 'text', subtype: 'email' },
    { path: 'password', name: 'password', type: 'string', storage: 'text', writeOnly: true },
  ],
  indexes: [{ name: 'people__email', unique: true, columns: [{ path: 'email', column: 'email', order: 'asc' }] }],
  relations: [
    { name: 'tasks', kind: 'from', target: 'Task', many: true, on: [{ here: 'id', there: 'ownerId' }], table: (): portico.AnyTable => Task },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'The tables of the tests: a single key with a version, a composite key, nested objects, hidden fields, relations.',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      email: { type: 'string', format: 'email' },
      password: { type: 'string', writeOnly: true },
      tasks: { type: 'array', items: { type: 'object' } },
    },
    required: ['id', 'email', 'password'],
    additionalProperties: false,
  },
  check: checkPerson,
})

function checkPerson(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'email':
      case 'password':
        break
      case 'tasks':
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
  it = value['email']
  if (it !== undefined) {
    if (!portico.isEmail(it)) portico.wrong(issues, [...path, 'email'], 'an e-mail address')
  } else if (mode !== 'update') portico.missing(issues, path, 'email')
  it = value['password']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'password'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'password')
  it = value['tasks']
  if (portico.isPresent(it, mode)) {
    if (!portico.isArray(it) || !it.every(portico.isObject)) portico.wrong(issues, [...path, 'tasks'], 'an array of objects')
  }
}

export interface Task {
  id: number
  title: string
  state: 'open' | 'done'
  estimate?: number
  cost?: string
  urgent: boolean
  labels: string[]
  place?: { city: string; geo?: { lat: number; lng: number } }
  note?: { text: string; secret: string }
  ownerId: number
  version: number
  createdAt: number
}

/** Input to insert a `Task`. Fields with a default may be omitted; `null` means no value. */
export interface TaskInsert {
  id?: number
  title: string
  state: 'open' | 'done'
  estimate?: number | null
  cost?: string | null
  urgent: boolean
  labels: string[]
  place?: { city: string; geo?: { lat: number; lng: number } | null } | null
  note?: { text: string; secret: string } | null
  ownerId: number
  version?: number
  createdAt?: number
}

/** Input to replace a `Task`: every field except those filled in on write. */
export interface TaskReplace {
  id: number
  title: string
  state: 'open' | 'done'
  estimate?: number | null
  cost?: string | null
  urgent: boolean
  labels: string[]
  place?: { city: string; geo?: { lat: number; lng: number } | null } | null
  note?: { text: string; secret: string } | null
  ownerId: number
  version?: number
  createdAt?: number
}

/** Input to update a `Task`: its key and any other fields. `null` clears an optional field. */
export interface TaskUpdate {
  id: number
  title?: string
  state?: 'open' | 'done'
  estimate?: number | null
  cost?: string | null
  urgent?: boolean
  labels?: string[]
  place?: { city: string; geo?: { lat: number; lng: number } | null } | null
  note?: { text: string; secret: string } | null
  ownerId?: number
  version?: number
  createdAt?: number
}

/** The primary key of a `Task`. */
export interface TaskKey {
  id: number
}

/** The relations of a `Task`, by the names used in `with`. */
export interface TaskRelations {
  owner: typeof Person
}

export const Task: portico.TableDeclaration<Task, TaskInsert, TaskUpdate, TaskKey, TaskReplace, TaskRelations, 'cost'> = portico.defineTable({
  name: 'Task',
  table: 'tasks',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true, default: { kind: 'increment', start: 1 } },
    { path: 'title', name: 'title', type: 'string', storage: 'text', subtype: 'required' },
    { path: 'state', name: 'state', type: 'string', storage: 'text', values: ['open', 'done'] },
    { path: 'estimate', name: 'estimate', type: 'number', storage: 'real', nullable: true, optional: true },
    { path: 'cost', name: 'cost', type: 'decimal', storage: 'decimal', nullable: true, optional: true, precision: { precision: 10, scale: 2 } },
    { path: 'urgent', name: 'urgent', type: 'boolean', storage: 'boolean' },
    { path: 'labels', name: 'labels', type: 'json', storage: 'json', shape: 'array', element: 'string' },
    { path: 'place.city', name: 'place__city', type: 'string', storage: 'text', nullable: true },
    { path: 'place.geo.lat', name: 'place__geo__lat', type: 'number', storage: 'real', nullable: true },
    { path: 'place.geo.lng', name: 'place__geo__lng', type: 'number', storage: 'real', nullable: true },
    { path: 'note.text', name: 'note__text', type: 'string', storage: 'text', nullable: true },
    { path: 'note.secret', name: 'note__secret', type: 'string', storage: 'text', nullable: true, writeOnly: true },
    { path: 'ownerId', name: 'ownerId', type: 'number', storage: 'integer', integer: true },
    { path: 'version', name: 'version', type: 'number', storage: 'real', subtype: 'int', integer: true, generated: 'version' },
    { path: 'createdAt', name: 'createdAt', type: 'number', storage: 'real', subtype: 'timestamp.created', integer: true, generated: 'created' },
  ],
  groups: [
    { path: 'place', optional: true, presence: 'place__city' },
    { path: 'place.geo', optional: true, presence: 'place__geo__lat' },
    { path: 'note', optional: true, presence: 'note__text' },
  ],
  foreignKeys: [
    { name: 'ownerId', constraint: 'tasks__ownerId__fk', paths: ['ownerId'], columns: ['ownerId'], references: { declaration: 'Person', table: 'people', paths: ['id'], columns: ['id'] }, onDelete: 'restrict', onUpdate: 'restrict' },
  ],
  relations: [
    { name: 'owner', kind: 'to', target: 'Person', many: false, on: [{ here: 'ownerId', there: 'id' }], table: (): portico.AnyTable => Person },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      title: { type: 'string', minLength: 1 },
      state: { type: 'string', enum: ['open', 'done'] },
      estimate: { type: 'number' },
      cost: { type: 'string', pattern: '^-?(?:0|[1-9][0-9]{0,7})(?:\\.[0-9]{1,2})?$' },
      urgent: { type: 'boolean' },
      labels: { type: 'array', items: { type: 'string' } },
      place: {
        type: 'object',
        properties: {
          city: { type: 'string' },
          geo: {
            type: 'object',
            properties: { lat: { type: 'number' }, lng: { type: 'number' } },
            required: ['lat', 'lng'],
            additionalProperties: false,
          },
        },
        required: ['city'],
        additionalProperties: false,
      },
      note: {
        type: 'object',
        properties: { text: { type: 'string' }, secret: { type: 'string', writeOnly: true } },
        required: ['text', 'secret'],
        additionalProperties: false,
      },
      ownerId: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      version: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      createdAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      owner: { type: 'object' },
    },
    required: ['id', 'title', 'state', 'urgent', 'labels', 'ownerId', 'version', 'createdAt'],
    additionalProperties: false,
  },
  check: checkTask,
})

function checkTask(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'title':
      case 'state':
      case 'estimate':
      case 'cost':
      case 'urgent':
      case 'labels':
      case 'place':
      case 'note':
      case 'ownerId':
      case 'version':
      case 'createdAt':
        break
      case 'owner':
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
  it = value['title']
  if (it !== undefined) {
    if (!portico.matches(it, /[^]/)) portico.wrong(issues, [...path, 'title'], 'text that is not empty')
  } else if (mode !== 'update') portico.missing(issues, path, 'title')
  it = value['state']
  if (it !== undefined) {
    if (!(it === 'open' || it === 'done')) portico.wrong(issues, [...path, 'state'], "one of 'open', 'done'")
  } else if (mode !== 'update') portico.missing(issues, path, 'state')
  it = value['estimate']
  if (portico.isPresent(it, mode)) {
    if (!portico.isNumber(it)) portico.wrong(issues, [...path, 'estimate'], 'a number')
  }
  it = value['cost']
  if (portico.isPresent(it, mode)) {
    if (!portico.matches(it, /^-?(?:0|[1-9][0-9]{0,7})(?:\.[0-9]{1,2})?$/)) portico.wrong(issues, [...path, 'cost'], 'a decimal as text, with up to 10 digits and 2 after the point')
  }
  it = value['urgent']
  if (it !== undefined) {
    if (!portico.isBoolean(it)) portico.wrong(issues, [...path, 'urgent'], 'true or false')
  } else if (mode !== 'update') portico.missing(issues, path, 'urgent')
  it = value['labels']
  if (it !== undefined) {
    if (!portico.isArray(it)) portico.wrong(issues, [...path, 'labels'], 'an array')
    else {
      for (const [index, item] of it.entries()) {
        if (!portico.isString(item)) portico.wrong(issues, [...path, 'labels', index], 'text')
      }
    }
  } else if (mode !== 'update') portico.missing(issues, path, 'labels')
  it = value['place']
  if (portico.isPresent(it, mode)) {
    checkTaskPlace(it, [...path, 'place'], issues, portico.nested(mode))
  }
  it = value['note']
  if (portico.isPresent(it, mode)) {
    checkTaskNote(it, [...path, 'note'], issues, portico.nested(mode))
  }
  it = value['ownerId']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'ownerId'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'ownerId')
  it = value['version']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'version'], 'a whole number')
  } else if (mode === 'record') portico.missing(issues, path, 'version')
  it = value['createdAt']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'createdAt'], 'a whole number')
  } else if (mode === 'record') portico.missing(issues, path, 'createdAt')
  it = value['owner']
  if (portico.isPresent(it, mode)) {
    if (!portico.isObject(it)) portico.wrong(issues, [...path, 'owner'], 'an object')
  }
}

function checkTaskPlace(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'city':
      case 'geo':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['city']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'city'], 'text')
  } else portico.missing(issues, path, 'city')
  it = value['geo']
  if (portico.isPresent(it, mode)) {
    checkTaskPlaceGeo(it, [...path, 'geo'], issues, portico.nested(mode))
  }
}

function checkTaskNote(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'text':
      case 'secret':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['text']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'text'], 'text')
  } else portico.missing(issues, path, 'text')
  it = value['secret']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'secret'], 'text')
  } else portico.missing(issues, path, 'secret')
}

function checkTaskPlaceGeo(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'lat':
      case 'lng':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['lat']
  if (it !== undefined) {
    if (!portico.isNumber(it)) portico.wrong(issues, [...path, 'lat'], 'a number')
  } else portico.missing(issues, path, 'lat')
  it = value['lng']
  if (it !== undefined) {
    if (!portico.isNumber(it)) portico.wrong(issues, [...path, 'lng'], 'a number')
  } else portico.missing(issues, path, 'lng')
}

export interface TaskTag {
  taskId: number
  tag: string
  weight?: number
}

/** Input to insert a `TaskTag`. Fields with a default may be omitted; `null` means no value. */
export interface TaskTagInsert {
  taskId: number
  tag: string
  weight?: number | null
}

/** Input to replace a `TaskTag`: every field except those filled in on write. */
export interface TaskTagReplace {
  taskId: number
  tag: string
  weight?: number | null
}

/** Input to update a `TaskTag`: its key and any other fields. `null` clears an optional field. */
export interface TaskTagUpdate {
  taskId: number
  tag: string
  weight?: number | null
}

/** The primary key of a `TaskTag`. */
export interface TaskTagKey {
  taskId: number
  tag: string
}

export const TaskTag: portico.TableDeclaration<TaskTag, TaskTagInsert, TaskTagUpdate, TaskTagKey, TaskTagReplace> = portico.defineTable({
  name: 'TaskTag',
  table: 'task_tags',
  key: ['taskId', 'tag'],
  columns: [
    { path: 'taskId', name: 'taskId', type: 'number', storage: 'integer', integer: true, key: true },
    { path: 'tag', name: 'tag', type: 'string', storage: 'text', key: true },
    { path: 'weight', name: 'weight', type: 'number', storage: 'real', subtype: 'int', integer: true, nullable: true, optional: true },
  ],
  foreignKeys: [
    { name: 'taskId', constraint: 'task_tags__taskId__fk', paths: ['taskId'], columns: ['taskId'], references: { declaration: 'Task', table: 'tasks', paths: ['id'], columns: ['id'] }, onDelete: 'cascade', onUpdate: 'restrict' },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      taskId: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      tag: { type: 'string' },
      weight: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
    },
    required: ['taskId', 'tag'],
    additionalProperties: false,
  },
  check: checkTaskTag,
})

function checkTaskTag(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'taskId':
      case 'tag':
      case 'weight':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['taskId']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'taskId'], 'a whole number')
  } else portico.missing(issues, path, 'taskId')
  it = value['tag']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'tag'], 'text')
  } else portico.missing(issues, path, 'tag')
  it = value['weight']
  if (portico.isPresent(it, mode)) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'weight'], 'a whole number')
  }
}
