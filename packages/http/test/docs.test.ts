import { describe, expect, it } from 'vitest'
import { pages } from '../../../scripts/docs/http.ts'
import { blocksOf, readPage, runExamples } from '../../../test/support/doc-examples.ts'

describe('the reference', () => {
  it.each(Object.entries(pages()))('%s is current', async (path, text) => {
    expect(await readPage(path), 'run `npm run docs -- http`').toBe(text)
  })
})

describe('the examples', () => {
  it.each(['packages/http/README.md', 'docs/guide/controllers.md', 'docs/guide/table-routes.md'])(
    'of %s compile and run',
    async (page) => {
      // What the README says is all that is needed.
      const [config] = blocksOf(await readPage('packages/http/README.md'), 'json')
      const { compilerOptions } = JSON.parse(config!.text) as { compilerOptions: object }
      await runExamples(page, { ...compilerOptions, exactOptionalPropertyTypes: true })
    },
    120_000,
  )
})
