import { execFileSync } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compile, format } from '@portico/schema'
import { describe, expect, it } from 'vitest'
import { pages } from '../../../scripts/docs/db.ts'
import { root } from '../../../scripts/run.mjs'
import { temporaryFolder } from './support/engines.ts'

const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

/** The code blocks of a page that name a file. */
function blocksOf(page: string, language: string): [path: string, text: string][] {
  return [...page.matchAll(/^```(\w+) (\S+)\n([\s\S]*?)^```$/gm)]
    .filter(([, found]) => found === language)
    .map(([, , path, text]) => [path!, text!])
}

describe('the reference', () => {
  it.each(Object.entries(pages()))('%s is current', async (path, text) => {
    expect(await read(path), 'run `npm run docs -- db`').toBe(text)
  })
})

it.each(['packages/db/README.md', 'docs/guide/tables.md'])('the examples of %s compile and run', async (page) => {
  const text = await read(page)
  const schemas = blocksOf(text, 'portico')
  for (const [, schema] of schemas) expect(format(schema).text).toBe(schema)
  const { diagnostics, modules } = compile(schemas.map(([path, schema]) => ({ path, text: schema })))
  expect(diagnostics).toEqual([])
  const programs = blocksOf(text, 'ts')
  expect(programs).toHaveLength(1)
  await using folder = await temporaryFolder()
  await symlink(join(root, 'node_modules'), folder.file('node_modules'), 'junction')
  await mkdir(folder.file('out'))
  const files: [string, string][] = [...modules.map((it): [string, string] => [it.path, it.code]), ...programs]
  for (const [path, code] of files) await writeFile(folder.file(path), code)
  await writeFile(folder.file('package.json'), '{ "type": "module" }')
  const options = ['--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext', '--target', 'es2023']
  const args = [
    '--ignoreConfig',
    ...options,
    '--skipLibCheck',
    '--types',
    'node',
    '--outDir',
    'out',
    ...files.map(([path]) => path),
  ]
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...args], {
    cwd: folder.path,
    stdio: 'pipe',
  })
  const program = folder.file(join('out', programs[0]![0].replace(/\.ts$/, '.js')))
  execFileSync(process.execPath, [program], { cwd: folder.path, stdio: 'pipe' })
})
