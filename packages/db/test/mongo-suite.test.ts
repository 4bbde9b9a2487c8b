import { mongo } from '@portico/db/mongo'
import { adapterCases, testAdapter } from '@portico/db/testing'
import { afterAll, describe, it } from 'vitest'
import { hasFerret, hasMongo, useMongo } from './support/mongo-databases.ts'

const runner = { describe, it, after: afterAll }

/** Neither server has transactions: what the adapter does with those of MongoDB, mongo-transactions.test.ts shows. */
const transactions = adapterCases
  .filter(({ name }) => name.includes('transaction'))
  .map(({ name }) => ({ test: name, reason: 'this server has no transactions' }))

describe.skipIf(!hasMongo)('on mongo-java-server, or the MongoDB that the environment names', () => {
  const databases = useMongo()
  testAdapter({
    name: 'MongoDB',
    runner,
    open: () => mongo({ url: databases.create() }),
    skip: databases.isNamed
      ? []
      : [
          ...transactions,
          {
            test: 'text > characters outside the Basic Multilingual Plane sort after all others',
            reason: 'mongo-java-server compares text as Java does',
          },
        ],
  })
})

describe.skipIf(!hasFerret)('on FerretDB', () => {
  const databases = useMongo('ferret')
  const nameless = 'FerretDB does not say which index a duplicate is in'
  testAdapter({
    name: 'MongoDB',
    runner,
    open: () => mongo({ url: databases.create() }),
    skip: [
      ...transactions,
      { test: 'insertMany > stores all or none', reason: nameless },
      {
        test: 'upsertOne > of concurrent calls one inserts, the others update, and none clears the fields of another',
        reason: 'FerretDB loses updates of one document that come at once',
      },
      { test: 'violations > name the fields if the engine reports them, and change nothing', reason: nameless },
      {
        test: 'filters > support nested objects, decimals as numbers, and booleans',
        reason: 'FerretDB has no expressions to sort by',
      },
    ],
  })
})
