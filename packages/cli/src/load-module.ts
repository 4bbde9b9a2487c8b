import { pathToFileURL } from 'node:url'

/** Emits the decorator metadata that controllers rely on, and leaves plain JavaScript to Node. It has no types. */
const loader: string = '@oxc-node/core/register'

/**
 * Loads a module of the user's, TypeScript or not, with all that it imports.
 *
 * ```ts
 * const { default: config } = await loadModule('/app/portico.config.ts')
 * ```
 */
export async function loadModule(path: string): Promise<Readonly<Record<string, unknown>>> {
  // A compiled module needs no loader, and pays for none.
  if (/\.[cm]?tsx?$/.test(path)) await import(loader)
  return (await import(pathToFileURL(path).href)) as Record<string, unknown>
}
