import { DbError, openDatabase } from '@portico/db'
import { Condition, operators } from '@portico/db/query'
import { sqlite } from '@portico/db/sqlite'
import { Person, Team } from '@portico/db/testing'
import { describe, expect, it } from 'vitest'

const name = Team.columns.find((it) => it.path === 'name')!
const id = Team.columns.find((it) => it.path === 'id')!

async function openTeams() {
  const db = await openDatabase(sqlite({ file: ':memory:' }))
  await db.sync([Team, Person])
  await db.table(Team).insertMany([{ name: 'a' }, { name: 'b' }, { name: 'c' }])
  return db
}

/** Conditions are not part of the types of `where`: layers that read text have no types of records. */
const where = (condition: unknown) => ({ where: condition }) as never

describe('a condition', () => {
  it('filters like the object that it replaces, also inside $and and $not', async () => {
    await using db = await openTeams()
    const teams = db.table(Team)
    const [first, second] = await teams.findMany({ orderBy: { name: 'asc' } })
    const terms = [
      { column: name, operator: '$gte', value: 'b' },
      { column: id, operator: '$in', value: [first!.id, second!.id] },
    ]
    const condition = new Condition(Team, terms)
    const names = async (query: unknown) => (await teams.findMany(where(query))).map((it) => it.name)
    expect(await names(condition)).toEqual(['b'])
    expect(await names({ $and: [condition, { name: 'a' }] })).toEqual([])
    expect(await names({ $not: condition })).toEqual(['a', 'c'])
    expect(await teams.count(new Condition(Team, []) as never)).toBe(3)
  })

  it('is checked when it is created', () => {
    const create =
      (operator: string, value: unknown, column = name) =>
      () => {
        return new Condition(Team, [{ column, operator, value }])
      }
    const refusal = {
      code: 'VALIDATION_FAILED',
      message: expect.stringContaining('table `Team`: the filter is not valid'),
    }
    for (const it of [create('$eq', 1), create('$in', 'a'), create('$gte', null), create('$unknown', 'a')]) {
      expect(it).toThrow(expect.objectContaining(refusal))
    }
    expect(create('$eq', 'a', { ...name })).toThrow('is not a column of this table')
  })

  it('keeps the values that were checked', async () => {
    await using db = await openTeams()
    const values: unknown[] = ['a']
    const condition = new Condition(Team, [{ column: name, operator: '$in', value: values }])
    values.push({})
    expect(await db.table(Team).count(condition as never)).toBe(1)
    expect(Object.isFrozen(condition)).toBe(true)
  })

  it('cannot be forged, and holds for its own table alone', async () => {
    await using db = await openTeams()
    const condition = new Condition(Team, [])
    const forged = [Object.create(Condition.prototype), Object.create(condition), new Proxy(condition, {})]
    for (const it of forged) {
      await expect(db.table(Team).deleteMany(it as never)).rejects.toThrow('expected a plain object')
    }
    await expect(db.table(Person).deleteMany(condition as never)).rejects.toThrow('is a condition on `Team`')
    expect(await db.table(Team).count()).toBe(3)
  })
})

it('every operator has one description, which conditions and objects share', async () => {
  await using db = await openTeams()
  for (const operator of operators.keys()) {
    const value = operator === '$null' ? false : operator.endsWith('in') ? ['b'] : 'b'
    const byObject = await db.table(Team).findMany({ where: { name: { [operator]: value } } as never })
    const condition = new Condition(Team, [{ column: name, operator, value }])
    expect(await db.table(Team).findMany(where(condition))).toEqual(byObject)
  }
  await expect(db.table(Team).findMany({ where: { name: { $near: 'b' } } as never })).rejects.toThrow(DbError)
})
