import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

const workspaceModules = fileURLToPath(new URL('../../../../node_modules', import.meta.url))

/** A program of its own in a folder of its own, where `@portico/login` can be imported. */
export interface Program extends AsyncDisposable {
  readonly child: ChildProcess
  /** Resolves with the first line of standard output that matches. */
  line(pattern: RegExp): Promise<string>
  /** Resolves when it has ended, with what it printed. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; output: string }>
}

/** Runs this source as a Node program. It and its folder are gone when the test is over, whatever happened. */
export async function runProgram(
  source: string,
  options: { args?: string[]; env?: NodeJS.ProcessEnv; nodeModules?: string } = {},
): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-login-'))
  await symlink(options.nodeModules ?? workspaceModules, join(folder, 'node_modules'), 'junction')
  await writeFile(join(folder, 'program.mjs'), source)
  const env = { ...process.env, NODE_OPTIONS: '', ...options.env }
  const child = spawn(process.execPath, [join(folder, 'program.mjs'), ...(options.args ?? [])], { env, cwd: folder })
  let output = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
      for (const listener of listeners) listener()
    })
  }
  const ended = new Promise<Awaited<Program['ended']>>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, output }))
  })
  return {
    child,
    ended,
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = output
            .split('\n')
            .slice(0, -1)
            .find((line) => pattern.test(line))
          if (found !== undefined) resolve(found)
        }
        listeners.add(look)
        look()
        void ended.then(() => reject(new Error(`the program ended without a line like ${pattern}:\n${output}`)))
      }),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * A program that logs in without a browser and ends. It prints the URL, then the user id or the error's code, then what
 * still keeps it alive.
 */
export function loginProgram(options: object): string {
  return browserProgram({ openBrowser: false, ...options })
}

/** The same with the default of `openBrowser`. */
export function browserProgram(options: object): string {
  return `
import { authorize } from '@portico/login'
const onUrl = (url) => console.log('url ' + url)
const result = await authorize({ onUrl, ...${JSON.stringify(options)} }).catch((error) => error)
console.log('settled ' + (result.code ?? result.userId))
// A handle that was closed is gone after the turn of the event loop that closes it.
for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
const held = new Set(process.getActiveResourcesInfo().filter((it) => it !== 'PipeWrap'))
console.log('held ' + JSON.stringify([...held]))
`
}

/** Expects that the program ends by itself, because nothing was left that keeps it alive. */
export async function expectPromptEnd(program: Program): Promise<void> {
  expect(await program.line(/^held /)).toBe('held []')
  expect((await program.ended).code).toBe(0)
}
