import { pathToFileURL } from 'node:url'
import { propagateVersions, withVersion } from './module-versions.ts'

/** Compiles TypeScript with the decorator metadata that controllers need. The package has no types. */
const loader: string = '@oxc-node/core/register'

/**
 * Loads a JavaScript or TypeScript module of the project.
 *
 * ```ts
 * const { default: config } = await loadModule('/app/portico.config.ts')
 * ```
 *
 * Node caches modules. A new `version` loads the module and its imports again.
 */
export async function loadModule(path: string, version?: string): Promise<Readonly<Record<string, unknown>>> {
  // Compiled modules do not pay for the loader.
  const needsLoader = /\.[cm]?tsx?$/.test(path)
  if (needsLoader) await import(loader)
  if (version !== undefined) propagateVersions()
  const url = pathToFileURL(path)
  try {
    return (await import((version === undefined ? url : withVersion(url, version)).href)) as Record<string, unknown>
  } catch (cause) {
    if (!needsLoader || !/[#?%]/.test(path)) throw cause
    const hint = 'TypeScript may fail to load from a path that contains #, ? or %; rename the folder'
    throw new Error(`${(cause as Error).message} (${hint})`, { cause })
  }
}
