// Generated from schema.portico by `portico generate`. Do not edit: change schema.portico and generate again.
import * as portico from '@portico/schema/runtime'
import { Tag } from './tags.portico.js'

portico.assertFormat(1, 'schema.portico.ts')

export interface User {
  id: number
}

/** Input to insert a `User`. Fields with a default may be omitted; `null` means no value. */
export interface UserInsert {
  id: number
}

/** Input to replace a `User`: every field except those filled in on write. */
export interface UserReplace {
  id: number
}

/** Input to update a `User`: its key and any other fields. `null` clears an optional field. */
export interface UserUpdate {
  id: number
}

/** The primary key of a `User`. */
export interface UserKey {
  id: number
}

/** The relations of a `User`, by the names used in `with`. */
export interface UserRelations {
  written: (typeof Task)[]
  owned: (typeof Task)[]
}

export const User: portico.TableDeclaration<User, UserInsert, UserUpdate, UserKey, UserReplace, UserRelations> = portico.defineTable({
  name: 'User',
  table: 'users',
  key: ['id'],
  columns: [{ path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true }],
  relations: [
    { name: 'written', kind: 'from', target: 'Task', many: true, on: [{ here: 'id', there: 'authorId' }], table: (): portico.AnyTable => Task },
    { name: 'owned', kind: 'from', target: 'Task', many: true, on: [{ here: 'id', there: 'ownerId' }], table: (): portico.AnyTable => Task },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      written: { type: 'array', items: { type: 'object' } },
      owned: { type: 'array', items: { type: 'object' } },
    },
    required: ['id'],
    additionalProperties: false,
  },
  check: checkUser,
})

function checkUser(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
        break
      case 'written':
      case 'owned':
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
  it = value['written']
  if (portico.isPresent(it, mode)) {
    if (!portico.isArray(it) || !it.every(portico.isObject)) portico.wrong(issues, [...path, 'written'], 'an array of objects')
  }
  it = value['owned']
  if (portico.isPresent(it, mode)) {
    if (!portico.isArray(it) || !it.every(portico.isObject)) portico.wrong(issues, [...path, 'owned'], 'an array of objects')
  }
}

export interface Task {
  id: number
  authorId: number
  ownerId?: number
  teamId: number
  parentId?: number
}

/** Input to insert a `Task`. Fields with a default may be omitted; `null` means no value. */
export interface TaskInsert {
  id: number
  authorId: number
  ownerId?: number | null
  teamId?: number
  parentId?: number | null
}

/** Input to replace a `Task`: every field except those filled in on write. */
export interface TaskReplace {
  id: number
  authorId: number
  ownerId?: number | null
  teamId: number
  parentId?: number | null
}

/** Input to update a `Task`: its key and any other fields. `null` clears an optional field. */
export interface TaskUpdate {
  id: number
  authorId?: number
  ownerId?: number | null
  teamId?: number
  parentId?: number | null
}

/** The primary key of a `Task`. */
export interface TaskKey {
  id: number
}

/** The relations of a `Task`, by the names used in `with`. */
export interface TaskRelations {
  author: typeof User
  team: typeof Team
  tags: (typeof Tag)[]
}

