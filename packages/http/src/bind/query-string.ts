/** The value of a query parameter; a list if the parameter is repeated. */
export type QueryValue = string | string[]

/** The parameters of a query by name, without a prototype, so that no name is special. */
export interface QueryValues {
  [name: string]: QueryValue
}

const malformed: unique symbol = Symbol('malformed')

// Objects of a constructor with an empty prototype are faster than those of Object.create(null).
function BareObject(): void {}
BareObject.prototype = Object.create(null)
const BareValues = BareObject as unknown as new () => QueryValues & { [malformed]?: true }

/**
 * Parses a query or a form. Invalid percent-encoding is kept as it is and marked, see {@link isMalformed}: the router
 * calls this where nothing may be thrown.
 */
export function parseQueryString(text: string): QueryValues {
  const values = new BareValues()
  if (text === '') return values
  for (let start = 0; start <= text.length; ) {
    const found = text.indexOf('&', start)
    const end = found === -1 ? text.length : found
    if (end > start) addPair(values, text.slice(start, end))
    start = end + 1
  }
  return values
}

/** True if part of the query could not be decoded. */
export function isMalformed(query: unknown): boolean {
  return typeof query === 'object' && query !== null && malformed in query
}

function addPair(values: QueryValues & { [malformed]?: true }, pair: string): void {
  const equals = pair.indexOf('=')
  const name = decode(values, equals === -1 ? pair : pair.slice(0, equals))
  const value = equals === -1 ? '' : decode(values, pair.slice(equals + 1))
  const before = values[name]
  if (before === undefined) values[name] = value
  else if (typeof before === 'string') values[name] = [before, value]
  else before.push(value)
}

function decode(values: { [malformed]?: true }, text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    values[malformed] = true
    return spaced
  }
}
