import { isLoopback } from '@portico/identity'
import { expect, it } from 'vitest'
import { isLoopback as isLoopbackOfCli } from '../../packages/cli/dist/login/server-url.js'
import { readText, trackedFiles } from './workspace.ts'

const inside = ['localhost', '127.0.0.1', '127.0.0.2', '127.255.255.254', '[::1]']
const outside = [
  '',
  'app.example',
  'app.localhost',
  'localhost.',
  'localhost.app.example',
  'xlocalhost',
  '127.0.0.1.app.example',
  '1127.0.0.1',
  '128.0.0.1',
  '0.0.0.0',
  '10.0.0.1',
  '::1',
  '[::2]',
  '[::ffff:7f00:1]',
  'localhost\n',
]

it.each([
  ['@portico/identity', isLoopback],
  ['@portico/cli', isLoopbackOfCli],
])('%s takes the same hosts for this machine', (_, rule) => {
  expect(inside.filter((it) => !rule(it))).toEqual([])
  expect(outside.filter((it) => rule(it))).toEqual([])
})

it('no other source has a rule of its own', () => {
  const sources = trackedFiles.filter((it) => /^(?:packages|apps)\/[^/]+\/src\/.*\.ts$/.test(it))
  const naming = sources.filter((it) => /\[::1\\?\]/.test(readText(it)))
  expect(naming.sort()).toEqual([
    // The answers to programs that nobody registered go to IP literals alone (RFC 8252 §8.3).
    'packages/auth-server/src/authorize/redirect-uri.ts',
    // A text for people.
    'packages/auth-server/src/pages/problems.ts',
    'packages/cli/src/login/server-url.ts',
    'packages/identity/src/loopback.ts',
  ])
})
