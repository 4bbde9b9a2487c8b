// Runs the project's own tools from node_modules, with the terminal handed through.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Runs one tool and returns its exit code; a tool that a signal ended counts as failed.
 * @param {string} script path of the tool's JavaScript below node_modules
 * @param {string[]} args
 */
export function runTool(script, args) {
  const result = spawnSync(process.execPath, [join(root, 'node_modules', script), ...args], {
    cwd: root,
    stdio: 'inherit',
  })
  return result.status ?? 1
}
