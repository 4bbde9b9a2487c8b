/** Turns patterns of `$like` and `$ilike` into regular expressions that run in linear time. */
import type { LikePattern } from '../../../query/read-filter.ts'

/**
 * MongoDB's regular expressions (PCRE) backtrack unless an atomic group forbids it: the time for several `.*` in a row
 * then grows exponentially with their number. Engines that follow RE2 never backtrack and have no atomic groups.
 */
export type Backtracking = 'atomic' | 'none'

/**
 * Returns a regular expression in which every character of the caller is literal. Each run of characters between two
 * `%` is an atomic group that ends at its first occurrence: if the rest fails after the first one, it fails after every
 * later one too.
 */
export function toRegex({ pattern, fold }: LikePattern, backtracking: Backtracking): string {
  const [first, ...others] = splitRuns(pattern, fold)
  const last = others.pop()
  if (last === undefined) return `^${first}\\z`
  // Adjacent `%` have empty runs between them.
  const middle = others.filter((it) => it !== '').map((it) => (backtracking === 'atomic' ? `(?>.*?${it})` : `.*?${it}`))
  return `^${first}${middle.join('')}${last === '' ? '' : `.*${last}\\z`}`
}

/** Splits a pattern at `%` into regular expressions of fixed length. */
function splitRuns(pattern: string, fold: boolean): string[] {
  const runs = ['']
  for (const [part, escaped] of pattern.matchAll(/\\([\s\S])|[\s\S]/gu)) {
    if (part === '%') runs.push('')
    else runs[runs.length - 1] += part === '_' ? '.' : escapeCharacter(escaped ?? part, fold)
  }
  return runs
}

function escapeCharacter(character: string, fold: boolean): string {
  // Case is folded here: MongoDB's own folding goes beyond ASCII.
  if (/[a-z]/i.test(character)) return fold ? `[${character.toLowerCase()}${character.toUpperCase()}]` : character
  return /[!-/:-@[-`{-~]/.test(character) ? `\\${character}` : character
}
