/** Names that could be confused with others, and values that look like an empty condition. */
import assert from 'node:assert/strict'
import type { AnyTable } from '@portico/schema/runtime'
import type { Database } from '../database.ts'
import type { TableOperations } from '../table/table-operations.ts'
import { Person, Team } from './suite.portico.ts'
import { type AdapterCase, expectCode } from './suite-case.ts'
import { Inherited, Post, Reply, Tag, Tagging } from './suite-names.portico.ts'
import { Photo, Tagging as PhotoTagging } from './suite-photos.portico.ts'

/** Ordered so that each table refers only to earlier ones. */
export const namesTables: readonly AnyTable[] = [Inherited, Tag, Post, Tagging, Photo, PhotoTagging, Reply]

/** TypeScript mistakes inherited properties for fields of another type, so the input is not typed. */
function inheritedOf(db: Database): TableOperations {
  return db.table(Inherited) as unknown as TableOperations
}

const small = { constructor: 'a', valueOf: 1, propertyIsEnumerable: { valueOf: { x: 'y' } } }
const full = {
  constructor: 'b',
  valueOf: 2,
  toString: 'text',
  isPrototypeOf: 'given',
  hasOwnProperty: { constructor: 'inner', toString: 'deep' },
  propertyIsEnumerable: { valueOf: { hasOwnProperty: 'deeper', x: 'y' } },
  toLocaleString: { constructor: 'json', toString: ['list'] },
  other: 'o',
}
const filled = { isPrototypeOf: 'preset', __defineGetter__: 1 }

/** Values for which `Object.keys` returns no names, or not all of them. */
const unreadable: readonly (readonly [string, unknown])[] = [
  ['a promise', Promise.resolve({ name: 'nobody' })],
  ['a map', new Map([['name', 'nobody']])],
  ['a set', new Set(['name'])],
  ['a date', new Date(0)],
  ['a function', () => ({ name: 'nobody' })],
  [
    'an instance with a getter',
    new (class {
      get name() {
        return 'nobody'
      }
    })(),
  ],
  ['an object that inherits its fields', Object.create({ name: 'nobody' })],
  ['an object with a hidden field', Object.defineProperty({}, 'name', { value: 'nobody' })],
  // Operators of other libraries.
  ['an object whose names are symbols', { [Symbol('eq')]: 'nobody' }],
]

