import { extname } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { readText, trackedFiles } from './workspace.ts'

const texts = trackedFiles.filter((file) => !['.png', '.ico', '.woff2'].includes(extname(file)))

/** The lines that match, as `file:line`. */
function findLines(matches: RegExp | ((line: string) => boolean), files = texts): string[] {
  const isMatch = typeof matches === 'function' ? matches : (line: string) => matches.test(line)
  return files.flatMap((file) =>
    readText(file)
      .split('\n')
      .flatMap((line, index) => (isMatch(line) ? [`${file}:${index + 1}`] : [])),
  )
}

it('no file names a path of one machine', () => {
  expect(findLines(/(^|[^\w./-])(\/(home|Users|root)\/|[A-Z]:\\Users\\)[\w.-]/)).toEqual([])
  expect(findLines((line) => line.includes(`${root}/`))).toEqual([])
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
