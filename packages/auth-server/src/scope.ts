/** The names in a scope (RFC 6749 §3.3), each once. */
export function readScope(scope: string): string[] {
  return [...new Set(scope.split(' ').filter((name) => name !== ''))]
}