export const Task: portico.TableDeclaration<Task, TaskInsert, TaskUpdate, TaskKey, TaskReplace, TaskRelations> = portico.defineTable({
  name: 'Task',
  table: 'tasks',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true },
    { path: 'authorId', name: 'authorId', type: 'number', storage: 'integer', integer: true },
    { path: 'ownerId', name: 'ownerId', type: 'number', storage: 'integer', integer: true, nullable: true, optional: true },
    { path: 'teamId', name: 'teamId', type: 'number', storage: 'integer', integer: true, default: { kind: 'value', value: 1 } },
    { path: 'parentId', name: 'parentId', type: 'number', storage: 'integer', integer: true, nullable: true, optional: true },
  ],
  foreignKeys: [
    { name: 'author', constraint: 'tasks__author__fk', paths: ['authorId'], columns: ['authorId'], references: { declaration: 'User', table: 'users', paths: ['id'], columns: ['id'] }, onDelete: 'cascade', onUpdate: 'cascade' },
    { name: 'ownerId', constraint: 'tasks__ownerId__fk', paths: ['ownerId'], columns: ['ownerId'], references: { declaration: 'User', table: 'users', paths: ['id'], columns: ['id'] }, onDelete: 'setNull', onUpdate: 'restrict' },
    { name: 'teamId', constraint: 'tasks__teamId__fk', paths: ['teamId'], columns: ['teamId'], references: { declaration: 'Team', table: 'teams', paths: ['id'], columns: ['id'] }, onDelete: 'setDefault', onUpdate: 'restrict' },
    { name: 'parentId', constraint: 'tasks__parentId__fk', paths: ['parentId'], columns: ['parentId'], references: { declaration: 'Task', table: 'tasks', paths: ['id'], columns: ['id'] }, onDelete: 'noAction', onUpdate: 'restrict' },
  ],
  relations: [
    { name: 'author', kind: 'to', target: 'User', many: false, on: [{ here: 'authorId', there: 'id' }], table: (): portico.AnyTable => User },
    { name: 'team', kind: 'to', target: 'Team', many: false, on: [{ here: 'teamId', there: 'id' }], table: (): portico.AnyTable => Team },
    { name: 'tags', kind: 'via', target: 'Tag', many: true, on: [{ here: 'id', there: 'taskId' }], via: { junction: 'TaskTag', on: [{ here: 'tagId', there: 'id' }] }, table: (): portico.AnyTable => Tag, junction: (): portico.AnyTable => TaskTag },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      authorId: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      ownerId: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      teamId: {
        type: 'integer',
        format: 'int64',
        minimum: -9007199254740991,
        maximum: 9007199254740991,
        default: 1,
      },
      parentId: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      author: { type: 'object' },
      team: { type: 'object' },
      tags: { type: 'array', items: { type: 'object' } },
    },
    required: ['id', 'authorId', 'teamId'],
    additionalProperties: false,
  },
  check: checkTask,
})

function checkTask(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'authorId':
      case 'ownerId':
      case 'teamId':
      case 'parentId':
        break
      case 'author':
      case 'team':
      case 'tags':
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
  it = value['authorId']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'authorId'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'authorId')
  it = value['ownerId']
  if (portico.isPresent(it, mode)) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'ownerId'], 'a whole number')
  }
  it = value['teamId']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'teamId'], 'a whole number')
  } else if (mode === 'record' || mode === 'replace') portico.missing(issues, path, 'teamId')
  it = value['parentId']
  if (portico.isPresent(it, mode)) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'parentId'], 'a whole number')
  }
  it = value['author']
  if (portico.isPresent(it, mode)) {
    if (!portico.isObject(it)) portico.wrong(issues, [...path, 'author'], 'an object')
  }
  it = value['team']
  if (portico.isPresent(it, mode)) {
    if (!portico.isObject(it)) portico.wrong(issues, [...path, 'team'], 'an object')
  }
  it = value['tags']
  if (portico.isPresent(it, mode)) {
    if (!portico.isArray(it) || !it.every(portico.isObject)) portico.wrong(issues, [...path, 'tags'], 'an array of objects')
  }
}

export type TeamRef = number

export const TeamRef: portico.Schema<TeamRef> = portico.defineType({
  name: 'TeamRef',
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'integer',
    format: 'int64',
    minimum: -9007199254740991,
    maximum: 9007199254740991,
  },
  check: checkTeamRef,
})

function checkTeamRef(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isInteger(value)) portico.wrong(issues, path, 'a whole number')
}

export interface Team {
  id: number
}

/** Input to insert a `Team`. Fields with a default may be omitted; `null` means no value. */
export interface TeamInsert {
  id: number
}

/** Input to replace a `Team`: every field except those filled in on write. */
export interface TeamReplace {
  id: number
}

/** Input to update a `Team`: its key and any other fields. `null` clears an optional field. */
export interface TeamUpdate {
  id: number
}

