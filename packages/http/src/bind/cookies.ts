/** The value of a cookie in a `Cookie` header (RFC 6265 §4.2.1). Of several with the same name, the first. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const equals = pair.indexOf('=')
    if (equals !== -1 && pair.slice(0, equals).trim() === name) return unquote(pair.slice(equals + 1).trim())
  }
  return undefined
}

function unquote(value: string): string {
  const inner = value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value
  if (!inner.includes('%')) return inner
  try {
    return decodeURIComponent(inner)
  } catch {
    return inner
  }
}
