// Runs the smoke test of every package on the current Node: the built output without the test runner. CI runs it on
// newer Node versions.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './run.mjs'

for (const name of readdirSync(join(root, 'packages'))) {
  const file = join(root, 'packages', name, 'test', 'smoke.mjs')
  if (!existsSync(file)) throw new Error(`packages/${name} has no test/smoke.mjs`)
  await import(pathToFileURL(file).href)
  console.log(`ok ${name} on Node ${process.versions.node}`)
}
