// Generated from tracker.portico by `portico generate`. Do not edit: change tracker.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'tracker.portico.ts')

/** The tables of the task tracker. */
export interface Project {
  id: number
  name: string
  createdAt: number
}

/** Input to insert a `Project`. Fields with a default may be omitted; `null` means no value. */
export interface ProjectInsert {
  id?: number
  name: string
  createdAt?: number
}

/** Input to replace a `Project`: every field except those filled in on write. */
export interface ProjectReplace {
  id: number
  name: string
  createdAt?: number
}

/** Input to update a `Project`: its key and any other fields. `null` clears an optional field. */
export interface ProjectUpdate {
  id: number
  name?: string
  createdAt?: number
}

/** The primary key of a `Project`. */
export interface ProjectKey {
  id: number
}

/** The relations of a `Project`, by the names used in `with`. */
export interface ProjectRelations {
  tasks: (typeof Task)[]
}

export const Project: portico.TableDeclaration<Project, ProjectInsert, ProjectUpdate, ProjectKey, ProjectReplace, ProjectRelations> = portico.defineTable({
  name: 'Project',
  table: 'projects',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true, default: { kind: 'increment', start: 1 } },
    { path: 'name', name: 'name', type: 'string', storage: 'text', subtype: 'required', expect: { maxLength: 100 } },
    { path: 'createdAt', name: 'createdAt', type: 'number', storage: 'real', subtype: 'timestamp.created', integer: true, generated: 'created' },
  ],
  indexes: [{ name: 'projects__name', unique: true, columns: [{ path: 'name', column: 'name', order: 'asc' }] }],
  relations: [
    { name: 'tasks', kind: 'from', target: 'Task', many: true, on: [{ here: 'id', there: 'projectId' }], table: (): portico.AnyTable => Task },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'The tables of the task tracker.',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      name: { type: 'string', minLength: 1, maxLength: 100 },
      createdAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      tasks: { type: 'array', items: { type: 'object' } },
    },
    required: ['id', 'name', 'createdAt'],
    additionalProperties: false,
  },
  check: checkProject,
})

function checkProject(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'name':
      case 'createdAt':
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
  it = value['name']
  if (it !== undefined) {
    if (!portico.matches(it, /[^]/)) portico.wrong(issues, [...path, 'name'], 'text that is not empty')
    else {
      if (portico.lengthOf(it) > 100) portico.broken(issues, [...path, 'name'], 'maxLength', 'expected a length of at most 100')
    }
  } else if (mode !== 'update') portico.missing(issues, path, 'name')
  it = value['createdAt']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'createdAt'], 'a whole number')
  } else if (mode === 'record') portico.missing(issues, path, 'createdAt')
  it = value['tasks']
  if (portico.isPresent(it, mode)) {
    if (!portico.isArray(it) || !it.every(portico.isObject)) portico.wrong(issues, [...path, 'tasks'], 'an array of objects')
  }
}

export interface Task {
  id: number
  title: string
  state: 'open' | 'doing' | 'done'
  /** From 1, which is urgent, to 5. */
  priority: number
  dueOn?: string
  projectId: number
  version: number
  createdAt: number
  updatedAt: number
}

/** Input to insert a `Task`. Fields with a default may be omitted; `null` means no value. */
export interface TaskInsert {
  id?: number
  title: string
  state?: 'open' | 'doing' | 'done'
  priority?: number
  dueOn?: string | null
  projectId: number
  version?: number
  createdAt?: number
  updatedAt?: number
}

/** Input to replace a `Task`: every field except those filled in on write. */
export interface TaskReplace {
  id: number
  title: string
  state: 'open' | 'doing' | 'done'
  priority: number
  dueOn?: string | null
  projectId: number
  version?: number
  createdAt?: number
  updatedAt?: number
}

/** Input to update a `Task`: its key and any other fields. `null` clears an optional field. */
export interface TaskUpdate {
  id: number
  title?: string
  state?: 'open' | 'doing' | 'done'
  priority?: number
  dueOn?: string | null
  projectId?: number
  version?: number
  createdAt?: number
  updatedAt?: number
}

/** The primary key of a `Task`. */
export interface TaskKey {
  id: number
}

/** The relations of a `Task`, by the names used in `with`. */
export interface TaskRelations {
  project: typeof Project
  tags: (typeof Tag)[]
}

