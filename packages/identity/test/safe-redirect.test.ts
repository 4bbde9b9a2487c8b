import { safeRedirect } from '@portico/identity'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { heavy } from '../../../test/support/heavy.ts'
import { failureOf } from './support/failure.ts'

const base = 'https://app.example'

test.each([
  ['/', '/'],
  ['/inbox', '/inbox'],
  ['/inbox?page=2&q=a%20b#top', '/inbox?page=2&q=a%20b#top'],
  ['/a/../b', '/b'],
  ['/next?to=https://evil.example', '/next?to=https://evil.example'],
  ['https://app.example/inbox?page=2#top', '/inbox?page=2#top'],
  ['https://app.example', '/'],
  ['HTTPS://APP.EXAMPLE/x', '/x'],
  ['https://app.example:443/x', '/x'],
])('keeps %s on the site as %s', (target, expected) => {
  expect(safeRedirect(target, base)).toBe(expected)
})

test.each([
  '//e',
  '///e',
  '/\\e',
  '\\\\e',
  '\\/e',
  'https:e',
  'https:/e',
  'https:\\e',
  'http://app.example/x',
  'https://app.example.evil.example/',
  'https://app.example@evil.example/',
  'https://app.example:444/',
  'https://evil.example/https://app.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'ftp://app.example/x',
  '/\t/e',
  '/\n/e',
  '\t//e',
  '/\u0000/e',
  '/a\r\nLocation: https://evil.example',
  '/\u0085e',
  ' //e',
  ' /x',
  '/.//e',
  '/..//e',
  '/a/..//e',
  '/.\\/e',
  '/%2e//e',
  'https://app.example//e',
  'https://[',
  'inbox',
  '?a=b',
  '',
])('sends %j to the front page', (target) => {
  expect(safeRedirect(target, base)).toBe('/')
})

test.each([undefined, null, 7, {}])('sends %j to the front page', (target) => {
  expect(safeRedirect(target as never, base)).toBe('/')
})

describe('the base', () => {
  test('is used only for its origin', () => {
    expect(safeRedirect('/x', 'https://app.example/sub/')).toBe('/x')
    expect(safeRedirect('http://127.0.0.1:3000/x', 'http://127.0.0.1:3000')).toBe('/x')
  })

  test.each(['', '/x', 'app.example', 'file:///x'])('%j is refused', async (baseUrl) => {
    expect((await failureOf(() => safeRedirect('/', baseUrl))).type).toBe('INVALID_CONFIG')
  })
})

test('never leads to another site, whatever the target', () => {
  const piece = fc.constantFrom(
    '/',
    '\\',
    '.',
    ':',
    '@',
    '//',
    'https:',
    'evil.example',
    '%2f',
    '\t',
    '?',
    '#',
    'a',
    ' ',
  )
  const target = fc.oneof(
    fc.string(),
    fc.array(piece).map((pieces) => pieces.join('')),
  )
  const staysHere = (text: string) => {
    const location = safeRedirect(text, base)
    expect(location).toMatch(/^\/(?![/\\])/)
    expect(new URL(location, base).origin).toBe(base)
  }
  fc.assert(fc.property(target, staysHere), { numRuns: heavy(20_000) })
})
