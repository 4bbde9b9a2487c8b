/** The parameters of a query or form, each at most once. */
export interface Params {
  /** The value; `undefined` when it is absent, empty (RFC 6749 §3.1: treated as omitted) or repeated. */
  get(name: string): string | undefined
  /** Names of this list that came more than once. */
  repeated(names: readonly string[]): string[]
}

export function readParams(values: unknown): Params {
  const given = (values ?? {}) as Readonly<Record<string, unknown>>
  const read = (name: string): unknown => (Object.hasOwn(given, name) ? given[name] : undefined)
  return {
    get(name) {
      const value = read(name)
      return typeof value === 'string' && value !== '' ? value : undefined
    },
    repeated: (names) => names.filter((name) => Array.isArray(read(name))),
  }
}

/** Adds parameters to an address without touching what it has: a redirect URI is never written anew. */
export function appendParams(address: string, params: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) if (value !== undefined) query.append(name, value)
  const joint = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&'
  return `${address}${joint}${query.toString()}`
}