/** The primary key of a `Team`. */
export interface TeamKey {
  id: number
}

export const Team: portico.TableDeclaration<Team, TeamInsert, TeamUpdate, TeamKey, TeamReplace> = portico.defineTable({
  name: 'Team',
  table: 'teams',
  key: ['id'],
  columns: [{ path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true }],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 } },
    required: ['id'],
    additionalProperties: false,
  },
  check: checkTeam,
})

function checkTeam(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'id'], 'a whole number')
  } else portico.missing(issues, path, 'id')
}

export interface Member {
  teamId: number
  userId: number
}

/** Input to insert a `Member`. Fields with a default may be omitted; `null` means no value. */
export interface MemberInsert {
  teamId: number
  userId: number
}

/** Input to replace a `Member`: every field except those filled in on write. */
export interface MemberReplace {
  teamId: number
  userId: number
}

/** Input to update a `Member`: its key and any other fields. `null` clears an optional field. */
export interface MemberUpdate {
  teamId: number
  userId: number
}

/** The primary key of a `Member`. */
export interface MemberKey {
  teamId: number
  userId: number
}

/** The relations of a `Member`, by the names used in `with`. */
export interface MemberRelations {
  notes: (typeof Note)[]
}

export const Member: portico.TableDeclaration<Member, MemberInsert, MemberUpdate, MemberKey, MemberReplace, MemberRelations> = portico.defineTable({
  name: 'Member',
  table: 'members',
  key: ['teamId', 'userId'],
  columns: [
    { path: 'teamId', name: 'teamId', type: 'number', storage: 'integer', integer: true, key: true },
    { path: 'userId', name: 'userId', type: 'number', storage: 'integer', integer: true, key: true },
  ],
  foreignKeys: [
    { name: 'teamId', constraint: 'members__teamId__fk', paths: ['teamId'], columns: ['teamId'], references: { declaration: 'Team', table: 'teams', paths: ['id'], columns: ['id'] }, onDelete: 'restrict', onUpdate: 'restrict' },
    { name: 'userId', constraint: 'members__userId__fk', paths: ['userId'], columns: ['userId'], references: { declaration: 'User', table: 'users', paths: ['id'], columns: ['id'] }, onDelete: 'restrict', onUpdate: 'restrict' },
  ],
  relations: [
    { name: 'notes', kind: 'from', target: 'Note', many: true, on: [{ here: 'teamId', there: 'memberTeam' }, { here: 'userId', there: 'memberUser' }], table: (): portico.AnyTable => Note },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      teamId: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      userId: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      notes: { type: 'array', items: { type: 'object' } },
    },
    required: ['teamId', 'userId'],
    additionalProperties: false,
  },
  check: checkMember,
})

function checkMember(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'teamId':
      case 'userId':
        break
      case 'notes':
        if (mode !== 'record') portico.unknownField(issues, path, name)
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['teamId']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'teamId'], 'a whole number')
  } else portico.missing(issues, path, 'teamId')
  it = value['userId']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'userId'], 'a whole number')
  } else portico.missing(issues, path, 'userId')
  it = value['notes']
  if (portico.isPresent(it, mode)) {
    if (!portico.isArray(it) || !it.every(portico.isObject)) portico.wrong(issues, [...path, 'notes'], 'an array of objects')
  }
}

export interface Note {
  id: number
  memberTeam: number
  memberUser: number
}

/** Input to insert a `Note`. Fields with a default may be omitted; `null` means no value. */
export interface NoteInsert {
  id: number
  memberTeam: number
  memberUser: number
}

/** Input to replace a `Note`: every field except those filled in on write. */
export interface NoteReplace {
  id: number
  memberTeam: number
  memberUser: number
}

/** Input to update a `Note`: its key and any other fields. `null` clears an optional field. */
export interface NoteUpdate {
  id: number
  memberTeam?: number
  memberUser?: number
}

/** The primary key of a `Note`. */
export interface NoteKey {
  id: number
}

/** The relations of a `Note`, by the names used in `with`. */
export interface NoteRelations {
  member: typeof Member
}

