import { expect, it } from 'vitest'
import { checkPackageName } from '../../dist/init/package-name.js'

it.each(['notes', '@acme/notes', 'a.b_c~d-e', '0'])('%s is a valid package name', (name) => {
  expect(checkPackageName(name, false)).toBe(name)
})

it.each([
  ['', 'it is empty'],
  ['Notes', 'it has capital letters'],
  ['.notes', 'must not start with'],
  ['_notes', 'must not start with'],
  ['a b', 'it may contain'],
  ['@acme/', 'it may contain'],
  ['a/b', 'it may contain'],
  ['node_modules', 'it is reserved by npm'],
  ['x'.repeat(215), 'longer than 214'],
])('%s is not a valid package name', (name, message) => {
  expect(() => checkPackageName(name, false)).toThrow(message)
})
