// Shared by `npm run bench` and `npm run docs`: runs all or selected TypeScript modules of a folder.
import '@oxc-node/core/register'
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './run.mjs'

/**
 * Calls `run` with each module of the folder whose file name is one of `names` (default: all).
 * @param {string} folder
 * @param {string[]} names
 * @param {(name: string, module: any) => Promise<void>} run
 */
export async function runModules(folder, names, run) {
  const all = readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => basename(file, '.ts'))
    .sort()
  const unknown = names.filter((name) => !all.includes(name))
  if (unknown.length > 0) {
    console.error(`portico: ${unknown.join(', ')} not found in ${folder}; available: ${all.join(', ')}`)
    process.exit(2)
  }
  for (const name of names.length > 0 ? names : all) {
    console.log(`portico: ${folder}/${name}`)
    await run(name, await import(pathToFileURL(join(root, folder, `${name}.ts`)).href))
  }
}
