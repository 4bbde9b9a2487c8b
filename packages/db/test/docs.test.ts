import { describe, expect, it } from 'vitest'
import { pages } from '../../../scripts/docs/db.ts'
import { blocksOf, readPage, runExamples } from '../../../test/support/doc-examples.ts'
import { servers } from './support/engines.ts'
import { hasMongo, useMongo } from './support/mongo-databases.ts'

describe('the reference', () => {
  it.each(Object.entries(pages()))('%s is current', async (path, text) => {
    expect(await readPage(path), 'run `npm run docs -- db`').toBe(text)
  })
})

describe('the examples', () => {
  describe.each(servers)('on a server', ({ name, isThere, use }) => {
    describe.skipIf(!isThere)('', () => {
      const databases = use()
      it(`of docs/guide/tables.md run on ${name} as well`, async () => {
        const url = await databases.create()
        const edit = (text: string): string =>
          text
            .replace("import { sqlite } from '@portico/db/sqlite'", `import { ${name} } from '@portico/db/${name}'`)
            .replace("sqlite({ file: ':memory:' })", `${name}({ url: '${url}' })`)
        const { text } = blocksOf(await readPage('docs/guide/tables.md'), 'ts')[0]!
        expect(edit(text)).toContain(url)
        expect(edit(text)).not.toContain("from '@portico/db/sqlite'")
        await runExamples({ page: 'docs/guide/tables.md', main: 'tasks', edit })
      })
    })
  })

  describe.skipIf(!hasMongo)('on MongoDB', () => {
    const databases = useMongo()
    it('of docs/guide/mongodb.md compile and run', async () => {
      const url = databases.create()
      const edit = (text: string): string => text.replace('mongodb://localhost:27017/shop', url)
      const { text } = blocksOf(await readPage('docs/guide/mongodb.md'), 'ts')[0]!
      expect(edit(text)).toContain(url)
      await runExamples({ page: 'docs/guide/mongodb.md', main: 'shop', edit })
    })
  })
})
