import { pathToFileURL } from 'node:url'
import { followVersions, markVersion } from './fresh-modules.ts'

/** Emits the decorator metadata that controllers rely on, and leaves plain JavaScript to Node. It has no types. */
const loader: string = '@oxc-node/core/register'

/**
 * Loads a module of the user's, TypeScript or not, with all that it imports.
 *
 * ```ts
 * const { default: config } = await loadModule('/app/portico.config.ts')
 * ```
 *
 * Node keeps a module that it has loaded: another `version` loads it anew, and with it the files that it imports.
 */
export async function loadModule(path: string, version?: string): Promise<Readonly<Record<string, unknown>>> {
  // A compiled module needs no loader, and pays for none.
  const needsLoader = /\.[cm]?tsx?$/.test(path)
  if (needsLoader) await import(loader)
  if (version !== undefined) followVersions()
  const url = pathToFileURL(path)
  try {
    return (await import((version === undefined ? url : markVersion(url, version)).href)) as Record<string, unknown>
  } catch (cause) {
    if (!needsLoader || !/[#?%]/.test(path)) throw cause
    const told = 'TypeScript may not load from a folder with #, ? or % in its path; give it another name'
    throw new Error(`${(cause as Error).message} (${told})`, { cause })
  }
}
