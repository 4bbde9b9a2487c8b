import { postgres } from '@portico/db/postgres'
import { sqlite } from '@portico/db/sqlite'
import { testAdapter } from '@portico/db/testing'
import { afterAll, describe, it } from 'vitest'
import { hasPostgres, type TemporaryFolder, temporaryFolder, usePostgres } from './support/engines.ts'

const runner = { describe, it, after: afterAll }

testAdapter({ name: 'SQLite in memory', runner, open: () => sqlite({ file: ':memory:' }) })

describe('on a file', () => {
  let folder: TemporaryFolder | undefined
  testAdapter({
    name: 'SQLite',
    runner,
    async open() {
      folder = await temporaryFolder()
      return sqlite({ file: folder.file('suite.db') })
    },
    close: async () => folder?.[Symbol.asyncDispose](),
  })
})

describe.skipIf(!hasPostgres)('on a server', () => {
  const databases = usePostgres()
  testAdapter({ name: 'PostgreSQL', runner, open: async () => postgres({ url: await databases.create() }) })
})
