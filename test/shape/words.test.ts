import { describe, expect, it } from 'vitest'
import { readText, trackedFiles } from './workspace.ts'

/** Words that readers stumbled over, with what to write instead. */
const stumbles: readonly { readonly word: string; readonly pattern: RegExp; readonly instead: string }[] = [
  { word: 'told', pattern: /\b(un)?told\b|[a-z]Told\b|\btold[A-Z]/, instead: 'description, message' },
  { word: 'tells', pattern: /\btells\b|\btell[A-Z]/, instead: 'says, describe…, report…' },
  { word: 'mend', pattern: /\bmend(s|ed|ing)?\b/i, instead: 'fix, repair, recover' },
  { word: 'anew', pattern: /\banew\b/i, instead: 'again' },
  {
    word: 'is no …',
    pattern: /(?<!\b[Tt]here )\b([Ii]s|[Aa]re) (no\b(?! longer\b)|none\b)/,
    instead: 'is not a …, are not …',
  },
  { word: 'MOST_', pattern: /\b(MOST|LONGEST|DEEPEST)_/, instead: 'MAX_' },
  { word: 'foresee', pattern: /\bforesee/i, instead: 'preflight' },
  { word: 'to be had', pattern: /\bto be had\b/i, instead: 'available' },
  { word: 'read along', pattern: /\bread along\b/i, instead: 'included, loaded' },
  { word: 'in one go', pattern: /\bin one go\b/i, instead: 'at once, in one transaction' },
  { word: 'Abilities', pattern: /\bAbilities\b/, instead: 'Capabilities' },
  { word: 'Sight, Scene', pattern: /\b(Sight|Scene|lookAround)\b/, instead: 'DatabaseState, TableDependents' },
]

const written = trackedFiles.filter(
  (file) => /\.(ts|mjs|js|md|portico|html|css|yml|java|sh)$/.test(file) && file !== 'test/shape/words.test.ts',
)

describe('plain English', () => {
  it.each(stumbles)('$word is written as $instead', ({ pattern }) => {
    expect(findLines((line) => pattern.test(line))).toEqual([])
  })

  it('a comment says what the caller gets or why, instead of beginning with What, Whether, How or Who', () => {
    const code = written.filter((file) => /\.(ts|mjs)$/.test(file))
    expect(findLines((line) => /^\s*(\/\*\*|\/\/|\*) (What|Whether|How|Who) (?!.*\?$)/.test(line), code)).toEqual([])
  })
})

function findLines(isFound: (line: string) => boolean, files = written): string[] {
  return files.flatMap((file) =>
    readText(file)
      .split('\n')
      .flatMap((line, index) => (isFound(line) ? [`${file}:${index + 1} ${line.trim().slice(0, 100)}`] : [])),
  )
}
