import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeFolder, program } from './support/cli.ts'

type Output = 'pipe' | number

const schema = { 'a.portico': 'interface A {\n  a: string\n}\n' }

/** Runs `portico` with outputs of the test's own; `isRead` tells whether anybody reads them. */
async function run(args: readonly string[], out: Output, err: Output, isRead = true) {
  const child = spawn(process.execPath, [program, ...args], { cwd: makeFolder(schema), stdio: ['ignore', out, err] })
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  if (!isRead) for (const it of [child.stdout, child.stderr]) it?.destroy()
  const told = isRead && child.stderr ? await text(child.stderr) : ''
  return { code: await closed, told }
}

describe('an output that nobody reads any more', () => {
  it.each([
    ['check', 0],
    ['chekc', 2],
  ])('does not change what portico %s ends with', async (command, code) => {
    expect(await run([command], 'pipe', 'pipe', false)).toEqual({ code, told: '' })
  })
})

describe.skipIf(!existsSync('/dev/full'))('an output on a disk that is full', () => {
  const openFull = (): number => {
    const file = openSync('/dev/full', 'w')
    onTestFinished(() => closeSync(file))
    return file
  }

  it('is told in a line', async () => {
    const told = expect.stringMatching(/^portico: the output cannot be written: ENOSPC.*\n$/)
    expect(await run(['check'], openFull(), 'pipe')).toEqual({ code: 2, told })
  })

  it('does not change the exit code where it is for errors', async () => {
    expect((await run(['chekc'], 'pipe', openFull())).code).toBe(2)
    expect((await run(['check'], 'pipe', openFull())).code).toBe(0)
  })
})
