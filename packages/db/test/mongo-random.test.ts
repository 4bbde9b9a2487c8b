/** Random tables whose fields are named like what every object has: MongoDB answers as SQLite does. */
import { type Database, DbError, openDatabase } from '@portico/db'
import { mongo } from '@portico/db/mongo'
import { sqlite } from '@portico/db/sqlite'
import type { TableModel } from '@portico/schema/model'
import { describe, expect, it } from 'vitest'
import { heavy } from '../../../test/support/heavy.ts'
import { hasMongo, useMongo } from './support/mongo-databases.ts'
import { createRandom, type Random } from './support/random-model.ts'
import { tableOf } from './support/statements.ts'
import { notes } from './support/sync.ts'

const names = [
  'constructor',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'isPrototypeOf',
  'prototype',
  'length',
  'name',
  'keys',
]
const types = ['string', 'number', 'number.int', 'boolean', 'decimal', 'string[]'] as const
const texts = ['', 'a', '__proto__', 'constructor', '$a', 'a.b', '🙂']

type Type = (typeof types)[number]
type Fields = Record<string, unknown>

interface Field {
  readonly name: string
  readonly type: Type
  readonly isOptional: boolean
  /** Its parent object. */
  readonly inside: string | undefined
}

const SEEDS = heavy(100)

class Maker {
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  pick<T>(list: readonly T[]): T {
    return list[this.#random(list.length)]!
  }

  #shuffle<T>(list: readonly T[]): T[] {
    return list
      .map((it) => [this.#random(1000), it] as const)
      .sort(([a], [b]) => a - b)
      .map(([, it]) => it)
  }

  fields(): Field[] {
    const [first, second, group, ...others] = this.#shuffle(names)
    const make = (name: string, inside?: string, isOptional = this.#random(2) === 0): Field => {
      return { name, type: this.pick(types), isOptional, inside }
    }
    // A required one shows that the object is there.
    const nested = [make(others[0]!, group, false), make(others[1]!, group)]
    return [make(first!), make(second!), ...nested]
  }

  table(fields: readonly Field[]): TableModel {
    const declare = ({ name, type, isOptional }: Field): string => `${name}${isOptional ? '?' : ''}: ${type}`
    const nested = fields.filter((it) => it.inside !== undefined)
    const flat = fields.filter((it) => it.inside === undefined)
    return notes(...flat.map(declare), `${nested[0]!.inside}?: { ${nested.map(declare).join(', ')} }`)[0]!
  }

  record(id: number, fields: readonly Field[]): Fields {
    const record: Fields = { id }
    const isThere = this.#random(3) > 0
    for (const field of fields) {
      const { name, inside, isOptional } = field
      if ((isOptional && this.#random(2) === 0) || (inside !== undefined && !isThere)) continue
      const holder = inside === undefined ? record : ((Object.hasOwn(record, inside) ? record[inside] : {}) as Fields)
      holder[name] = this.value(field.type)
      if (inside !== undefined) record[inside] = holder
    }
    return record
  }

  value(type: Type): unknown {
    switch (type) {
      case 'string':
        return this.pick(texts)
      case 'number':
        return this.#random(100) / 8
      case 'number.int':
        return this.#random(5) - 2
      case 'boolean':
        return this.#random(2) === 0
      case 'decimal':
        return `${this.#random(20)}.${1 + this.#random(9)}`
      case 'string[]':
        return Array.from({ length: this.#random(3) }, () => this.pick(texts))
    }
  }

  /** Conditions by two fields at once: one that is lost shows. */
  filter(fields: readonly Field[]): Fields {
    const asked = [this.pick(fields), this.pick(fields)]
    const condition = ({ type }: Field): unknown => {
      if (type === 'string[]' || this.#random(4) === 0) return { $null: this.#random(2) === 0 }
      return type === 'string'
        ? { $like: this.pick(['%a%', 'a%', '_%', '%']) }
        : { [this.pick(['$gte', '$lt', '$ne'])]: this.value(type) }
    }
    const where = asked.map(
      (it) => [it.inside === undefined ? it.name : `${it.inside}.${it.name}`, condition(it)] as const,
    )
    return this.#random(3) === 0 ? { $not: Object.fromEntries(where) } : Object.fromEntries(where)
  }
}

async function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof DbError)) throw error
    return error.code
  }
}

describe.skipIf(!hasMongo)('random tables with inherited names', () => {
  const databases = useMongo()

  it(`${SEEDS} of them have the same answers as on SQLite`, { timeout: 600_000 }, async () => {
    for (let seed = 0; seed < SEEDS; seed++) {
      const maker = new Maker(createRandom(seed))
      const fields = maker.fields()
      const model = maker.table(fields)
      await using db = await openDatabase(mongo({ url: databases.create() }))
      await using oracle = await openDatabase(sqlite({ file: ':memory:' }))
      for (const it of [db, oracle]) await it.sync([model])
      const both = async (reason: string, call: (table: ReturnType<Database['table']>) => Promise<unknown>) => {
        const table = tableOf(model)
        const [expected, found] = [
          await outcomeOf(call(oracle.table(table) as never)),
          await outcomeOf(call(db.table(table) as never)),
        ]
        expect(JSON.stringify(found), `seed ${seed}: ${reason}`).toBe(JSON.stringify(expected))
      }
      const rows = Array.from({ length: 6 }, (_, index) => maker.record(index, fields))
      await both('insert', (table) => table.insertMany(rows as never))
      for (let round = 0; round < 6; round++) {
        const where = maker.filter(fields)
        const changed = maker.record(maker.pick([0, 1, 2, 9]), fields)
        const reason = JSON.stringify([where, changed])
        await both(reason, (table) => table.findMany({ where, orderBy: { id: 'asc' } } as never))
        await both(reason, (table) => table.replaceOne(changed as never))
        await both(reason, (table) => table.upsertOne(maker.pick([changed]) as never))
        await both(reason, (table) => table.findMany({ orderBy: { id: 'desc' } } as never))
      }
      const where = maker.filter(fields)
      await both(`delete ${JSON.stringify(where)}`, (table) => table.deleteMany(where as never))
      await both('what is left', (table) => table.findMany({ orderBy: { id: 'asc' } } as never))
    }
    expect(({} as Fields)['team']).toBeUndefined()
  })
})
