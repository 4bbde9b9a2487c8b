import * as nodeModule from 'node:module'

/** Node caches modules by URL. A version in the query makes a new URL, so the module is loaded again. */
const parameter = 'version'

/** Adds a version to the URL of a module. */
export function withVersion(url: URL, version: string): URL {
  const marked = new URL(url)
  marked.searchParams.set(parameter, version)
  return marked
}

let isRegistered = false

/** Registers a hook that passes the version of a module on to the project files it imports. */
export function propagateVersions(): void {
  if (isRegistered) return
  isRegistered = true
  const { register, registerHooks } = nodeModule as typeof nodeModule & {
    registerHooks?: (hooks: { resolve: nodeModule.ResolveHook }) => void
  }
  // In-thread hooks are complete since Node 26.2. From then on the TypeScript loader uses them, too.
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (registerHooks && (major > 26 || (major === 26 && minor >= 2))) registerHooks({ resolve })
  else register(import.meta.url, import.meta.url)
}

/** The resolve hook. It runs in this thread or in the loader thread. */
export const resolve: nodeModule.ResolveHook = (specifier, context, next) => {
  const found = next(specifier, context)
  const version = context.parentURL === undefined ? null : new URL(context.parentURL).searchParams.get(parameter)
  // Packages are never loaded twice: `instanceof` would fail between the two copies.
  if (version === null || !/^[./#]/.test(specifier)) return found
  const follow = (it: nodeModule.ResolveFnOutput): nodeModule.ResolveFnOutput => {
    return it.url.startsWith('file:') ? { ...it, url: withVersion(new URL(it.url), version).href } : it
  }
  return found instanceof Promise ? found.then(follow) : follow(found)
}
