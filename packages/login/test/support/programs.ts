import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { root } from '../../../../scripts/run.mjs'
import { type Program, startProgram } from '../../../../test/support/program.ts'

/** Runs source text as a Node program in its own folder, where it can import `@portico/login`. */
export async function runProgram(
  source: string,
  options: { args?: string[]; env?: NodeJS.ProcessEnv; nodeModules?: string } = {},
): Promise<Program> {
  const { args = [], env, nodeModules = join(root, 'node_modules') } = options
  const cwd = await mkdtemp(join(tmpdir(), 'portico-login-'))
  await symlink(nodeModules, join(cwd, 'node_modules'), 'junction')
  await writeFile(join(cwd, 'program.mjs'), source)
  const cleanUp = (): Promise<void> => rm(cwd, { recursive: true, force: true })
  return startProgram(join(cwd, 'program.mjs'), { args, env: { NODE_OPTIONS: '', ...env }, cwd, cleanUp })
}

/**
 * A program that logs in without a browser. It prints the URL, then the user id or the error's code, then the handles that
 * keep it alive.
 */
export function loginProgram(options: object): string {
  return browserProgram({ openBrowser: false, ...options })
}

/** The same with the default `openBrowser`. */
export function browserProgram(options: object): string {
  return `
import { authorize } from '@portico/login'
const onUrl = (url) => console.log('url ' + url)
const result = await authorize({ onUrl, ...${JSON.stringify(options)} }).catch((error) => error)
console.log('settled ' + (result.code ?? result.userId))
// A closed handle disappears after the current turn of the event loop.
for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
const held = new Set(process.getActiveResourcesInfo().filter((it) => it !== 'PipeWrap'))
console.log('held ' + JSON.stringify([...held]))
`
}

/** Expects the program to end, because nothing keeps it alive. */
export async function expectPromptEnd(program: Program): Promise<void> {
  expect(await program.line(/^held /)).toBe('held []')
  expect((await program.ended).code).toBe(0)
}
