/** Random calls of tables, with values at which engines differ when nobody looks: all of it follows from a seed. */
import type { Queryable } from '@portico/db'
import { Group, Membership, Person, Team, Thing } from '@portico/db/testing'
import type { LooseTable } from './declare.ts'
import type { Random } from './random-model.ts'

type Fields = Record<string, unknown>
type CallName =
  | 'insertOne'
  | 'insertMany'
  | 'upsertOne'
  | 'updateOne'
  | 'updateMany'
  | 'deleteOne'
  | 'deleteMany'
  | 'count'
  | 'findMany'

export interface RandomCall {
  /** The call, for the message about a difference. */
  readonly described: unknown
  readonly run: (db: Queryable) => Promise<unknown>
}

/** Below U+E000 or beyond U+FFFF: in between, one of the servers sorts as Java does. */
const words = "  a A á a\u0301 ß SS K \u212a ı 🙂 a🙂 日本 % _ \\ ' ` | $a a.b null -0 1e3 {} __proto__".split(' ')
const texts = [...words, ' ', 'a ', 'x\n', '"', 'x'.repeat(200)]
const wide = [2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER]
const wholes = [0, 1, -1, 5, 255, ...wide]
const reals = [...wholes, -0, 0.1, -1.5, 1e-7, 1e21, 5e-324, Number.MAX_VALUE, 0.1 + 0.2]
const decimals = '0 -0 1 01 -1 1.0 0.10 -0.1 9 10 -9 -10 99.99 1234567 -1.01 2'.split(' ')
const ids = ['a', 'b', 'c', 'd'].map((it) => `00000000-0000-7000-8000-00000000000${it}`)
const patterns = [...Array.from("%_aAá🙂 k|.*[^'ß\n日"), '\\%', '\\_', '\\\\']

