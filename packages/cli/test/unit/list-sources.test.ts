import { expect, it } from 'vitest'
import { findChanges, isSource } from '../../dist/dev/list-sources.js'

it.each(['main.ts', 'a.mts', 'b.js', 'c.cjs', 'page.tsx', 'notes.portico', 'package.json', 'tsconfig.build.json'])(
  '%s is code, and a change restarts the program',
  (name) => {
    expect(isSource(name)).toBe(true)
  },
)

it.each(['app.db', 'app.db-wal', 'state.json', 'notes.md', 'main.ts.4711.tmp', 'log.txt'])('%s is data', (name) => {
  expect(isSource(name)).toBe(false)
})

it('added, removed and changed files are changes', () => {
  const before = new Map([
    ['gone', '1'],
    ['same', '1'],
    ['other', '1'],
  ])
  const after = new Map([
    ['same', '1'],
    ['other', '2'],
    ['new', '1'],
  ])
  expect(findChanges(before, after)).toEqual(['gone', 'other', 'new'])
})
