import * as nodeModule from 'node:module'

/** Node keeps a module that it has loaded under its address; the version in the query makes another address of it. */
const mark = 'version'

/** Gives a module's address with a version of its own. */
export function markVersion(url: URL, version: string): URL {
  const marked = new URL(url)
  marked.searchParams.set(mark, version)
  return marked
}

let isFollowing = false

/** From now on a module with a version is loaded with the files of its project that it imports, in that version. */
export function followVersions(): void {
  if (isFollowing) return
  isFollowing = true
  const { register, registerHooks } = nodeModule as typeof nodeModule & {
    registerHooks?: (hooks: { resolve: nodeModule.ResolveHook }) => void
  }
  // Hooks in this thread are whole since Node 26.2; from there on the loader of TypeScript has its own there too.
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (registerHooks && (major > 26 || (major === 26 && minor >= 2))) registerHooks({ resolve })
  else register(import.meta.url, import.meta.url)
}

/** What Node asks, in this thread or another, where an import leads to. */
export const resolve: nodeModule.ResolveHook = (specifier, context, next) => {
  const found = next(specifier, context)
  const version = context.parentURL === undefined ? null : new URL(context.parentURL).searchParams.get(mark)
  // Packages stay as they are: two of one would not know each other's classes.
  if (version === null || !/^[./#]/.test(specifier)) return found
  const follow = (it: nodeModule.ResolveFnOutput): nodeModule.ResolveFnOutput => {
    return it.url.startsWith('file:') ? { ...it, url: markVersion(new URL(it.url), version).href } : it
  }
  return found instanceof Promise ? found.then(follow) : follow(found)
}
