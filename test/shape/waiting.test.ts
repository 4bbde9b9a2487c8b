import { expect, it } from 'vitest'
import { readText, trackedFiles } from './workspace.ts'

const tests = trackedFiles.filter(
  (file) => /^(?:(?:packages|apps)\/[\w-]+\/)?test\/.*\.(?:ts|mjs)$/.test(file) && !file.includes('/shape/waiting.'),
)

function linesLike(pattern: RegExp): string[] {
  return tests.flatMap((file) =>
    readText(file)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? `${file}:${index + 1}: ${line.trim()}` : [])),
  )
}

// A busy machine is slow, and nothing is wrong with it. Count, compare the order of events, or use a clock of the
// test's own (`vi.useFakeTimers`, test/support/fast-clock.ts).
it('no test measures how long something takes', () => {
  const measured = linesLike(/\bperformance\.now\b|\bhrtime\b|\bcpuUsage\b/)
  expect(measured.filter((it) => !it.startsWith('test/support/fast-clock.ts:'))).toEqual([])
})

it('no test compares the time of day', () => {
  expect(linesLike(/\bexpect\b.*\bDate\.now\(\)/)).toEqual([])
  expect(linesLike(/\bto(?:Be)?(?:Less|Greater)Than\w*\(.*\b(?:Date\.now|new Date)\(/)).toEqual([])
})
