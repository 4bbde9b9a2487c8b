// Ends a test run with the number of tests, the slowest files, what the tests ran on, and what was skipped and why.
import { relative } from 'node:path'
import { survey } from './environment.mjs'
import { root } from './run.mjs'

const MAX_SLOWEST = 10

/** @implements {import('vitest/reporters').Reporter} */
export default class ClosingReporter {
  /** @param {ReadonlyArray<import('vitest/node').TestModule>} testModules */
  onTestRunEnd(testModules) {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 }
    for (const testModule of testModules) {
      for (const test of testModule.children.allTests()) count[test.result().state] += 1
    }
    const { found, missing } = survey()
    const full = process.env['CI'] === 'true'
    const lines = [
      ...slowestFiles(testModules),
      `Tests: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`,
      `Ran on: ${[`Node ${process.versions.node}`, ...found.map((it) => `${it.name} ${it.version}`)].join(', ')}`,
      ...missing.map((it) => `Skipped: ${it.what}: ${it.name} was not found (${it.fix})`),
      full ? 'Heavy counts: in full' : 'Heavy counts: a tenth (CI=true runs them in full)',
    ]
    // After the default reporter's own summary, which is written in the same turn.
    process.on('exit', () => console.log(`\n${lines.join('\n')}`))
  }
}

/** @param {ReadonlyArray<import('vitest/node').TestModule>} testModules */
function slowestFiles(testModules) {
  if (testModules.length < 2) return []
  const files = testModules.map((testModule) => {
    const { collectDuration, duration } = testModule.diagnostic()
    return { path: relative(root, testModule.moduleId), seconds: (collectDuration + duration) / 1000 }
  })
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, MAX_SLOWEST)
  const total = files.reduce((sum, { seconds }) => sum + seconds, 0)
  return [
    `Slowest files, of ${total.toFixed(0)} s for all ${files.length}:`,
    ...slowest.map(({ path, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${path}`),
  ]
}
