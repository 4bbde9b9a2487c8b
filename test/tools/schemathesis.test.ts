import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openScene } from '../../apps/demo/test/support/scene.ts'
import { tokenOf } from '../../apps/demo/test/support/visitor.ts'
import { findPythonTools } from '../../scripts/environment.mjs'
import { heavy } from '../support/heavy.ts'
import { openKit } from './kit/kit-app.ts'
import { findKnown } from './known-reports.ts'
import { type Finding, runSchemathesis } from './run-schemathesis.ts'

const tools = findPythonTools()

/** The result for an app, with each kind of finding that is not known to be harmless once. */
async function examine(address: string, token: string) {
  const program = join(tools!.path, 'bin', 'schemathesis')
  const { findings, ...run } = await runSchemathesis({ program, address, token, examples: heavy(40) })
  const unknown = new Map(findings.filter((it) => !findKnown(it)).map((it) => [`${it.code} ${it.operation}`, it]))
  return { ...run, unknown: [...unknown.values()].map(print) }
}

function print({ code, operation, message, request, answer }: Finding): string {
  return `${code} ${operation}: ${message}\n  ${request.slice(0, 600)}\n  ${answer.slice(0, 600)}`
}

describe.skipIf(!tools)('Schemathesis finds nothing wrong', { timeout: 600_000 }, () => {
  it('in an app with every kind of route', async () => {
    await using kit = await openKit()
    const run = await examine(kit.address, kit.token)
    expect(run.unknown).toEqual([])
    expect(run).toMatchObject({ stopReason: 'completed', operations: { errored: 0 } })
    expect(run.operations.tested).toBe(run.operations.total)
    expect(run.cases).toBeGreaterThan(1000)
  })

  it('in the demo, for somebody who is signed in', async () => {
    await using demo = await openScene()
    const run = await examine(demo.address, await tokenOf(demo.address, 'ada'))
    expect(run.unknown).toEqual([])
    expect(run).toMatchObject({ stopReason: 'completed', operations: { errored: 0 } })
    expect(run.operations.tested).toBe(run.operations.total)
    expect(run.cases).toBeGreaterThan(1000)
  })
})
