// The last lines of a test run: the count, what it ran on, what it left out and why.
import { survey } from './environment.mjs'

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
      `Tests: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`,
      `Ran on: ${[`Node ${process.versions.node}`, ...found.map((it) => `${it.name} ${it.version}`)].join(', ')}`,
      ...missing.map((it) => `Left out: ${it.what}: ${it.name} was not found (${it.mend})`),
      full ? 'Heavy counts: in full' : 'Heavy counts: a tenth (CI=true runs them in full)',
    ]
    // After the default reporter's own summary, which is written in the same turn.
    process.on('exit', () => console.log(`\n${lines.join('\n')}`))
  }
}
