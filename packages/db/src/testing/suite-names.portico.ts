// Generated from suite-names.portico by `portico generate`. Do not edit: change suite-names.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'suite-names.portico.ts')

/** Fields with the names of inherited properties: required and optional, top-level and nested. */
export interface Inherited {
  constructor: string
  valueOf: number
  toString?: string
  isPrototypeOf: string
  hasOwnProperty?: { constructor: string; toString?: string }
  propertyIsEnumerable: { valueOf: { hasOwnProperty?: string; x: string } }
  toLocaleString?: { constructor: string; toString?: string[] }
  __defineGetter__: number
  other?: string
}

/** Input to insert an `Inherited`. Fields with a default may be omitted; `null` means no value. */
export interface InheritedInsert {
  constructor: string
  valueOf: number
  toString?: string | null
  isPrototypeOf?: string
  hasOwnProperty?: { constructor: string; toString?: string | null } | null
  propertyIsEnumerable: { valueOf: { hasOwnProperty?: string | null; x: string } }
  toLocaleString?: { constructor: string; toString?: string[] } | null
  __defineGetter__?: number
  other?: string | null
}

/** Input to replace an `Inherited`: every field except those filled in on write. */
export interface InheritedReplace {
  constructor: string
  valueOf: number
  toString?: string | null
  isPrototypeOf: string
  hasOwnProperty?: { constructor: string; toString?: string | null } | null
  propertyIsEnumerable: { valueOf: { hasOwnProperty?: string | null; x: string } }
  toLocaleString?: { constructor: string; toString?: string[] } | null
  __defineGetter__?: number
  other?: string | null
}

/** Input to update an `Inherited`: its key and any other fields. `null` clears an optional field. */
export interface InheritedUpdate {
  constructor: string
  valueOf?: number
  toString?: string | null
  isPrototypeOf?: string
  hasOwnProperty?: { constructor: string; toString?: string | null } | null
  propertyIsEnumerable?: { valueOf: { hasOwnProperty?: string | null; x: string } }
  toLocaleString?: { constructor: string; toString?: string[] } | null
  __defineGetter__?: number
  other?: string | null
}

/** The primary key of an `Inherited`. */
export interface InheritedKey {
  constructor: string
}

export const Inherited: portico.TableDeclaration<Inherited, InheritedInsert, InheritedUpdate, InheritedKey, InheritedReplace> = portico.defineTable({
  name: 'Inherited',
  table: 'inherited',
  key: ['constructor'],
  columns: [
    { path: 'constructor', name: 'constructor', type: 'string', storage: 'text', key: true },
    { path: 'valueOf', name: 'valueOf', type: 'number', storage: 'real', subtype: 'int', integer: true },
    { path: 'toString', name: 'toString', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'isPrototypeOf', name: 'isPrototypeOf', type: 'string', storage: 'text', default: { kind: 'value', value: 'preset' } },
    { path: 'hasOwnProperty.constructor', name: 'hasOwnProperty__constructor', type: 'string', storage: 'text', nullable: true },
    { path: 'hasOwnProperty.toString', name: 'hasOwnProperty__toString', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'propertyIsEnumerable.valueOf.hasOwnProperty', name: 'propertyIsEnumerable__valueOf__hasOwnProperty', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'propertyIsEnumerable.valueOf.x', name: 'propertyIsEnumerable__valueOf__x', type: 'string', storage: 'text' },
    { path: 'toLocaleString', name: 'toLocaleString', type: 'json', storage: 'json', shape: 'object', nullable: true, optional: true },
    { path: '__defineGetter__', name: 'constructor__of', type: 'number', storage: 'real', subtype: 'int', integer: true, generated: 'version' },
    { path: 'other', name: 'other', type: 'string', storage: 'text', nullable: true, optional: true },
  ],
  groups: [
    { path: 'hasOwnProperty', optional: true, presence: 'hasOwnProperty__constructor' },
    { path: 'propertyIsEnumerable', optional: false },
    { path: 'propertyIsEnumerable.valueOf', optional: false },
  ],
  indexes: [
    { name: 'inherited__valueOf', unique: true, columns: [{ path: 'valueOf', column: 'valueOf', order: 'asc' }] },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'Fields with the names of inherited properties: required and optional, top-level and nested.',
    type: 'object',
    properties: {
      constructor: { type: 'string' },
      valueOf: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      toString: { type: 'string' },
      isPrototypeOf: { type: 'string', default: 'preset' },
      hasOwnProperty: {
        type: 'object',
        properties: { constructor: { type: 'string' }, toString: { type: 'string' } },
        required: ['constructor'],
        additionalProperties: false,
      },
      propertyIsEnumerable: {
        type: 'object',
        properties: {
          valueOf: {
            type: 'object',
            properties: { hasOwnProperty: { type: 'string' }, x: { type: 'string' } },
            required: ['x'],
            additionalProperties: false,
          },
        },
        required: ['valueOf'],
        additionalProperties: false,
      },
      toLocaleString: {
        type: 'object',
        properties: { constructor: { type: 'string' }, toString: { type: 'array', items: { type: 'string' } } },
        required: ['constructor'],
        additionalProperties: false,
      },
      __defineGetter__: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      other: { type: 'string' },
    },
    required: ['constructor', 'valueOf', 'isPrototypeOf', 'propertyIsEnumerable', '__defineGetter__'],
    additionalProperties: false,
  },
  check: checkInherited,
})

