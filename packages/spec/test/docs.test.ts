import { describe, expect, it } from 'vitest'
import { pages } from '../../../scripts/docs/spec.ts'
import { readPage, runExamples } from '../../../test/support/doc-examples.ts'

describe('the reference', () => {
  it.each(Object.entries(pages()))('%s is current', async (path, text) => {
    expect(await readPage(path), 'run `npm run docs -- spec`').toBe(text)
  })
})

describe('the examples', () => {
  it.each(['packages/spec/README.md', 'docs/guide/api-docs.md'])(
    'of %s compile and run',
    (page) => runExamples(page),
    120_000,
  )
})
