import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeFolder, program } from './support/cli.ts'

type Output = 'pipe' | number

const schema = { 'a.portico': 'interface A {\n  a: string\n}\n' }

/** Runs `portico` with outputs of the test's own; with `isRead` false, nobody reads them. */
async function run(args: readonly string[], out: Output, errors: Output, isRead = true) {
  const child = spawn(process.execPath, [program, ...args], { cwd: makeFolder(schema), stdio: ['ignore', out, errors] })
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  if (!isRead) for (const it of [child.stdout, child.stderr]) it?.destroy()
  const err = isRead && child.stderr ? await text(child.stderr) : ''
  return { code: await closed, err }
}

describe('a closed output', () => {
  it.each([
    ['check', 0],
    ['chekc', 2],
  ])('does not change the exit code of portico %s', async (command, code) => {
    expect(await run([command], 'pipe', 'pipe', false)).toEqual({ code, err: '' })
  })
})

describe.skipIf(!existsSync('/dev/full'))('an output on a full disk', () => {
  const openFull = (): number => {
    const file = openSync('/dev/full', 'w')
    onTestFinished(() => closeSync(file))
    return file
  }

  it('is reported in one line', async () => {
    const err = expect.stringMatching(/^portico: cannot write output: ENOSPC.*\n$/)
    expect(await run(['check'], openFull(), 'pipe')).toEqual({ code: 2, err })
  })

  it('does not change the exit code if it is standard error', async () => {
    expect((await run(['chekc'], 'pipe', openFull())).code).toBe(2)
    expect((await run(['check'], 'pipe', openFull())).code).toBe(0)
  })
})
