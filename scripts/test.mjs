// `npm test [-- paths and vitest options]`: sets up and checks types, then runs vitest. With paths it builds and
// checks only the test projects that contain them, and the packages these refer to.
import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { survey } from './environment.mjs'
import { root, runScript, runTool } from './run.mjs'

const args = process.argv.slice(2)
const { missing } = survey()
if (process.env['CI'] === 'true' && missing.length > 0) {
  for (const { name, what, fix } of missing)
    console.error(`portico: CI skips nothing, but ${name} is missing for ${what}: ${fix}`)
  process.exit(1)
}
const projects = testProjects(args)
process.exitCode =
  runScript('setup.mjs', projects) ||
  (projects.length > 0 ? 0 : runTool('typescript/bin/tsc', ['-b', 'tsconfig.tests.json'])) ||
  runTool('vitest/vitest.mjs', ['run', ...args])

/**
 * The test projects that contain the given paths. Empty means the whole project: without paths, and for filters
 * that are not paths, since any file may match them.
 * @param {readonly string[]} args
 */
function testProjects(args) {
  const filters = args.filter(
    (arg, index) => !arg.startsWith('-') && (isPath(arg) || !args[index - 1]?.startsWith('-')),
  )
  if (!filters.every(isPath)) return []
  return [...new Set(filters.map(projectOf))]
}

/** @param {string} arg */
function isPath(arg) {
  return existsSync(join(root, arg))
}

/** @param {string} path of a package, or of something in its tests @returns {string} */
function projectOf(path) {
  const own = join(path, 'test')
  for (
    let folder = existsSync(join(root, own, 'tsconfig.json')) ? own : path;
    folder !== '.';
    folder = dirname(folder)
  ) {
    if (existsSync(join(root, folder, 'tsconfig.json'))) return relative(root, join(root, folder))
  }
  return 'tsconfig.tests.json'
}