export const Task: portico.TableDeclaration<Task, TaskInsert, TaskUpdate, TaskKey, TaskReplace, TaskRelations> = portico.defineTable({
  name: 'Task',
  table: 'tasks',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true, default: { kind: 'increment', start: 1 } },
    { path: 'title', name: 'title', type: 'string', storage: 'text', subtype: 'required', expect: { maxLength: 200 } },
    { path: 'state', name: 'state', type: 'string', storage: 'text', values: ['open', 'doing', 'done'], default: { kind: 'value', value: 'open' } },
    { path: 'priority', name: 'priority', type: 'number', storage: 'real', subtype: 'int', integer: true, default: { kind: 'value', value: 3 }, expect: { min: 1, max: 5 } },
    { path: 'dueOn', name: 'dueOn', type: 'string', storage: 'text', subtype: 'date', nullable: true, optional: true },
    { path: 'projectId', name: 'projectId', type: 'number', storage: 'integer', integer: true },
    { path: 'version', name: 'version', type: 'number', storage: 'real', subtype: 'int', integer: true, generated: 'version' },
    { path: 'createdAt', name: 'createdAt', type: 'number', storage: 'real', subtype: 'timestamp.created', integer: true, generated: 'created' },
    { path: 'updatedAt', name: 'updatedAt', type: 'number', storage: 'real', subtype: 'timestamp.updated', integer: true, generated: 'updated' },
  ],
  indexes: [{ name: 'tasks__state', unique: false, columns: [{ path: 'state', column: 'state', order: 'asc' }] }],
  foreignKeys: [
    { name: 'projectId', constraint: 'tasks__projectId__fk', paths: ['projectId'], columns: ['projectId'], references: { declaration: 'Project', table: 'projects', paths: ['id'], columns: ['id'] }, onDelete: 'cascade', onUpdate: 'restrict' },
  ],
  relations: [
    { name: 'project', kind: 'to', target: 'Project', many: false, on: [{ here: 'projectId', there: 'id' }], table: (): portico.AnyTable => Project },
    { name: 'tags', kind: 'via', target: 'Tag', many: true, on: [{ here: 'id', there: 'taskId' }], via: { junction: 'TaskTag', on: [{ here: 'tagId', there: 'id' }] }, table: (): portico.AnyTable => Tag, junction: (): portico.AnyTable => TaskTag },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      title: { type: 'string', minLength: 1, maxLength: 200 },
      state: { type: 'string', enum: ['open', 'doing', 'done'], default: 'open' },
      priority: {
        description: 'From 1, which is urgent, to 5.',
        type: 'integer',
        format: 'int64',
        minimum: 1,
        maximum: 5,
        default: 3,
      },
      dueOn: { type: 'string', format: 'date' },
      projectId: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      version: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      createdAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      updatedAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      project: { type: 'object' },
      tags: { type: 'array', items: { type: 'object' } },
    },
    required: ['id', 'title', 'state', 'priority', 'projectId', 'version', 'createdAt', 'updatedAt'],
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
      case 'priority':
      case 'dueOn':
      case 'projectId':
      case 'version':
      case 'createdAt':
      case 'updatedAt':
        break
      case 'project':
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
  } else if (mode !== 'insert') portico.missing(issues, path, 'id')
  it = value['title']
  if (it !== undefined) {
    if (!portico.matches(it, /[^]/)) portico.wrong(issues, [...path, 'title'], 'text that is not empty')
    else {
      if (portico.lengthOf(it) > 200) portico.broken(issues, [...path, 'title'], 'maxLength', 'expected a length of at most 200')
    }
  } else if (mode !== 'update') portico.missing(issues, path, 'title')
  it = value['state']
  if (it !== undefined) {
    if (!(it === 'open' || it === 'doing' || it === 'done')) portico.wrong(issues, [...path, 'state'], "one of 'open', 'doing', 'done'")
  } else if (mode === 'record' || mode === 'replace') portico.missing(issues, path, 'state')
  it = value['priority']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'priority'], 'a whole number')
    else {
      if (it < 1) portico.broken(issues, [...path, 'priority'], 'minimum', 'expected at least 1')
      if (it > 5) portico.broken(issues, [...path, 'priority'], 'maximum', 'expected at most 5')
    }
  } else if (mode === 'record' || mode === 'replace') portico.missing(issues, path, 'priority')
  it = value['dueOn']
  if (portico.isPresent(it, mode)) {
    if (!portico.isDate(it)) portico.wrong(issues, [...path, 'dueOn'], 'a date, such as 2026-02-28')
  }
  it = value['projectId']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'projectId'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'projectId')
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
  it = value['project']
  if (portico.isPresent(it, mode)) {
    if (!portico.isObject(it)) portico.wrong(issues, [...path, 'project'], 'an object')
  }
  it = value['tags']
  if (portico.isPresent(it, mode)) {
    if (!portico.isArray(it) || !it.every(portico.isObject)) portico.wrong(issues, [...path, 'tags'], 'an array of objects')
  }
}

export interface Tag {
  id: number
  name: string
}

/** Input to insert a `Tag`. Fields with a default may be omitted; `null` means no value. */
export interface TagInsert {
  id?: number
  name: string
}

/** Input to replace a `Tag`: every field except those filled in on write. */
export interface TagReplace {
  id: number
  name: string
}

/** Input to update a `Tag`: its key and any other fields. `null` clears an optional field. */
export interface TagUpdate {
  id: number
  name?: string
}

/** The primary key of a `Tag`. */
export interface TagKey {
  id: number
}

