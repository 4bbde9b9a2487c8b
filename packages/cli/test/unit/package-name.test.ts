import { expect, it } from 'vitest'
import { checkPackageName } from '../../dist/init/package-name.js'

it.each(['notes', '@acme/notes', 'a.b_c~d-e', '0'])('%s is a name for a package', (name) => {
  expect(checkPackageName(name, false)).toBe(name)
})

it.each([
  ['', 'it is empty'],
  ['Notes', 'it has capital letters'],
  ['.notes', 'start with none of'],
  ['_notes', 'start with none of'],
  ['a b', 'it may hold'],
  ['@acme/', 'it may hold'],
  ['a/b', 'it may hold'],
  ['node_modules', 'npm keeps it for itself'],
  ['x'.repeat(215), 'longer than 214'],
])('%s is no name for a package', (name, told) => {
  expect(() => checkPackageName(name, false)).toThrow(told)
})
