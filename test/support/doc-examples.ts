import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compile, format } from '@portico/schema'
import { expect } from 'vitest'
import { root } from '../../scripts/run.mjs'

/** A page of the tree, by its path from the root. */
export function readPage(path: string): Promise<string> {
  return readFile(join(root, path), 'utf8')
}

/** The code blocks of a page that name a file. */
export function blocksOf(page: string, language: string): { path: string; text: string }[] {
  return [...page.matchAll(/^```(\w+) (\S+)\n([\s\S]*?)^```$/gm)]
    .filter(([, found]) => found === language)
    .map(([, , path, text]) => ({ path: path!, text: text! }))
}

const strict = {
  strict: true,
  exactOptionalPropertyTypes: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  module: 'nodenext',
  target: 'es2023',
  types: ['node'],
  skipLibCheck: true,
}

interface Running {
  /** Which program is run. Default `app`. */
  readonly main?: string
  /** What is done to it before: where it would listen for ever, for example. */
  readonly edit?: (text: string) => string
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Does with the files on a page what a reader would: generates modules from the schemas, compiles the programs, and runs one of
 * them, which has to end well and in silence.
 */
export async function runExamples(
  path: string,
  compilerOptions: object = strict,
  running: Running = {},
): Promise<void> {
  const { main = 'app', edit = (text: string) => text, env } = running
  const page = await readPage(path)
  const schemas = blocksOf(page, 'portico')
  for (const { text } of schemas) expect(format(text).text).toBe(text)
  const { diagnostics, modules } = compile(schemas)
  expect(diagnostics).toEqual([])
  const programs = blocksOf(page, 'ts').map((it) => (it.path === `${main}.ts` ? { ...it, text: edit(it.text) } : it))
  expect(programs.map((it) => it.path)).toContain(`${main}.ts`)
  const files = [
    ...modules.map(({ path, code }) => ({ path, text: code })),
    ...programs,
    { path: 'package.json', text: '{ "type": "module" }' },
    { path: 'tsconfig.json', text: JSON.stringify({ compilerOptions, include: ['.'] }) },
  ]
  const folder = await mkdtemp(join(tmpdir(), 'portico-docs-'))
  try {
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
    for (const it of files) await writeFile(join(folder, it.path), it.text)
    const run = (...args: string[]) =>
      spawnSync(process.execPath, args, {
        cwd: folder,
        encoding: 'utf8',
        timeout: 60_000,
        env: { ...process.env, ...env },
      })
    expect(run(join(root, 'node_modules/typescript/bin/tsc'), '-p', folder).stdout).toBe('')
    const ended = run(`${main}.js`)
    expect([ended.stderr, ended.status], ended.stdout).toEqual(['', 0])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