export const Tag: portico.TableDeclaration<Tag, TagInsert, TagUpdate, TagKey, TagReplace> = portico.defineTable({
  name: 'Tag',
  table: 'tags',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true, default: { kind: 'increment', start: 1 } },
    { path: 'name', name: 'name', type: 'string', storage: 'text', subtype: 'required', expect: { maxLength: 50 } },
  ],
  indexes: [{ name: 'tags__name', unique: true, columns: [{ path: 'name', column: 'name', order: 'asc' }] }],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      name: { type: 'string', minLength: 1, maxLength: 50 },
    },
    required: ['id', 'name'],
    additionalProperties: false,
  },
  check: checkTag,
})

function checkTag(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'name':
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
    if (!portico.matches(it, /[^]/)) portico.wrong(issues, [...path, 'name'], 'text that is not empty')
    else {
      if (portico.lengthOf(it) > 50) portico.broken(issues, [...path, 'name'], 'maxLength', 'expected a length of at most 50')
    }
  } else if (mode !== 'update') portico.missing(issues, path, 'name')
}

/** Which task has which tag: a composite key. */
export interface TaskTag {
  taskId: number
  tagId: number
}

/** Input to insert a `TaskTag`. Fields with a default may be omitted; `null` means no value. */
export interface TaskTagInsert {
  taskId: number
  tagId: number
}

/** Input to replace a `TaskTag`: every field except those filled in on write. */
export interface TaskTagReplace {
  taskId: number
  tagId: number
}

/** Input to update a `TaskTag`: its key and any other fields. `null` clears an optional field. */
export interface TaskTagUpdate {
  taskId: number
  tagId: number
}

/** The primary key of a `TaskTag`. */
export interface TaskTagKey {
  taskId: number
  tagId: number
}

export const TaskTag: portico.TableDeclaration<TaskTag, TaskTagInsert, TaskTagUpdate, TaskTagKey, TaskTagReplace> = portico.defineTable({
  name: 'TaskTag',
  table: 'task_tags',
  key: ['taskId', 'tagId'],
  columns: [
    { path: 'taskId', name: 'taskId', type: 'number', storage: 'integer', integer: true, key: true },
    { path: 'tagId', name: 'tagId', type: 'number', storage: 'integer', integer: true, key: true },
  ],
  foreignKeys: [
    { name: 'taskId', constraint: 'task_tags__taskId__fk', paths: ['taskId'], columns: ['taskId'], references: { declaration: 'Task', table: 'tasks', paths: ['id'], columns: ['id'] }, onDelete: 'cascade', onUpdate: 'restrict' },
    { name: 'tagId', constraint: 'task_tags__tagId__fk', paths: ['tagId'], columns: ['tagId'], references: { declaration: 'Tag', table: 'tags', paths: ['id'], columns: ['id'] }, onDelete: 'cascade', onUpdate: 'restrict' },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'Which task has which tag: a composite key.',
    type: 'object',
    properties: {
      taskId: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      tagId: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
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
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'tagId'], 'a whole number')
  } else portico.missing(issues, path, 'tagId')
}

/** A task that a user wants to find again. Each user has their own stars. */
export interface Star {
  userId: string
  taskId: number
}

/** Input to insert a `Star`. Fields with a default may be omitted; `null` means no value. */
export interface StarInsert {
  userId: string
  taskId: number
}

/** Input to replace a `Star`: every field except those filled in on write. */
export interface StarReplace {
  userId: string
  taskId: number
}

/** Input to update a `Star`: its key and any other fields. `null` clears an optional field. */
export interface StarUpdate {
  userId: string
  taskId: number
}

/** The primary key of a `Star`. */
export interface StarKey {
  userId: string
  taskId: number
}

export const Star: portico.TableDeclaration<Star, StarInsert, StarUpdate, StarKey, StarReplace> = portico.defineTable({
  name: 'Star',
  table: 'stars',
  key: ['userId', 'taskId'],
  columns: [
    { path: 'userId', name: 'userId', type: 'string', storage: 'text', subtype: 'uuid', key: true },
    { path: 'taskId', name: 'taskId', type: 'number', storage: 'integer', integer: true, key: true },
  ],
  foreignKeys: [
    { name: 'taskId', constraint: 'stars__taskId__fk', paths: ['taskId'], columns: ['taskId'], references: { declaration: 'Task', table: 'tasks', paths: ['id'], columns: ['id'] }, onDelete: 'cascade', onUpdate: 'restrict' },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'A task that a user wants to find again. Each user has their own stars.',
    type: 'object',
    properties: {
      userId: { type: 'string', format: 'uuid' },
      taskId: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
    },
    required: ['userId', 'taskId'],
    additionalProperties: false,
  },
  check: checkStar,
})

function checkStar(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'userId':
      case 'taskId':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['userId']
  if (it !== undefined) {
    if (!portico.isUuid(it)) portico.wrong(issues, [...path, 'userId'], 'a UUID')
  } else portico.missing(issues, path, 'userId')
  it = value['taskId']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'taskId'], 'a whole number')
  } else portico.missing(issues, path, 'taskId')
}
