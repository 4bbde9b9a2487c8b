import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { compile, format } from '@portico/schema'
import { expect } from 'vitest'
import { root } from '../../scripts/run.mjs'

/** A page of the repository, by its path from the root. */
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

/** The examples of one page. */
export interface Examples {
  readonly page: string
  /** The program that is run. Default `app`. */
  readonly main?: string
  /** Edits the program before it runs, for example so that it does not listen forever. */
  readonly edit?: (text: string) => string
  readonly env?: Readonly<Record<string, string>>
}

/** The examples of several pages, compiled; removed when the block ends. */
export interface CompiledExamples extends AsyncDisposable {
  /** Runs the program of one page. It must exit with 0 and print no errors. */
  run(page: string): Promise<void>
}

/**
 * Follows the pages like a reader: generates modules from the schemas and compiles the programs. One run of
 * the compiler serves all pages.
 */
export async function compileExamples(
  examples: readonly Examples[],
  compilerOptions: object = strict,
): Promise<CompiledExamples> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-docs-'))
  const folderOf = (page: string): string => join(folder, page.replaceAll(/\W/g, '-'))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }))
    for (const it of examples) {
      await mkdir(folderOf(it.page))
      for (const { path, text } of await filesOf(it)) await writeFile(join(folderOf(it.page), path), text)
    }
    const { output } = await runNode(folder, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder])
    expect(output).toBe('')
  } catch (error) {
    await remove()
    throw error
  }
  return {
    async run(page) {
      const { main = 'app', env } = examples.find((it) => it.page === page)!
      const { output, errors, code } = await runNode(folderOf(page), [`${main}.js`], env)
      expect([errors, code], output).toEqual(['', 0])
    },
    [Symbol.asyncDispose]: remove,
  }
}

/** Compiles the examples of one page and runs them. */
export async function runExamples(examples: Examples): Promise<void> {
  await using compiled = await compileExamples([examples])
  await compiled.run(examples.page)
}

async function filesOf({ page, main = 'app', edit = (it) => it }: Examples): Promise<{ path: string; text: string }[]> {
  const content = await readPage(page)
  const schemas = blocksOf(content, 'portico')
  for (const { text } of schemas) expect(format(text).text).toBe(text)
  const { diagnostics, modules } = compile(schemas)
  expect(diagnostics).toEqual([])
  const programs = joinParts(blocksOf(content, 'ts'))
  expect(programs, `${page} has programs`).not.toEqual([])
  return [
    ...modules.map(({ path, code }) => ({ path, text: code })),
    ...programs.map((it) => (it.path === `${main}.ts` ? { ...it, text: edit(it.text) } : it)),
  ]
}

/** Blocks of one name are the parts of one program, in the order of the page. */
function joinParts(blocks: readonly { path: string; text: string }[]): { path: string; text: string }[] {
  const programs = new Map<string, string[]>()
  for (const { path, text } of blocks) programs.set(path, [...(programs.get(path) ?? []), text])
  return [...programs].map(([path, parts]) => ({ path, text: parts.join('\n') }))
}

async function runNode(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ output: string; errors: string; code: number | null }> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    timeout: 60_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), closed])
  return { output, errors, code }
}
