import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { trackedFiles } from './workspace.ts'

const program = join(root, 'packages/cli/bin/portico.js')
/** Without the samples of the language, which its own tests compare. */
const sources = trackedFiles
  .filter((file) => file.endsWith('.portico.ts') && !file.startsWith('packages/schema/test/samples/'))
  .map((file) => file.slice(0, -'.ts'.length))
  .filter((file) => existsSync(join(root, file)))

it('there are generated modules to look at', () => {
  expect(sources).toContain('bench/tables/items.portico')
  expect(sources.length).toBeGreaterThan(5)
})

it.for(sources)('the module of %s is as `portico generate` writes it', { timeout: 60_000 }, (source) => {
  const { status, stderr } = spawnSync(process.execPath, [program, 'generate', '--check', source], {
    cwd: root,
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})
