// Generated from suite-photos.portico by `portico generate`. Do not edit: change suite-photos.portico and generate again.
import * as portico from '@portico/schema/runtime'
import { Tag } from './suite-names.portico.js'

portico.assertFormat(1, 'suite-photos.portico.ts')

export interface Photo {
  id: number
}

/** Input to insert a `Photo`. Fields with a default may be omitted; `null` means no value. */
export interface PhotoInsert {
  id: number
}

/** Input to replace a `Photo`: every field except those filled in on write. */
export interface PhotoReplace {
  id: number
}

/** Input to update a `Photo`: its key and any other fields. `null` clears an optional field. */
export interface PhotoUpdate {
  id: number
}

/** The primary key of a `Photo`. */
export interface PhotoKey {
  id: number
}

/** The relations of a `Photo`, by the names used in `with`. */
export interface PhotoRelations {
  tags: (typeof Tag)[]
}

export const Photo: portico.TableDeclaration<Photo, PhotoInsert, PhotoUpdate, PhotoKey, PhotoReplace, PhotoRelations> = portico.defineTable({
  name: 'Photo',
  table: 'photos',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', subtype: 'int', integer: true, key: true },
  ],
  relations: [
    { name: 'tags', kind: 'via', target: 'Tag', many: true, on: [{ here: 'id', there: 'photoId' }], via: { junction: 'Tagging', on: [{ here: 'tagId', there: 'id' }] }, table: (): portico.AnyTable => Tag, junction: (): portico.AnyTable => Tagging },
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
  check: checkPhoto,
})

function checkPhoto(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
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

export interface Tagging {
  photoId: number
  tagId: number
}

/** Input to insert a `Tagging`. Fields with a default may be omitted; `null` means no value. */
export interface TaggingInsert {
  photoId: number
  tagId: number
}

/** Input to replace a `Tagging`: every field except those filled in on write. */
export interface TaggingReplace {
  photoId: number
  tagId: number
}

/** Input to update a `Tagging`: its key and any other fields. `null` clears an optional field. */
export interface TaggingUpdate {
  photoId: number
  tagId: number
}

/** The primary key of a `Tagging`. */
export interface TaggingKey {
  photoId: number
  tagId: number
}

export const Tagging: portico.TableDeclaration<Tagging, TaggingInsert, TaggingUpdate, TaggingKey, TaggingReplace> = portico.defineTable({
  name: 'Tagging',
  table: 'photo_tags',
  key: ['photoId', 'tagId'],
  columns: [
    { path: 'photoId', name: 'photoId', type: 'number', storage: 'integer', subtype: 'int', integer: true, key: true },
    { path: 'tagId', name: 'tagId', type: 'number', storage: 'integer', subtype: 'int', integer: true, key: true },
  ],
  foreignKeys: [
    { name: 'photoId', constraint: 'photo_tags__photoId__fk', paths: ['photoId'], columns: ['photoId'], references: { declaration: 'Photo', table: 'photos', paths: ['id'], columns: ['id'] }, onDelete: 'cascade', onUpdate: 'restrict' },
    { name: 'tagId', constraint: 'photo_tags__tagId__fk', paths: ['tagId'], columns: ['tagId'], references: { declaration: 'Tag', table: 'tags', paths: ['id'], columns: ['id'] }, onDelete: 'cascade', onUpdate: 'restrict' },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      photoId: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      tagId: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
    },
    required: ['photoId', 'tagId'],
    additionalProperties: false,
  },
  check: checkTagging,
})

function checkTagging(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'photoId':
      case 'tagId':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['photoId']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'photoId'], 'a whole number')
  } else portico.missing(issues, path, 'photoId')
  it = value['tagId']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'tagId'], 'a whole number')
  } else portico.missing(issues, path, 'tagId')
}
