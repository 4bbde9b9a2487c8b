import { extname } from 'node:path'
import { expect, it } from 'vitest'
import { readText, trackedFiles } from './workspace.ts'

const texts = trackedFiles.filter((file) => !['.png', '.ico', '.woff2'].includes(extname(file)))

/** The lines of all files that match, as `file:line`. */
function findLines(pattern: RegExp, files = texts): string[] {
  return files.flatMap((file) =>
    readText(file)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}`] : [])),
  )
}

it('no file names a path of one machine', () => {
  // Spelled in parts, so that this file does not find itself.
  const homes = ['home', 'Users', 'root', 'work', 'farm'].join('|')
  const found = findLines(new RegExp(`(^|[^\\w./-])/(${homes})/[\\w.-]`)).filter(
    (place) => !place.startsWith('package-lock.json'),
  )
  expect(found).toEqual([])
})

it('no file names the host of a package registry', () => {
  expect(findLines(new RegExp(['registry', 'npmjs', 'org'].join('\\.')))).toEqual([])
})

it('no test is exclusive', () => {
  const tests = texts.filter((file) => file.endsWith('.test.ts'))
  expect(tests.length).toBeGreaterThan(5)
  expect(findLines(/\b(it|test|describe)\.(only|todo)\(/, tests)).toEqual([])
})

it('no code is marked as unfinished', () => {
  const code = texts.filter((file) => /\.(ts|mjs)$/.test(file) && !file.startsWith('test/shape/'))
  expect(findLines(/\b(TODO|FIXME|XXX)\b/, code)).toEqual([])
})