export class CallMaker {
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  make(): RandomCall {
    const kinds = this.#kinds()
    const kind = this.#pick([kinds[0]!, ...kinds])
    const call = (name: CallName, ...args: unknown[]): RandomCall => ({
      described: [kind.table.name, name, ...args],
      run: (db) => callTable(db, kind.table, name, structuredClone(args)),
    })
    const key = kind.key()
    const record = { ...key, ...kind.body() }
    const where = this.#filter(kind.columns)
    const some = Object.fromEntries(Object.entries(record).filter(([name]) => name in key || this.#chance(3)))
    const changes = Object.fromEntries(Object.entries(some).filter(([name]) => !(name in key)))
    switch (this.#random(10)) {
      case 0:
      case 1:
        return call('insertOne', record)
      case 2:
        return call('insertMany', [record, { ...kind.key(), ...kind.body() }, { ...kind.key(), ...kind.body() }])
      case 3:
        return call('upsertOne', record)
      case 4:
        return call('updateOne', some)
      case 5:
        return call('updateMany', { $and: [key, where] }, changes)
      case 6:
        return this.#chance(2) ? call('deleteOne', key) : call('deleteMany', { $and: [key, where] })
      case 7:
        return call('count', where)
      default:
        return call('findMany', this.#query(kind.columns, kind.key(), where))
    }
  }

  #kinds(): { table: LooseTable; key: () => Fields; body: () => Fields; columns: Record<string, () => unknown> }[] {
    const text = (): string => this.#pick(texts)
    const real = (): number => this.#pick(reals)
    const whole = (): number => this.#pick(wholes)
    const decimal = (): string => this.#pick(decimals)
    const flag = (): boolean => this.#chance(2)
    const id = (): number => this.#random(8)
    const person = (): string => this.#pick(ids)
    const region = (): string => this.#pick(['eu', 'EU', 'eu ', 'é'])
    const thing = (): Fields => ({
      name: `${text()}${this.#random(9)}`,
      kind: this.#pick(['small', 'big']),
      ratio: real(),
      whole: whole(),
      flag: flag(),
      price: decimal(),
      tags: Array.from({ length: this.#random(3) }, text),
      address: { city: text(), ...(flag() && { geo: { lat: real(), lng: real() } }) },
      state: text(),
      ...this.#maybe({ amount: decimal, note: text, score: real, checked: flag, at: whole, rank: whole }),
      ...this.#maybe({ extra: () => ({ a: real(), ...(flag() && { b: [text()] }) }) }),
    })
    const loose = (table: unknown): LooseTable => table as LooseTable
    return [
      {
        table: loose(Thing),
        key: () => ({ id: id() }),
        body: thing,
        columns: {
          id,
          name: text,
          ratio: real,
          whole,
          flag,
          price: decimal,
          amount: decimal,
          note: text,
          score: real,
          checked: flag,
          rank: whole,
          state: text,
          'address.city': text,
          'address.geo.lat': real,
        },
      },
      {
        table: loose(Team),
        key: () => ({ id: id() }),
        body: () => ({ name: `${text()}${this.#random(9)}` }),
        columns: { id, name: text },
      },
      {
        table: loose(Person),
        key: () => ({ id: person() }),
        body: () => ({ name: text(), ...this.#maybe({ age: whole, teamId: id }) }),
        columns: { name: text, age: whole, teamId: id, version: () => 1 + this.#random(3) },
      },
      {
        table: loose(Group),
        key: () => ({ region: region(), code: this.#random(3) }),
        body: () => ({ title: text() }),
        columns: { region, code: whole, title: text },
      },
      {
        table: loose(Membership),
        key: () => ({ personId: person(), region: region(), code: this.#random(3) }),
        body: () => ({ role: text() }),
        columns: { personId: person, region, role: text },
      },
    ]
  }

  #query(columns: Record<string, () => unknown>, key: Fields, where: Fields): Fields {
    const names = Object.keys(columns)
    const order = (name: string): [string, string] => [name, this.#pick(['asc', 'desc'])]
    return {
      where,
      // The key at the end, so that there is one order alone.
      orderBy: Object.fromEntries([...(this.#chance(2) ? [this.#pick(names)] : []), ...Object.keys(key)].map(order)),
      ...(this.#chance(3) && { limit: this.#random(4) }),
      ...(this.#chance(3) && { offset: this.#random(3) }),
      ...(this.#chance(3) && { select: [this.#pick(names).split('.')[0]] }),
    }
  }

  #filter(columns: Record<string, () => unknown>, depth = 0): Fields {
    const inner = (): Fields => this.#filter(columns, depth + 1)
    const nested = depth < 2 ? this.#random(8) : 8
    if (nested === 0) return { $not: inner() }
    if (nested === 1) return { $or: [inner(), inner()] }
    if (nested === 2) return { $and: [inner(), inner()] }
    const [name, value] = this.#pick(Object.entries(columns))
    const orNull = (): unknown => (this.#chance(5) ? null : value())
    const list = (): unknown[] => Array.from({ length: this.#random(4) }, orNull)
    const conditions = [
      () => orNull(),
      () => ({ $ne: orNull() }),
      () => ({ $in: list() }),
      () => ({ $nin: list() }),
      () => ({ $null: this.#chance(2) }),
      () => ({ $gte: value(), $lt: value() }),
      () => ({ [this.#pick(['$gt', '$gte', '$lt', '$lte'])]: value() }),
      () => ({
        [this.#pick(['$like', '$ilike'])]: Array.from({ length: 1 + this.#random(3) }, () => this.#pick(patterns)).join(
          '',
        ),
      }),
    ]
    const isText = ['name', 'note', 'title', 'role', 'state', 'address.city'].includes(name)
    return { [name]: conditions[this.#random(isText ? 8 : 7)]!() }
  }

  /** Optional fields: with a value, cleared, or left out. */
  #maybe(fields: Record<string, () => unknown>): Fields {
    return Object.fromEntries(
      Object.entries(fields).flatMap(([name, value]) => {
        const choice = this.#random(4)
        return choice === 0 ? [] : [[name, choice === 1 ? null : value()]]
      }),
    )
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#random(list.length)]!
  }

  #chance(of: number): boolean {
    return this.#random(of) === 0
  }
}

function callTable(db: Queryable, table: LooseTable, name: CallName, args: unknown[]): Promise<unknown> {
  const operations = db.table(table) as unknown as Record<CallName, (...args: unknown[]) => Promise<unknown>>
  return operations[name](...args)
}
