import { type Database, openDatabase } from '@portico/db'
import { type MongoDatabase, mongo } from '@portico/db/mongo'
import { Person, suiteTables, Thing } from '@portico/db/testing'
import fc from 'fast-check'
import { type Document, MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { heavy } from '../../../test/support/heavy.ts'
import { hasMongo, useMongo } from './support/mongo-databases.ts'

/** A mark that may be found in values, never in names. */
const mark = 'm4rk'

/** Every operator that the adapter has a use for. */
const operators = new Set(
  [
    '$eq $ne $lt $lte $gt $gte $in $exists $regex $options $and $or $nor',
    '$set $unset $inc $max $setOnInsert $match $group $sum $db',
    '$addFields $sort $skip $limit $project $cond $ifNull $indexOfBytes $strLenBytes $subtract',
  ].flatMap((line) => line.split(' ')),
)

const hostile = [
  { $ne: null },
  { $gt: '' },
  { $where: `'${mark}'` },
  { $function: { body: mark, args: [], lang: 'js' } },
  { $regex: '.*' },
  { $in: [mark] },
  { [mark]: 1 },
  { $set: { version: 0 } },
  [{ $ne: null }],
  new RegExp(mark),
  { _bsontype: 'Code', code: mark },
  { toBSON: () => ({ $ne: null }) },
  Object.assign(() => {}, { toBSON: () => mark }),
]

describe.skipIf(!hasMongo)('on MongoDB, no value of a caller becomes an operator', () => {
  const databases = useMongo()
  let client: MongoClient
  let db: Database
  let sent: Document[] = []
  beforeAll(async () => {
    client = new MongoClient(databases.create(), { monitorCommands: true })
    client.on('commandStarted', ({ command }) => sent.push(command))
    db = await openDatabase(mongo({ db: client.db() as unknown as MongoDatabase }))
    await db.sync(suiteTables)
  })
  afterAll(async () => {
    await db?.close()
    await client?.close()
  })

  function checkNames(value: unknown): void {
    if (Array.isArray(value)) {
      for (const item of value) checkNames(item)
      return
    }
    if (typeof value !== 'object' || value === null || '_bsontype' in value) return
    for (const [name, inner] of Object.entries(value)) {
      expect(name).not.toContain(mark)
      if (name.startsWith('$') && name !== '$clusterTime') expect(operators).toContain(name)
      checkNames(inner)
    }
  }

  async function attack(call: () => Promise<unknown>): Promise<unknown> {
    sent = []
    const outcome = await call().catch((error: { code: string }) => error.code)
    for (const command of sent) checkNames(command)
    return outcome
  }

  it.each(hostile.map((value) => [value]))('%o as a value is refused, and nothing is sent', async (value) => {
    const people = db.table(Person)
    const things = db.table(Thing)
    const calls = [
      () => people.findById(value as never),
      () => people.findById({ id: value } as never),
      () => people.findMany({ where: { age: { $eq: value } } as never }),
      () => people.findMany({ where: { name: { $eq: value } } as never }),
      () => people.findMany({ where: { name: { $in: [value] } } as never }),
      () => people.findMany({ where: { name: { $like: value } } as never }),
      () => people.findMany({ limit: value as never }),
      () => people.insertOne({ name: value } as never),
      () => people.updateOne({ id: 'x', name: value } as never),
      () => people.updateMany({ name: 'x' }, { name: value } as never),
      () => people.updateMany({ age: { $not: value } } as never, { name: 'x' }),
      () => people.deleteOne({ id: value } as never),
      () => people.deleteMany({ id: { $eq: value } } as never),
      () => people.upsertOne({ id: value, name: 'x' } as never),
      () => things.insertOne({ name: 'x', tags: value } as never),
    ]
    for (const call of calls) {
      expect(['VALIDATION_FAILED', 'KEY_UNKNOWN', 'KEY_INCOMPLETE']).toContain(await attack(call))
      expect(sent).toEqual([])
    }
  })

  it('text that looks like an operator, a path or a variable stays text', async () => {
    const people = db.table(Person)
    for (const name of [`$${mark}`, `$$ROOT.${mark}`, `a.${mark}`, '$where', '{"$ne":null}', '$name', '/.*/']) {
      await attack(() => people.insertOne({ name }))
      expect(await attack(() => people.count({ name }))).toBe(1)
      await attack(() => people.updateMany({ name }, { name: `$set${mark}` }))
      expect(await attack(() => people.deleteMany({ name: `$set${mark}` }))).toEqual({ deletedCount: 1 })
    }
    await attack(() =>
      db.table(Thing).findMany({ where: { price: { $gt: '1' } }, orderBy: { price: 'asc' }, limit: 1 }),
    )
  })

  it('a pattern matches only its own meaning', { timeout: 60_000 }, async () => {
    const people = db.table(Person)
    const part = fc.constantFrom(...Array.from('%_\\.*+?^$()[]{}|/-#& aAbBkKzé🙂\n\r\u212aſ'), '\\d', '\\Q', '(?i)')
    const text = fc.array(part, { maxLength: 6 }).map((it) => it.join(''))
    const pattern = text.filter((it) => !/(?<!\\)(?:\\\\)*\\$/.test(it))
    await fc.assert(
      fc.asyncProperty(pattern, fc.array(text, { maxLength: 5 }), async (like, names) => {
        await people.deleteMany({})
        // Texts that must match, in upper and lower case.
        const literal = like.replaceAll(/\\([\s\S])|[%_]/gu, (_, escaped?: string) => escaped ?? 'x')
        const all = [...names, literal, literal.toUpperCase(), `${literal}\n`]
        await people.insertMany(all.map((name) => ({ name })))
        for (const [operator, fold] of [
          ['$like', false],
          ['$ilike', true],
        ] as const) {
          const found = (await people.findMany({ where: { name: { [operator]: like } } })).map((it) => it.name)
          expect(found.toSorted()).toEqual(all.filter((it) => matches(it, like, fold)).toSorted())
        }
      }),
      { numRuns: heavy(300) },
    )
  })
})

/** A slow reference implementation of patterns. */
function matches(text: string, pattern: string, fold: boolean): boolean {
  const lower = (it: string): string => (fold ? it.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()) : it)
  return walk(Array.from(lower(text)), Array.from(lower(pattern)))

  function walk(rest: readonly string[], parts: readonly string[]): boolean {
    const [part] = parts
    if (part === undefined) return rest.length === 0
    if (part === '%')
      return rest.some((_, index) => walk(rest.slice(index), parts.slice(1))) || walk([], parts.slice(1))
    if (rest.length === 0) return false
    const isEscape = part === '\\'
    const isFitting = part === '_' || rest[0] === (isEscape ? parts[1] : part)
    return isFitting && walk(rest.slice(1), parts.slice(isEscape ? 2 : 1))
  }
}
