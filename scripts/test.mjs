// `npm test [-- paths and vitest options]`: types first, then behaviour; the closing reporter says what ran on what.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { survey } from './environment.mjs'
import { root, runTool } from './run.mjs'

const args = process.argv.slice(2)
const { missing } = survey()
if (process.env['CI'] === 'true' && missing.length > 0) {
  for (const { name, what, mend } of missing)
    console.error(`portico: CI leaves nothing out, but ${name} is missing for ${what}: ${mend}`)
  process.exit(1)
}
process.exitCode =
  runTool('typescript/bin/tsc', ['-b', typesProject()]) || runTool('vitest/vitest.mjs', ['run', ...args])

function typesProject() {
  const own = args[0] && join(args[0], 'test')
  return own && existsSync(join(root, own, 'tsconfig.json')) ? own : 'tsconfig.tests.json'
}
