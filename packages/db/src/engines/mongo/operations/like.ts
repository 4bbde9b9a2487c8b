/** Patterns of `$like` and `$ilike` as regular expressions that take a time proportional to the text. */
import type { LikePattern } from '../../../query/read-filter.ts'

/**
 * What a server's regular expressions do when a match fails half-way. MongoDB (PCRE) goes back and tries again unless
 * an atomic group forbids it: several `.*` in a row then take a time that grows with their number as an exponent.
 * Engines after RE2 read a text once and have no atomic groups.
 */
export type Backtracking = 'atomic' | 'none'

/**
 * The pattern as a regular expression in which every character of the caller's means itself. Each run of characters
 * between two `%` is an atomic group that ends at its first occurrence: where the rest fails behind the first one, it
 * fails behind every later one too.
 */
export function toRegex({ pattern, fold }: LikePattern, backtracking: Backtracking): string {
  const [first, ...others] = splitRuns(pattern, fold)
  const last = others.pop()
  if (last === undefined) return `^${first}\\z`
  // Neighbouring `%` leave empty runs between them.
  const middle = others.filter((it) => it !== '').map((it) => (backtracking === 'atomic' ? `(?>.*?${it})` : `.*?${it}`))
  return `^${first}${middle.join('')}${last === '' ? '' : `.*${last}\\z`}`
}

/** The parts of a pattern that `%` separates, each as a regular expression of a fixed length. */
function splitRuns(pattern: string, fold: boolean): string[] {
  const runs = ['']
  for (const [part, escaped] of pattern.matchAll(/\\([\s\S])|[\s\S]/gu)) {
    if (part === '%') runs.push('')
    else runs[runs.length - 1] += part === '_' ? '.' : escapeCharacter(escaped ?? part, fold)
  }
  return runs
}

function escapeCharacter(character: string, fold: boolean): string {
  // Letters are folded here: MongoDB's own folding goes beyond ASCII.
  if (/[a-z]/i.test(character)) return fold ? `[${character.toLowerCase()}${character.toUpperCase()}]` : character
  return /[!-/:-@[-`{-~]/.test(character) ? `\\${character}` : character
}
