/** The parameters of a query or form. */
export interface Params {
  /** The value; `undefined` if it is absent, empty (RFC 6749 §3.1: treated as omitted) or repeated. */
  get(name: string): string | undefined
  /** The names in this list that came more than once. */
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

/** Adds parameters to an address and leaves the rest untouched: a redirect URI must not be reserialized. */
export function appendParams(address: string, params: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) if (value !== undefined) query.append(name, value)
  const joint = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&'
  return `${address}${joint}${query.toString()}`
}
