import type { Declaration } from '../model.ts'

/** Local names in validators. An import with one of these names would be shadowed. */
const locals = /^(?:value|path|issues|_?mode|name|it|(?:index|item)\d*)$/

/** The names in one generated module: its own, imported ones, and helper functions. */
export class ModuleNames {
  readonly #path: string
  readonly #taken: Set<string>
  /** The last number used per name, so that finding the next one is fast. */
  readonly #wanted = new Map<string, number>()
  readonly #imports = new Map<string, Map<string, string>>()

  constructor(path: string, own: Iterable<string>) {
    this.#path = path
    this.#taken = new Set(own)
  }

  isOwn({ path }: Pick<Declaration, 'path'>): boolean {
    return path === this.#path
  }

  /** The local name of a declaration. Declarations of other files are imported. */
  nameOf({ name, path }: Pick<Declaration, 'name' | 'path'>): string {
    if (path === this.#path) return name
    const names = this.#imports.get(path) ?? new Map<string, string>()
    this.#imports.set(path, names)
    const known = names.get(name)
    if (known !== undefined) return known
    const local = this.unique(name)
    names.set(name, local)
    return local
  }

  /** Returns a name that is not used in the module yet. */
  unique(wanted: string): string {
    let count = (this.#wanted.get(wanted) ?? 0) + 1
    const next = (): string => (count === 1 ? wanted : `${wanted}_${count}`)
    while (this.#taken.has(next()) || locals.test(next())) count += 1
    this.#wanted.set(wanted, count)
    this.#taken.add(next())
    return next()
  }

  /** The imports, sorted by path and name. */
  imports(): { path: string; names: [name: string, local: string][] }[] {
    const byText = <T>(a: [string, T], b: [string, T]): number => (a[0] < b[0] ? -1 : 1)
    return [...this.#imports].sort(byText).map(([path, names]) => ({ path, names: [...names].sort(byText) }))
  }
}

/** The import path from one generated module to another: `./teams.portico.js`. */
export function importPath(from: string, to: string, extension: 'js' | 'ts'): string {
  const source = from.split('/').slice(0, -1)
  const target = to.split('/')
  let shared = 0
  while (shared < source.length && shared < target.length - 1 && source[shared] === target[shared]) shared += 1
  const up = source.slice(shared).map(() => '..')
  const steps = [...(up.length > 0 ? up : ['.']), ...target.slice(shared)]
  return `${steps.join('/')}.${extension}`
}
