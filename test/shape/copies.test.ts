import { expect, it } from 'vitest'
import { findStaleCopies } from '../../scripts/copies.mjs'

it('copies of shared sources equal their source: run `npm run copies` after an edit', () => {
  expect(findStaleCopies()).toEqual([])
})
