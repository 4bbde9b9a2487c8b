// Generated from tags.portico by `portico generate`. Do not edit: change tags.portico and generate again.
import * as portico from '@portico/schema/runtime'
import { Task, TaskTag } from './schema.portico.js'

portico.assertFormat(1, 'tags.portico.ts')

export interface Tag {
  id: string
}

/** Input to insert a `Tag`. Fields with a default may be omitted; `null` means no value. */
export interface TagInsert {
  id: string
}

/** Input to replace a `Tag`: every field except those filled in on write. */
export interface TagReplace {
  id: string
}

/** Input to update a `Tag`: its key and any other fields. `null` clears an optional field. */
export interface TagUpdate {
  id: string
}

/** The primary key of a `Tag`. */
export interface TagKey {
  id: string
}

/** The relations of a `Tag`, by the names used in `with`. */
export interface TagRelations {
  tasks: (typeof Task)[]
}

export const Tag: portico.TableDeclaration<Tag, TagInsert, TagUpdate, TagKey, TagReplace, TagRelations> = portico.defineTable({
  name: 'Tag',
  table: 'tags',
  key: ['id'],
  columns: [{ path: 'id', name: 'id', type: 'string', storage: 'text', subtype: 'uuid', key: true }],
  relations: [
    { name: 'tasks', kind: 'via', target: 'Task', many: true, on: [{ here: 'id', there: 'tagId' }], via: { junction: 'TaskTag', on: [{ here: 'taskId', there: 'id' }] }, table: (): portico.AnyTable => Task, junction: (): portico.AnyTable => TaskTag },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { id: { type: 'string', format: 'uuid' }, tasks: { type: 'array', items: { type: 'object' } } },
    required: ['id'],
    additionalProperties: false,
  },
  check: checkTag,
})

function checkTag(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
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
    if (!portico.isUuid(it)) portico.wrong(issues, [...path, 'id'], 'a UUID')
  } else portico.missing(issues, path, 'id')
  it = value['tasks']
  if (portico.isPresent(it, mode)) {
    if (!portico.isArray(it) || !it.every(portico.isObject)) portico.wrong(issues, [...path, 'tasks'], 'an array of objects')
  }
}

export interface Follow {
  follower: number
  followed: number
}

/** Input to insert a `Follow`. Fields with a default may be omitted; `null` means no value. */
export interface FollowInsert {
  follower: number
  followed: number
}

/** Input to replace a `Follow`: every field except those filled in on write. */
export interface FollowReplace {
  follower: number
  followed: number
}

/** Input to update a `Follow`: its key and any other fields. `null` clears an optional field. */
export interface FollowUpdate {
  follower: number
  followed: number
}

/** The primary key of a `Follow`. */
export interface FollowKey {
  follower: number
  followed: number
}

export const Follow: portico.TableDeclaration<Follow, FollowInsert, FollowUpdate, FollowKey, FollowReplace> = portico.defineTable({
  name: 'Follow',
  table: 'users_followed',
  key: ['follower', 'followed'],
  columns: [
    { path: 'follower', name: 'follower', type: 'number', storage: 'integer', integer: true, key: true },
    { path: 'followed', name: 'followed', type: 'number', storage: 'integer', integer: true, key: true },
  ],
  foreignKeys: [
    { name: 'follower', constraint: 'users_followed__follower__fk', paths: ['follower'], columns: ['follower'], references: { declaration: 'Person', table: 'persons', paths: ['id'], columns: ['id'] }, onDelete: 'restrict', onUpdate: 'restrict' },
    { name: 'followed', constraint: 'users_followed__followed__fk', paths: ['followed'], columns: ['followed'], references: { declaration: 'Person', table: 'persons', paths: ['id'], columns: ['id'] }, onDelete: 'restrict', onUpdate: 'restrict' },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      follower: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      followed: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
    },
    required: ['follower', 'followed'],
    additionalProperties: false,
  },
  check: checkFollow,
})

function checkFollow(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'follower':
      case 'followed':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['follower']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'follower'], 'a whole number')
  } else portico.missing(issues, path, 'follower')
  it = value['followed']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'followed'], 'a whole number')
  } else portico.missing(issues, path, 'followed')
}

export interface Person {
  id: number
}

/** Input to insert a `Person`. Fields with a default may be omitted; `null` means no value. */
export interface PersonInsert {
  id: number
}

/** Input to replace a `Person`: every field except those filled in on write. */
export interface PersonReplace {
  id: number
}

/** Input to update a `Person`: its key and any other fields. `null` clears an optional field. */
export interface PersonUpdate {
  id: number
}

/** The primary key of a `Person`. */
export interface PersonKey {
  id: number
}

/** The relations of a `Person`, by the names used in `with`. */
export interface PersonRelations {
  following: (typeof Person)[]
}

export const Person: portico.TableDeclaration<Person, PersonInsert, PersonUpdate, PersonKey, PersonReplace, PersonRelations> = portico.defineTable({
  name: 'Person',
  table: 'persons',
  key: ['id'],
  columns: [{ path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true }],
  relations: [
    { name: 'following', kind: 'via', target: 'Person', many: true, on: [{ here: 'id', there: 'follower' }], via: { junction: 'Follow', on: [{ here: 'followed', there: 'id' }] }, table: (): portico.AnyTable => Person, junction: (): portico.AnyTable => Follow },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      following: { type: 'array', items: { type: 'object' } },
    },
    required: ['id'],
    additionalProperties: false,
  },
  check: checkPerson,
})

function checkPerson(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
        break
      case 'following':
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
  it = value['following']
  if (portico.isPresent(it, mode)) {
    if (!portico.isArray(it) || !it.every(portico.isObject)) portico.wrong(issues, [...path, 'following'], 'an array of objects')
  }
}