export const nameCases: readonly AdapterCase[] = [
  {
    name: 'names > fields may have the names of inherited properties, in every operation',
    async run({ db }) {
      const table = inheritedOf(db)
      const [first, second] = await table.insertMany([small, full])
      assert.deepEqual(first, { ...small, ...filled })
      assert.deepEqual(second, { ...full, __defineGetter__: 1 })
      assert.deepEqual(await table.findById('a'), first)
      assert.deepEqual(await table.findById({ constructor: 'b' }), second)
      assert.deepEqual(await table.findMany({ orderBy: { valueOf: 'desc' } }), [second, first])
      assert.deepEqual(
        await table.findOne({ where: { toString: 'text' }, select: ['constructor', 'hasOwnProperty'] }),
        {
          constructor: 'b',
          hasOwnProperty: full.hasOwnProperty,
        },
      )
      for (const [where, count] of [
        [{ toString: null }, 1],
        [{ hasOwnProperty: null }, 1],
        [{ 'hasOwnProperty.toString': 'deep' }, 1],
        [{ 'propertyIsEnumerable.valueOf.hasOwnProperty': null }, 1],
        [{ constructor: { $in: ['a', 'b'] }, valueOf: { $gt: 1 } }, 1],
        [{ toString: 'nobody', isPrototypeOf: 'given' }, 0],
      ] as const) {
        assert.equal(await table.count(where), count, JSON.stringify(where))
      }
      const update = { constructor: 'a', toString: 'new', hasOwnProperty: { constructor: 'c' }, __defineGetter__: 1 }
      assert.deepEqual(await table.updateOne(update), { matchedCount: 1, modifiedCount: 1 })
      await expectCode('VERSION_CONFLICT', table.updateOne(update))
      assert.deepEqual(await table.findById('a'), { ...first, ...update, __defineGetter__: 2 })
      await table.updateMany({ toString: 'new' }, { toString: null, hasOwnProperty: null })
      assert.deepEqual(await table.findById('a'), { ...first, __defineGetter__: 3 })
      await table.replaceOne({ ...small, isPrototypeOf: 'r', toLocaleString: full.toLocaleString })
      const replaced = { ...small, isPrototypeOf: 'r', toLocaleString: full.toLocaleString, __defineGetter__: 4 }
      assert.deepEqual(await table.findById('a'), replaced)
      assert.deepEqual(await table.upsertOne({ ...small, toString: 'u' }), {
        ...replaced,
        toString: 'u',
        __defineGetter__: 5,
      })
      assert.deepEqual(
        (await expectCode('UNIQUE_VIOLATION', table.insertOne({ ...small, constructor: 'x' }))).code,
        'UNIQUE_VIOLATION',
      )
      assert.deepEqual(await table.deleteMany({ toString: 'nobody', valueOf: 2 }), { deletedCount: 0 })
      assert.deepEqual(await table.deleteOne('a'), { deletedCount: 1 })
      assert.deepEqual(await table.deleteMany({ toString: 'text', valueOf: 2 }), { deletedCount: 1 })
    },
  },
  {
    name: 'names > inherited properties are never input: a missing field stays missing',
    async run({ db }) {
      const table = inheritedOf(db)
      const { issues } = await expectCode('VALIDATION_FAILED', table.insertOne({ other: 'o' }))
      assert.deepEqual(issues.map((it) => it.path.join('.')).sort(), ['constructor', 'propertyIsEnumerable', 'valueOf'])
      await expectCode('KEY_INCOMPLETE', table.findById({}))
      await expectCode('KEY_INCOMPLETE', table.updateOne({ toString: 'x' }))
      await expectCode('KEY_INCOMPLETE', table.deleteOne({}))
    },
  },
  {
    name: 'names > two junction tables declared under one name are kept apart',
    async run({ db }) {
      await db.table(Tag).insertMany([
        { id: 1, name: 'of a post' },
        { id: 2, name: 'of a photo' },
      ])
      await db.table(Post).insertOne({ id: 1 })
      await db.table(Photo).insertOne({ id: 1 })
      await db.table(Tagging).insertOne({ postId: 1, tagId: 1 })
      await db.table(PhotoTagging).insertOne({ photoId: 1, tagId: 2 })
      for (const _ of ['first', 'again']) {
        assert.deepEqual(await db.table(Post).findMany({ with: { tags: true } }), [
          { id: 1, tags: [{ id: 1, name: 'of a post' }] },
        ])
        assert.deepEqual(await db.table(Photo).findMany({ with: { tags: true } }), [
          { id: 1, tags: [{ id: 2, name: 'of a photo' }] },
        ])
      }
    },
  },
  {
    name: 'filters > refuse anything but a plain object, in every operation and at every depth',
    async run({ db }) {
      const people = db.table(Person)
      await people.insertMany([{ name: 'ann' }, { name: 'ben' }])
      for (const [title, value] of unreadable) {
        const where = value as never
        const calls: readonly (() => Promise<unknown>)[] = [
          () => people.deleteMany(where),
          () => people.updateMany(where, { age: 1 }),
          () => people.count(where),
          () => people.exists(where),
          () => people.findMany({ where }),
          () => people.findOne({ where }),
          () => people.stream({ where }).next(),
          () => people.deleteMany({ $and: [where] }),
          () => people.deleteMany({ $or: [{ name: 'x' }, where] }),
          () => people.deleteMany({ $not: { $not: where } }),
          () => people.deleteMany({ name: where }),
          () => people.deleteMany({ name: { $ne: where } }),
          () => people.deleteMany({ name: { $nin: where } }),
          () => people.findMany(where),
          () => people.findOne(where),
          () => people.stream(where).next(),
          () => people.findMany({ with: where }),
          () => people.findMany({ with: { team: where } }),
          () => people.findMany({ with: { team: { where } } }),
          () => people.findMany({ orderBy: where }),
          () => people.updateMany({ name: 'ann' }, where),
        ]
        for (const [index, call] of calls.entries()) {
          await assert.rejects(call, { code: 'VALIDATION_FAILED' }, `${title}, call ${index}`)
        }
      }
      const { message } = await expectCode('VALIDATION_FAILED', people.deleteMany(Promise.resolve({}) as never))
      assert.match(message, /is a promise: await it/)
      assert.equal(await people.count({ age: null }), 2)
    },
  },
  {
    name: 'filters > accept an object without a prototype, and refuse holes in a list',
    async run({ db }) {
      const people = db.table(Person)
      await people.insertMany([{ name: 'ann' }, { name: 'ben' }])
      const bare = Object.assign(Object.create(null) as object, { name: 'ann' })
      assert.equal(await people.count(bare), 1)
      assert.equal(await people.count({ $or: [bare, { name: 'ben' }] }), 2)
      const holes = Object.assign([], { length: 1 }) as never
      for (const where of [{ $and: holes }, { $or: holes }, { name: { $nin: holes } }, { name: { $in: holes } }]) {
        await expectCode('VALIDATION_FAILED', people.deleteMany(where))
      }
      assert.equal(await people.count(), 2)
      assert.equal(await db.table(Team).count(), 0)
    },
  },
]
