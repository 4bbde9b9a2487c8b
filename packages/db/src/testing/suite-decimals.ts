import assert from 'node:assert/strict'
import type { Operators } from '../query/query-types.ts'
import { Thing } from './suite.portico.ts'
import { type AdapterCase, expectCode, makeThing } from './suite-case.ts'

export const decimalCases: readonly AdapterCase[] = [
  {
    name: 'filters > match the decimals of a list exactly, without rounding',
    async run({ db }) {
      const things = db.table(Thing)
      await things.insertOne(makeThing({ price: '1.10', amount: '0.123456789' }))
      assert.equal(await things.count({ amount: { $in: ['0.1234567891', '0.1234567889'] } }), 0)
      assert.equal(await things.count({ amount: { $in: ['0.1234567890', '7'] } }), 1)
      assert.equal(await things.count({ price: { $in: ['99999999999999.00', '1.1'] } }), 1)
    },
  },
  {
    name: 'filters > compare decimals with values of more digits than any engine stores',
    async run({ db }) {
      const things = db.table(Thing)
      const amounts = ['-123456789012345', '0.123456789', '123456789012345']
      await things.insertMany(amounts.map((amount) => makeThing({ name: amount, amount })))
      for (const [where, count] of [
        [{ $lt: '123456789012345.5' }, 3],
        [{ $lte: '123456789012344.999999999' }, 2],
        [{ $gt: '123456789012344.5' }, 1],
        [{ $gte: '123456789012345.000000001' }, 0],
        [{ $gt: '-123456789012345.5' }, 3],
        [{ $gte: '-123456789012344.5' }, 2],
        [{ $lt: '-123456789012344.5' }, 1],
        [{ $eq: '123456789012345.5' }, 0],
        [{ $ne: '123456789012345.5' }, 3],
        [{ $in: ['123456789012345.5', '0.123456789'] }, 1],
        [{ $lt: '12345678901234567890' }, 3],
        [{ $gt: '-12345678901234567890.5' }, 3],
        [{ $gt: '1000000000000000000' }, 0],
      ] as const) {
        assert.equal(await things.count({ amount: where }), count, JSON.stringify(where))
      }
    },
  },
  {
    name: 'filters > accept or refuse a decimal of any length in linear time',
    async run({ db }) {
      const things = db.table(Thing)
      const started = performance.now()
      for (const price of [`${'0'.repeat(200_000)}x`, `1.${'0'.repeat(200_000)}x`, '1'.repeat(200_000)]) {
        await expectCode('VALIDATION_FAILED', things.count({ price }))
      }
      assert.ok(performance.now() - started < 2000)
      await things.insertOne(makeThing({ price: '12.50' }))
      assert.equal(await things.count({ price: `${'0'.repeat(500)}12.5${'0'.repeat(400)}` }), 1)
    },
  },
  {
    name: 'filters > compare decimals with values that exceed the precision of the field',
    async run({ db }) {
      const things = db.table(Thing)
      const prices = ['-1.51', '-1.50', '0.00', '1.50', '1.51']
      await things.insertMany(prices.map((price) => makeThing({ name: price, price })))
      const expected: [Operators<string>, string[]][] = [
        [{ $gt: '1.505' }, ['1.51']],
        [{ $gte: '1.505' }, ['1.51']],
        [{ $lt: '1.505' }, prices.slice(0, 4)],
        [{ $lte: '-1.505' }, ['-1.51']],
        [{ $lt: '-1.505' }, ['-1.51']],
        [{ $gt: '-1.505' }, prices.slice(1)],
        [{ $gt: '-0.001' }, prices.slice(2)],
        [{ $lt: '0.001' }, prices.slice(0, 3)],
        [{ $eq: '1.505' }, []],
        [{ $ne: '1.505' }, prices],
        [{ $in: ['1.505', '1.5000'] }, ['1.50']],
        [{ $nin: ['1.505', '1.51'] }, prices.slice(0, 4)],
        [{ $in: ['99999999999999', '1.51'] }, ['1.51']],
        [{ $lt: '99999999999999' }, prices],
      ]
      for (const [price, names] of expected) {
        const found = await things.findMany({ where: { price }, orderBy: { price: 'asc' } })
        assert.deepEqual(
          found.map((it) => it.name),
          names,
          JSON.stringify(price),
        )
      }
      await things.insertOne(makeThing({ name: 'fine', amount: '0.123456789' }))
      assert.equal(await things.count({ amount: { $in: ['0.1234567891'] } }), 0)
      assert.equal(await things.count({ amount: { $lt: '0.1234567891' } }), 1)
      assert.equal(await things.count({ amount: { $ne: '0.1234567891' } }), 6)
      await expectCode('VALIDATION_FAILED', things.count({ price: { $gt: '1.5.5' } }))
    },
  },
]
