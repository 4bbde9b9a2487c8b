// Copied from shared/suggest.ts by `npm run copies`; edit it there.
const MAX_NAME_LENGTH = 64

/** The candidate closest to `name`, or `undefined` if none is close enough. */
export function suggest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > MAX_NAME_LENGTH) return undefined
  let best: string | undefined
  let bestDistance = Math.floor(name.length / 3) + 1
  for (const candidate of candidates) {
    if (candidate === name || Math.abs(candidate.length - name.length) > bestDistance) continue
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    const isCloser =
      distance < bestDistance || (distance === bestDistance && best && best[0] !== name[0] && candidate[0] === name[0])
    if (isCloser) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** The optimal string alignment distance: insertions, deletions, replacements, and swaps of adjacent characters. */
function editDistance(one: string, other: string): number {
  const [a, b] = withoutSharedEnds(one, other)
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) row[j] = Math.min(row[j]!, beforeLast[j - 2]! + 1)
    }
    beforeLast = last
    last = row
  }
  return last[b.length]!
}

/** Similar names often share a prefix or suffix, which the comparison can skip. */
function withoutSharedEnds(one: string, other: string): [string, string] {
  let start = 0
  while (start < one.length && one[start] === other[start]) start += 1
  let end = 0
  const max = Math.min(one.length, other.length) - start
  while (end < max && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1
  return [one.slice(start, one.length - end), other.slice(start, other.length - end)]
}