function checkInherited(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'constructor':
      case 'valueOf':
      case 'toString':
      case 'isPrototypeOf':
      case 'hasOwnProperty':
      case 'propertyIsEnumerable':
      case 'toLocaleString':
      case '__defineGetter__':
      case 'other':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = portico.own(value, 'constructor')
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'constructor'], 'text')
  } else portico.missing(issues, path, 'constructor')
  it = portico.own(value, 'valueOf')
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'valueOf'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'valueOf')
  it = portico.own(value, 'toString')
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'toString'], 'text')
  }
  it = portico.own(value, 'isPrototypeOf')
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'isPrototypeOf'], 'text')
  } else if (mode === 'record' || mode === 'replace') portico.missing(issues, path, 'isPrototypeOf')
  it = portico.own(value, 'hasOwnProperty')
  if (portico.isPresent(it, mode)) {
    checkInheritedHasOwnProperty(it, [...path, 'hasOwnProperty'], issues, portico.nested(mode))
  }
  it = portico.own(value, 'propertyIsEnumerable')
  if (it !== undefined) {
    checkInheritedPropertyIsEnumerable(it, [...path, 'propertyIsEnumerable'], issues, portico.nested(mode))
  } else if (mode !== 'update') portico.missing(issues, path, 'propertyIsEnumerable')
  it = portico.own(value, 'toLocaleString')
  if (portico.isPresent(it, mode)) {
    checkInheritedToLocaleString(it, [...path, 'toLocaleString'], issues, 'record')
  }
  it = portico.own(value, '__defineGetter__')
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, '__defineGetter__'], 'a whole number')
  } else if (mode === 'record') portico.missing(issues, path, '__defineGetter__')
  it = value['other']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'other'], 'text')
  }
}

function checkInheritedHasOwnProperty(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'constructor':
      case 'toString':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = portico.own(value, 'constructor')
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'constructor'], 'text')
  } else portico.missing(issues, path, 'constructor')
  it = portico.own(value, 'toString')
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'toString'], 'text')
  }
}

function checkInheritedPropertyIsEnumerable(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'valueOf':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = portico.own(value, 'valueOf')
  if (it !== undefined) {
    checkInheritedPropertyIsEnumerableValueOf(it, [...path, 'valueOf'], issues, portico.nested(mode))
  } else portico.missing(issues, path, 'valueOf')
}

function checkInheritedToLocaleString(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'constructor':
      case 'toString':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = portico.own(value, 'constructor')
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'constructor'], 'text')
  } else portico.missing(issues, path, 'constructor')
  it = portico.own(value, 'toString')
  if (portico.isPresent(it, mode)) {
    if (!portico.isArray(it)) portico.wrong(issues, [...path, 'toString'], 'an array')
    else {
      for (const [index, item] of it.entries()) {
        if (!portico.isString(item)) portico.wrong(issues, [...path, 'toString', index], 'text')
      }
    }
  }
}

function checkInheritedPropertyIsEnumerableValueOf(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'hasOwnProperty':
      case 'x':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = portico.own(value, 'hasOwnProperty')
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'hasOwnProperty'], 'text')
  }
  it = value['x']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'x'], 'text')
  } else portico.missing(issues, path, 'x')
}

export interface Post {
  id: number
}

/** Input to insert a `Post`. Fields with a default may be omitted; `null` means no value. */
export interface PostInsert {
  id: number
}

/** Input to replace a `Post`: every field except those filled in on write. */
export interface PostReplace {
  id: number
}

/** Input to update a `Post`: its key and any other fields. `null` clears an optional field. */
export interface PostUpdate {
  id: number
}

/** The primary key of a `Post`. */
export interface PostKey {
  id: number
}

/** The relations of a `Post`, by the names used in `with`. */
export interface PostRelations {
  tags: (typeof Tag)[]
}

