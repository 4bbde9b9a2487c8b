import { describe, expect, it } from 'vitest'
import { pages } from '../../../scripts/docs/spec.ts'
import { readPage } from '../../../test/support/doc-examples.ts'

describe('the reference', () => {
  it.each(Object.entries(pages()))('%s is current', async (path, text) => {
    expect(await readPage(path), 'run `npm run docs -- spec`').toBe(text)
  })
})
