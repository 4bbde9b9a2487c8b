import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A library that the benchmark installed for itself, in the folder that the environment names. */
export async function peer<T = Record<string, never>>(name: string): Promise<T> {
  const folder = process.env['PORTICO_BENCH_PEERS'] ?? ''
  const path = createRequire(join(folder, 'package.json')).resolve(name)
  return (await import(pathToFileURL(path).href)) as T
}