export const Note: portico.TableDeclaration<Note, NoteInsert, NoteUpdate, NoteKey, NoteReplace, NoteRelations> = portico.defineTable({
  name: 'Note',
  table: 'notes',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true },
    { path: 'memberTeam', name: 'memberTeam', type: 'number', storage: 'integer', integer: true },
    { path: 'memberUser', name: 'memberUser', type: 'number', storage: 'integer', integer: true },
  ],
  foreignKeys: [
    { name: 'memberTeam', constraint: 'notes__memberTeam__fk', paths: ['memberTeam', 'memberUser'], columns: ['memberTeam', 'memberUser'], references: { declaration: 'Member', table: 'members', paths: ['teamId', 'userId'], columns: ['teamId', 'userId'] }, onDelete: 'restrict', onUpdate: 'restrict' },
  ],
  relations: [
    { name: 'member', kind: 'to', target: 'Member', many: false, on: [{ here: 'memberTeam', there: 'teamId' }, { here: 'memberUser', there: 'userId' }], table: (): portico.AnyTable => Member },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      memberTeam: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      memberUser: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      member: { type: 'object' },
    },
    required: ['id', 'memberTeam', 'memberUser'],
    additionalProperties: false,
  },
  check: checkNote,
})

function checkNote(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'memberTeam':
      case 'memberUser':
        break
      case 'member':
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
  it = value['memberTeam']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'memberTeam'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'memberTeam')
  it = value['memberUser']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'memberUser'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'memberUser')
  it = value['member']
  if (portico.isPresent(it, mode)) {
    if (!portico.isObject(it)) portico.wrong(issues, [...path, 'member'], 'an object')
  }
}

export interface TaskTag {
  taskId: number
  tagId: string
}

/** Input to insert a `TaskTag`. Fields with a default may be omitted; `null` means no value. */
export interface TaskTagInsert {
  taskId: number
  tagId: string
}

/** Input to replace a `TaskTag`: every field except those filled in on write. */
export interface TaskTagReplace {
  taskId: number
  tagId: string
}

/** Input to update a `TaskTag`: its key and any other fields. `null` clears an optional field. */
export interface TaskTagUpdate {
  taskId: number
  tagId: string
}

/** The primary key of a `TaskTag`. */
export interface TaskTagKey {
  taskId: number
  tagId: string
}

export const TaskTag: portico.TableDeclaration<TaskTag, TaskTagInsert, TaskTagUpdate, TaskTagKey, TaskTagReplace> = portico.defineTable({
  name: 'TaskTag',
  table: 'task_tags',
  key: ['taskId', 'tagId'],
  columns: [
    { path: 'taskId', name: 'taskId', type: 'number', storage: 'integer', integer: true, key: true },
    { path: 'tagId', name: 'tagId', type: 'string', storage: 'text', subtype: 'uuid', key: true },
  ],
  foreignKeys: [
    { name: 'taskId', constraint: 'task_tags__taskId__fk', paths: ['taskId'], columns: ['taskId'], references: { declaration: 'Task', table: 'tasks', paths: ['id'], columns: ['id'] }, onDelete: 'restrict', onUpdate: 'restrict' },
    { name: 'tagId', constraint: 'task_tags__tagId__fk', paths: ['tagId'], columns: ['tagId'], references: { declaration: 'Tag', table: 'tags', paths: ['id'], columns: ['id'] }, onDelete: 'restrict', onUpdate: 'restrict' },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      taskId: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      tagId: { type: 'string', format: 'uuid' },
    },
    required: ['taskId', 'tagId'],
    additionalProperties: false,
  },
  check: checkTaskTag,
})

function checkTaskTag(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'taskId':
      case 'tagId':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['taskId']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'taskId'], 'a whole number')
  } else portico.missing(issues, path, 'taskId')
  it = value['tagId']
  if (it !== undefined) {
    if (!portico.isUuid(it)) portico.wrong(issues, [...path, 'tagId'], 'a UUID')
  } else portico.missing(issues, path, 'tagId')
}
