/** The versions in `If-Match`, or `'any'` for `*`. Weak tags never match (RFC 9110 §13.1.1). */
export function readIfMatch(header: string | undefined): readonly number[] | 'any' | undefined {
  if (header === undefined) return undefined
  if (header.trim() === '*') return 'any'
  return header
    .split(',')
    .map((it) => it.trim().match(/^"(-?\d{1,16})"$/)?.[1])
    .filter((it) => it !== undefined)
    .map(Number)
    .filter(Number.isSafeInteger)
}

export function writeEntityTag(version: unknown): string {
  return `"${String(version)}"`
}

/** True if `If-None-Match` contains the tag, by weak comparison (RFC 9110 §13.1.2). */
export function isKnown(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((it) => it.trim() === '*' || it.trim().replace(/^W\//, '') === tag)
}
