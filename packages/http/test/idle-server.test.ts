import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

it('a server that had nothing to do for a while is as quick as before', () => {
  const program = fileURLToPath(new URL('programs/idle-server.mjs', import.meta.url))
  const slower = Number(execFileSync(process.execPath, ['--expose-gc', program], { encoding: 'utf8' }))
  // Without care it is 4 to 8 times as slow.
  expect(slower).toBeLessThan(2.5)
})
