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
  if (/\.[cm]?tsx?$/.test(path)) await import(loader)
  const url = pathToFileURL(path)
  if (version === undefined) return (await import(url.href)) as Record<string, unknown>
  followVersions()
  return (await import(markVersion(url, version).href)) as Record<string, unknown>
}