export const Post: portico.TableDeclaration<Post, PostInsert, PostUpdate, PostKey, PostReplace, PostRelations> = portico.defineTable({
  name: 'Post',
  table: 'posts',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', subtype: 'int', integer: true, key: true },
  ],
  relations: [
    { name: 'tags', kind: 'via', target: 'Tag', many: true, on: [{ here: 'id', there: 'postId' }], via: { junction: 'Tagging', on: [{ here: 'tagId', there: 'id' }] }, table: (): portico.AnyTable => Tag, junction: (): portico.AnyTable => Tagging },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      tags: { type: 'array', items: { type: 'object' } },
    },
    required: ['id'],
    additionalProperties: false,
  },
  check: checkPost,
})

function checkPost(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
        break
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
  id: number
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
    { path: 'id', name: 'id', type: 'number', storage: 'integer', subtype: 'int', integer: true, key: true },
    { path: 'name', name: 'name', type: 'string', storage: 'text' },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      name: { type: 'string' },
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
  } else portico.missing(issues, path, 'id')
  it = value['name']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'name'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'name')
}

/** `suite-photos` has a junction of the same name. */
export interface Tagging {
  postId: number
  tagId: number
}

/** Input to insert a `Tagging`. Fields with a default may be omitted; `null` means no value. */
export interface TaggingInsert {
  postId: number
  tagId: number
}

/** Input to replace a `Tagging`: every field except those filled in on write. */
export interface TaggingReplace {
  postId: number
  tagId: number
}

/** Input to update a `Tagging`: its key and any other fields. `null` clears an optional field. */
export interface TaggingUpdate {
  postId: number
  tagId: number
}

/** The primary key of a `Tagging`. */
export interface TaggingKey {
  postId: number
  tagId: number
}

export const Tagging: portico.TableDeclaration<Tagging, TaggingInsert, TaggingUpdate, TaggingKey, TaggingReplace> = portico.defineTable({
  name: 'Tagging',
  table: 'post_tags',
  key: ['postId', 'tagId'],
  columns: [
    { path: 'postId', name: 'postId', type: 'number', storage: 'integer', subtype: 'int', integer: true, key: true },
    { path: 'tagId', name: 'tagId', type: 'number', storage: 'integer', subtype: 'int', integer: true, key: true },
  ],
  foreignKeys: [
    { name: 'postId', constraint: 'post_tags__postId__fk', paths: ['postId'], columns: ['postId'], references: { declaration: 'Post', table: 'posts', paths: ['id'], columns: ['id'] }, onDelete: 'cascade', onUpdate: 'restrict' },
    { name: 'tagId', constraint: 'post_tags__tagId__fk', paths: ['tagId'], columns: ['tagId'], references: { declaration: 'Tag', table: 'tags', paths: ['id'], columns: ['id'] }, onDelete: 'cascade', onUpdate: 'restrict' },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: '`suite-photos` has a junction of the same name.',
    type: 'object',
    properties: {
      postId: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      tagId: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
    },
    required: ['postId', 'tagId'],
    additionalProperties: false,
  },
  check: checkTagging,
})

function checkTagging(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'postId':
      case 'tagId':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['postId']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'postId'], 'a whole number')
  } else portico.missing(issues, path, 'postId')
  it = value['tagId']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'tagId'], 'a whole number')
  } else portico.missing(issues, path, 'tagId')
}

/** Refers to its own table, and cannot be deleted while another refers to it. */
export interface Reply {
  id: number
  parentId?: number
}

/** Input to insert a `Reply`. Fields with a default may be omitted; `null` means no value. */
export interface ReplyInsert {
  id: number
  parentId?: number | null
}

/** Input to replace a `Reply`: every field except those filled in on write. */
export interface ReplyReplace {
  id: number
  parentId?: number | null
}

/** Input to update a `Reply`: its key and any other fields. `null` clears an optional field. */
export interface ReplyUpdate {
  id: number
  parentId?: number | null
}

/** The primary key of a `Reply`. */
export interface ReplyKey {
  id: number
}

export const Reply: portico.TableDeclaration<Reply, ReplyInsert, ReplyUpdate, ReplyKey, ReplyReplace> = portico.defineTable({
  name: 'Reply',
  table: 'replies',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', subtype: 'int', integer: true, key: true },
    { path: 'parentId', name: 'parentId', type: 'number', storage: 'integer', subtype: 'int', integer: true, nullable: true, optional: true },
  ],
  foreignKeys: [
    { name: 'parentId', constraint: 'replies__parentId__fk', paths: ['parentId'], columns: ['parentId'], references: { declaration: 'Reply', table: 'replies', paths: ['id'], columns: ['id'] }, onDelete: 'restrict', onUpdate: 'restrict' },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'Refers to its own table, and cannot be deleted while another refers to it.',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      parentId: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
    },
    required: ['id'],
    additionalProperties: false,
  },
  check: checkReply,
})

function checkReply(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'parentId':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'id'], 'a whole number')
  } else portico.missing(issues, path, 'id')
  it = value['parentId']
  if (portico.isPresent(it, mode)) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'parentId'], 'a whole number')
  }
}
