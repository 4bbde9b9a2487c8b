// Runs the project's tools from node_modules, attached to the terminal.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Runs a tool and returns its exit code; 1 if it was killed by a signal.
 * @param {string} script path of the tool's JavaScript below node_modules
 * @param {string[]} args
 */
export function runTool(script, args) {
  return runNode(join('node_modules', script), args)
}

/**
 * Runs a tool that is installed apart from the project, in test/tools.
 * @param {string} script path of the tool's JavaScript below test/tools/node_modules
 * @param {string[]} args
 */
export function runExtraTool(script, args) {
  return runNode(join('test', 'tools', 'node_modules', script), args)
}

/**
 * Runs one script of this folder in the same way.
 * @param {string} script
 * @param {string[]} args
 */
export function runScript(script, args) {
  return runNode(join('scripts', script), args)
}

/** @param {string} file @param {string[]} args */
function runNode(file, args) {
  return spawnSync(process.execPath, [join(root, file), ...args], { cwd: root, stdio: 'inherit' }).status ?? 1
}
