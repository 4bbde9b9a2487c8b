import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { root } from '../../scripts/run.mjs'

const run = promisify(execFile)

it('a set-up that finds everything done says nothing, also when two run at once', async () => {
  const setUp = () => run(process.execPath, ['scripts/setup.mjs'], { cwd: root })
  await setUp()
  const both = await Promise.all([setUp(), setUp()])
  for (const { stdout } of both) expect(stdout.replace(/^portico: waiting for another setup .*\n/, '')).toBe('')
})
