import type { Random } from './random.ts'

const words =
  "interface type import export extends from @meta.id @db.table @db.rel.FK { } [ ] ( ) : ? | , ; . = 'x' \" 1 -2 1e9 string number.int Team.id null // /* */ /** \\ \u0000 é 😀"
    .split(' ')
    .concat('\n', ' ')

/** Spoils a text in one to four ways: flipped characters, cuts, repeated stretches, shuffled and foreign tokens. */
export function mutate(text: string, random: Random): string {
  let spoiled = text
  for (let left = 1 + random.below(4); left > 0; left--) spoiled = random.pick(ways)(spoiled, random)
  return spoiled
}

type Way = (text: string, random: Random) => string

const ways: readonly Way[] = [
  function flip(text, random) {
    const at = random.below(text.length + 1)
    const code = (text.charCodeAt(at) || 32) ^ (1 << random.below(8))
    return text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1)
  },
  function truncate(text, random) {
    const at = random.below(text.length + 1)
    return random.chance(0.5) ? text.slice(0, at) : text.slice(at)
  },
  function remove(text, random) {
    const at = random.below(text.length + 1)
    return text.slice(0, at) + text.slice(at + 1 + random.below(20))
  },
  function repeat(text, random) {
    const at = random.below(text.length + 1)
    const part = text.slice(at, at + random.below(60))
    return text.slice(0, at) + part.repeat(1 + random.below(4)) + text.slice(at)
  },
  function insert(text, random) {
    const at = random.below(text.length + 1)
    return `${text.slice(0, at)} ${random.pick(words)} ${text.slice(at)}`
  },
  function shuffle(text, random) {
    const tokens = text.split(/(\s+)/)
    for (let left = 1 + random.below(6); left > 0; left--) {
      const [a, b] = [random.below(tokens.length), random.below(tokens.length)]
      ;[tokens[a], tokens[b]] = [tokens[b]!, tokens[a]!]
    }
    return tokens.join('')
  },
]
